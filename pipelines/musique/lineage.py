"""The way back of a MuSiQue record: who worded it, its graph of single hops, their bridges, and its paragraphs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.lineage import Lineage, Plot, Quote, Row, Tables, Trail, TrailStep, chosen, marks, told, votes
from stages.musique.disconnection.tables import JUDGED_HEADS, JUDGED_TAILS, KEPT_BRIDGES
from stages.musique.graphs.drawing import draw
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.release.records import COMPOSITIONS, MULTIHOP_RECORDS, MultihopRecord

COMPOSED = "composed"
"""The round in which people word questions."""
SHAPES, HOPS, WORDS, ANSWER_WORDS, SOURCES, ANSWERABLE = (
    "shapes",
    "hops",
    "words of a question",
    "words of an answer",
    "sources of the hops",
    "answered by the paragraphs",
)
# The shares of MuSiQue-Ans, of 24,814 questions: 16,899 of two hops, 5,910 of three, 2,005 of four.
_PAPER_HOPS = {"2": 68.1, "3": 23.8, "4": 8.1}


@dataclass(frozen=True)
class _Found:
    """What a batch of records has in the other tables: by graph, by hop, and bridges by both hops."""

    compositions: Mapping[str, Row]
    graphs: Mapping[str, Row]
    verdicts: Mapping[str, Row]
    bridges: Mapping[tuple[str, str], Row]
    heads: Mapping[str, Row]
    tails: Mapping[tuple[str, str], Row]


def trails(root: Storage, manifest: BuildManifest, keys: Collection[str] | None = None) -> Iterator[Trail]:
    """Of the records with these ids, or with a key "id answerable" or "id unanswerable"."""
    tables = Tables(root, manifest)
    for shard in tables.shards(MULTIHOP_RECORDS.name):
        ids = keys if keys is None else {*keys, *(key.partition(" ")[0] for key in keys)}
        rows = [row for row in chosen(shard, ids, "id") if keys is None or {row["id"], _key(row)} & set(keys)]
        if rows:
            found = _find(tables, [row["id"] for row in rows])
            yield from (_trail(row, found) for row in rows)


def _key(row: Row) -> str:
    return f"{row['id']} {'answerable' if row['answerable'] else 'unanswerable'}"


def _find(tables: Tables, ids: Sequence[str]) -> _Found:
    graphs = tables.one(COMPOSED_HOPS.name, "graph", ids)
    hops = set(chain.from_iterable(graph["hops"] for graph in graphs.values()))
    bridges = chain.from_iterable(tables.by(KEPT_BRIDGES.name, "head", hops).values())
    tails = chain.from_iterable(tables.by(JUDGED_TAILS.name, "tail", hops).values())
    return _Found(
        tables.one(COMPOSITIONS.name, "id", ids),
        graphs,
        tables.verdicts(COMPOSED, ids),
        {(row["head"], row["tail"]): row for row in bridges},
        tables.one(JUDGED_HEADS.name, "hop", hops),
        {(row["tail"], row["masked"]): row for row in tails},
    )


def _trail(row: Row, found: _Found) -> Trail:
    record = msgspec.json.decode(row["record"], type=MultihopRecord)
    composition, graph = found.compositions[row["id"]], found.graphs[row["id"]]
    return Trail(
        key=_key(row),
        record=row["id"],
        question=record.question,
        answers=(record.answer, *record.answer_aliases),
        split=row["split"],
        kind=row["shape"] if row["answerable"] else f"{row['shape']}, unanswerable",
        tags=tuple(dict.fromkeys(graph["sources"])),
        confirmed=composition["confirmed"],
        steps=(
            _worded(composition, found.verdicts.get(row["id"])),
            _paragraphs(record, composition),
            TrailStep("5 splits", ("musique.splits", "musique.split_caps"), told([("split", row["split"])])),
            _graph(record, graph),
            *(_bridge(graph, edge, found) for edge in graph["edges"]),
        ),
        measures={
            SHAPES: (row["shape"],),
            HOPS: (str(len(graph["hops"])),),
            WORDS: (len(record.question.split()),),
            ANSWER_WORDS: (len(record.answer.split()),),
            SOURCES: tuple(graph["sources"]),
            ANSWERABLE: ("yes" if row["answerable"] else "no",),
        },
    )


def _worded(composition: Row, verdict: Row | None) -> TrailStep:
    by_rule = composition["mechanical"]
    return TrailStep(
        "7 the question in words",
        ("musique.mechanical_composition", "musique.human_composition"),
        told(
            [
                ("worded by", "rules" if by_rule else "people"),
                ("form", composition["form"]),
                ("the rules' words", None if by_rule else composition["mechanical_question"]),
            ]
        )
        + votes(verdict),
    )


def _paragraphs(record: MultihopRecord, composition: Row) -> TrailStep:
    """Those that answer a hop first; what is missing where the record is not to be answered."""
    hop_of: defaultdict[int, list[int]] = defaultdict(list)
    for number, step in enumerate(record.question_decomposition):
        if step.paragraph_support_idx is not None:
            hop_of[step.paragraph_support_idx].append(number)
    quotes = []
    for paragraph in sorted(record.paragraphs, key=lambda paragraph: (not paragraph.is_supporting, paragraph.idx)):
        numbers = hop_of[paragraph.idx]
        hops = [record.question_decomposition[number] for number in numbers]
        quotes.append(
            Quote(
                paragraph.paragraph_text,
                title=paragraph.title,
                of="answers a hop" if hops else "beside them",
                says="; ".join(f"{step.question} {step.answer}" for step in hops),
                marks=marks(paragraph.paragraph_text, (step.answer for step in hops)),
                facts=told(
                    [
                        ("place", paragraph.idx + 1),
                        ("answers hop", [str(number + 1) for number in hop_of[paragraph.idx]]),
                    ]
                ),
                aside=not hops,
            )
        )
    missing = None if record.answerable else composition["missing"]
    return TrailStep(
        "6, 8 paragraphs",
        ("musique.contexts",),
        told(
            [
                ("paragraphs", len(quotes)),
                ("answer a hop", sum(not quote.aside for quote in quotes)),
                ("left out on purpose", f"what answers hop {missing}" if missing else None),
            ]
        ),
        tuple(quotes),
    )


def _graph(record: MultihopRecord, graph: Row) -> TrailStep:
    steps = zip(graph["question_steps"], graph["hop_answers"], graph["sources"], strict=True)
    return TrailStep(
        "4 graph of single hops",
        ("musique.hop_filter", "musique.graph_selection"),
        told(
            [
                ("shape", graph["shape"]),
                *(
                    (f"hop {number}", f"{question} {answer} (from {source})")
                    for number, (question, answer, source) in enumerate(steps, start=1)
                ),
            ]
        ),
        picture=draw(graph, record.question),
    )


def _bridge(graph: Row, edge: Row, found: _Found) -> TrailStep:
    """From one hop to another that asks about its answer, and what the readers said of both."""
    head, tail = (graph["hops"][edge[end] - 1] for end in ("from", "to"))
    bridge = found.bridges.get((head, tail), {})
    judged_head = found.heads.get(head, {})
    judged_tail = found.tails.get((tail, bridge.get("masked", "")), {})
    return TrailStep(
        f"2, 3 bridge from hop {edge['from']} to hop {edge['to']}",
        ("musique.bridge_pairs", "musique.head_filter", "musique.tail_filter", "musique.disconnection_filter"),
        told(
            [
                ("entity", bridge.get("answer")),
                ("its type", bridge.get("entity_type")),
                ("named as", bridge.get("bridge")),
                ("asked without it", bridge.get("masked")),
                ("head, read alone: F1", judged_head.get("f1")),
                ("head, read alone: answers", judged_head.get("predicted")),
                ("tail without the bridge: F1", judged_tail.get("f1")),
                ("tail without the bridge: support F1", judged_tail.get("support_f1")),
                ("tail without the bridge: answers", judged_tail.get("predicted")),
                ("readers", judged_tail.get("readers")),
            ]
        ),
    )


LINEAGE = Lineage(
    trails,
    tags="source",
    plots=(
        Plot(SHAPES, unit="records"),
        Plot(HOPS, unit="records", published={"the paper": _PAPER_HOPS}),
        Plot(WORDS, unit="records", ends=(8, 10, 12, 14, 16, 18, 20, 25, 30)),
        Plot(ANSWER_WORDS, unit="records", ends=(1, 2, 3, 4, 5, 7, 10)),
        Plot(SOURCES, unit="hops"),
        Plot(ANSWERABLE, unit="records"),
    ),
)
