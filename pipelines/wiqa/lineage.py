"""The way back of a WIQA record: its question, the path through the graph that answers it, and the paragraph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.lineage import Lineage, Plot, Quote, Row, Tables, Trail, TrailStep, chosen, told, votes
from stages.wiqa.explanations import EXPLANATIONS
from stages.wiqa.graph import NO_EFFECT
from stages.wiqa.influence_graphs import GRAPHS, graph_of
from stages.wiqa.release.records import CHOICE_QUESTIONS
from stages.wiqa.svg import draw

VERIFIED = "questions"
"""The round in which people answer questions anew."""
LABELS, KINDS, HOPS, WORDS, TOPICS = "answers", "kinds", "hops", "words of a question", "topics"


@dataclass(frozen=True)
class _Found:
    """What a batch of questions has in the other tables: explanations and verdicts by question, graphs by both ids."""

    explanations: Mapping[str, Row]
    verdicts: Mapping[str, Row]
    graphs: Mapping[tuple[str, str], Row]
    pictures: dict[tuple[str, str], str]


def trails(root: Storage, manifest: BuildManifest, keys: Collection[str] | None = None) -> Iterator[Trail]:
    """Of the questions with these ids."""
    tables = Tables(root, manifest)
    for shard in tables.shards(CHOICE_QUESTIONS.name):
        rows = chosen(shard, keys, "question")
        if rows:
            found = _find(tables, rows)
            yield from (_trail(row, found) for row in rows)


def _find(tables: Tables, rows: list[Row]) -> _Found:
    # A change without an effect comes of a graph of another paragraph.
    paragraphs = {row[name] for row in rows for name in ("para_id", "from_para")}
    ids = [row["question"] for row in rows]
    explanations: defaultdict[str, list[Row]] = defaultdict(list)
    for found in tables.by(EXPLANATIONS.name, "para_id", paragraphs).values():
        for row in found:
            explanations[row["question"]].append(row)
    graphs = tables.by(GRAPHS.name, "para_id", paragraphs)
    return _Found(
        {name: found[0] for name, found in explanations.items()},
        tables.verdicts(VERIFIED, ids),
        {(row["para_id"], row["graph_id"]): row for rows_ in graphs.values() for row in rows_},
        {},
    )


def _trail(row: Row, found: _Found) -> Trail:
    graph = found.graphs[row["para_id"], row["graph_id"]]
    return Trail(
        key=row["question"],
        record=row["question"],
        question=row["stem"],
        answers=(row["label"].replace("_", " "),),
        split=row["split"],
        kind=row["question_type"],
        tags=(row["topic"],),
        confirmed=row["confirmed"],
        steps=(
            TrailStep("3.4 people answer anew", ("wiqa.verification",), votes(found.verdicts.get(row["question"]))),
            TrailStep(
                "3.3 a balanced choice", ("wiqa.splits", "wiqa.balancing"), told([("split of its topic", row["split"])])
            ),
            _path(row, found),
            _graph(row, graph, found),
            _paragraph(row, graph, found.explanations.get(row["question"])),
        ),
        measures={
            LABELS: (row["label"].replace("_", " "),),
            KINDS: (row["question_type"],),
            HOPS: (str(row["hops"]) if row["hops"] else "no path",),
            WORDS: (len(row["stem"].split()),),
            TOPICS: (row["topic"],),
        },
    )


def _path(row: Row, found: _Found) -> TrailStep:
    facts = [("change", row["change"]), ("effect", row["effect"]), ("answer", row["label"].replace("_", " "))]
    if row["label"] == NO_EFFECT:
        origin = found.graphs.get((row["from_para"], row["from_graph"]))
        facts += [("the change is of", origin["topic"] if origin else row["from_para"])]
        return TrailStep("3.3 no effect", ("wiqa.no_effect",), told([*facts, ("graph", row["from_graph"])]))
    explained = found.explanations.get(row["question"])
    texts = explained["texts"] if explained else []
    along = [f"{node}: {text}" for node, text in zip(row["path"], texts, strict=False)]
    return TrailStep(
        "3.2 path questions",
        ("wiqa.path_questions", "wiqa.explanations"),
        told([*facts, ("path", " → ".join(along or row["path"])), ("hops", row["hops"])]),
    )


def _graph(row: Row, graph: Row, found: _Found) -> TrailStep:
    place = row["para_id"], row["graph_id"]
    if place not in found.pictures:
        found.pictures[place] = draw(graph_of(graph), graph["prompt"] or graph["topic"])
    return TrailStep(
        "3.1 influence graph",
        ("wiqa.graph_files", "wiqa.influence_graphs"),
        told(
            [
                ("graph", f"{row['para_id']} {row['graph_id']}"),
                (
                    "drawn",
                    "by people in this build"
                    if graph["source"] == "annotation"
                    else f"as the {graph['source']} has it",
                ),
                ("confirmed", bool(graph["confirmed"])),
            ]
        ),
        picture=found.pictures[place],
    )


def _paragraph(row: Row, graph: Row, explained: Row | None) -> TrailStep:
    points = (("change_sentence", "change"), ("effect_sentence", "effect")) if explained else ()
    pointed: defaultdict[int, list[str]] = defaultdict(list)
    for column, what in points:
        if explained and explained[column] is not None:
            pointed[explained[column]].append(f"the {what}, found by {explained[f'{what}_by']}")
    quotes = tuple(
        Quote(
            sentence,
            of=graph["prompt"] or graph["topic"],
            marks=((0, len(sentence)),) if number in pointed else (),
            facts=tuple(("tells of", what) for what in pointed[number]),
            aside=number not in pointed,
        )
        for number, sentence in enumerate(graph["sentences"])
    )
    return TrailStep(
        "paragraph",
        ("wiqa.paragraphs",),
        told([("paragraph", row["para_id"]), ("topic", row["topic"]), ("prompt", graph["prompt"])]),
        quotes,
    )


LINEAGE = Lineage(
    trails,
    tags="topic",
    plots=(
        Plot(LABELS),
        Plot(KINDS),
        Plot(HOPS),
        Plot(WORDS, ends=(10, 12, 14, 16, 18, 20, 22, 25, 30)),
        Plot(TOPICS),
    ),
)
