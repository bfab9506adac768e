"""The way back of a QAMPARI record: its question, its query, and of each answer the statements and their sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.lineage import Lineage, Plot, Quote, Row, Tables, Trail, TrailStep, chosen, marks, told
from stages.facts.relations.templates import load_relations
from stages.qampari.release.format import Answer, AnswersRecord
from stages.qampari.release.records import RECORDS, SIDECAR

_QUERIES = ("simple_queries", "intersection_queries", "composed_queries")
_STATES = ("entailed", "entailed_hop")
_STEP_OF = {"simple": "5 query filter", "intersection": "6 intersections", "composition": "7 compositions"}
_STAGE_OF = {
    "simple": ("qampari.simple_queries", "qampari.query_filter"),
    "intersection": ("qampari.intersections",),
    "composition": ("qampari.compositions", "qampari.composition_filter"),
}
ANSWERS, WORDS, RELATIONS, TYPES, SCORES = (
    "answers a question",
    "words of a question",
    "relations",
    "kinds of answers",
    "score of the evidence",
)
_State = tuple[str, ...]


@dataclass(frozen=True)
class _Found:
    """What a batch of records has in the other tables, by query, or by the statement and its sentence."""

    queries: Mapping[str, Row]
    places: Mapping[str, Row]
    sidecar: Mapping[str, list[Row]]
    states: Mapping[_State, Row]


def trails(root: Storage, manifest: BuildManifest, keys: Collection[str] | None = None) -> Iterator[Trail]:
    """Of the records with these queries or qids."""
    tables = Tables(root, manifest)
    for shard in tables.shards(RECORDS.name):
        rows = chosen(shard, keys, "query", "qid")
        if rows:
            found = _find(tables, [row["query"] for row in rows])
            yield from (_trail(row, found) for row in rows)


def _find(tables: Tables, queries: Sequence[str]) -> _Found:
    sidecar = tables.by(SIDECAR.name, "query", queries)
    stated = {row["subject"] for rows in sidecar.values() for row in rows}
    states = {
        _state(row): row for name in _STATES for rows in tables.by(name, "subject", stated).values() for row in rows
    }
    asked = {query: row for name in _QUERIES for query, row in tables.one(name, "query", queries).items()}
    return _Found(asked, tables.one("released_questions", "query", queries), sidecar, states)


def _state(row: Mapping[str, Any]) -> _State:
    return row["subject"], row["property"], row["object"], row["title"], row["sentence"]


def _trail(row: Row, found: _Found) -> Trail:
    record = msgspec.json.decode(row["record"], type=AnswersRecord)
    query, place = found.queries[row["query"]], found.places[row["query"]]
    proofs = found.sidecar[row["query"]]
    kind = query["kind"]
    confirmed = {proof["aid"] for proof in proofs if proof["confirmed"]}
    return Trail(
        key=row["query"],
        record=row["qid"],
        question=record.question_text,
        answers=tuple(answer.answer_text for answer in record.answer_list),
        split=row["split"],
        kind=kind,
        tags=tuple(dict.fromkeys(_label(pid) for pid in query["properties"])),
        confirmed=len(confirmed) == len(record.answer_list),
        steps=(
            TrailStep(
                "11 people judge answers",
                ("qampari.judged",),
                told([("answers that people confirmed", f"{len(confirmed):,} of {len(record.answer_list):,}")]),
            ),
            TrailStep("10 splits", ("qampari.splits",), told([("split", row["split"]), ("drawn as", place["number"])])),
            _worded(record, proofs),
            _asked(query, row),
            _proved(record, proofs, found.states),
        ),
        measures={
            ANSWERS: (len(record.answer_list),),
            WORDS: (len(record.question_text.split()),),
            RELATIONS: tuple(dict.fromkeys(_label(pid) for pid in query["properties"])),
            TYPES: tuple({proof["aid"]: _type(proof) for proof in proofs}.values()),
            SCORES: tuple(proof["score"] for proof in proofs),
        },
    )


def _worded(record: AnswersRecord, proofs: Sequence[Row]) -> TrailStep:
    template = next((proof["template_question"] for proof in proofs), "")
    reworded = template != record.question_text
    return TrailStep(
        "8, 12 the question in words",
        ("qampari.questions", "qampari.paraphrasing"),
        told(
            [
                ("asks about", [entity.entity_text for entity in record.entities]),
                ("worded by", "people" if reworded else "a template"),
                ("the template's words", template if reworded else None),
            ]
        ),
    )


def _asked(query: Row, row: Row) -> TrailStep:
    names = zip(query["entities"], query["entity_labels"], strict=True)
    return TrailStep(
        _STEP_OF[query["kind"]],
        _STAGE_OF[query["kind"]],
        told(
            [
                ("query", query["query"]),
                ("relations", [f"{_label(pid)} ({pid})" for pid in query["properties"]]),
                ("entities", [f"{label} ({entity})" for entity, label in names]),
                ("answers with evidence", f"{query['validated']:,} of {query['answers']:,}"),
                ("share", float(query["share"])),
                ("of all answers that Wikidata knows", row["known_share"]),
            ]
        ),
    )


def _proved(record: AnswersRecord, proofs: Sequence[Row], states: Mapping[_State, Row]) -> TrailStep:
    of_answer: defaultdict[str, list[Row]] = defaultdict(list)
    for proof in proofs:
        of_answer[proof["aid"]].append(proof)
    quotes = tuple(
        _quote(answer, proof, states.get(_state(proof)))
        for answer in record.answer_list
        for proof in sorted(of_answer[answer.aid], key=lambda row: int(row["position"]))
    )
    return TrailStep(
        "3, 4 answers and their evidence",
        ("facts.statements", "facts.candidate_evidence", "facts.nli_scores", "facts.nli_validation"),
        told([("statements", len(quotes)), ("pages", len({quote.title for quote in quotes}))]),
        quotes,
    )


def _quote(answer: Answer, proof: Row, state: Row | None) -> Quote:
    url = {one.pid: one.found_in_url for one in answer.proof}[proof["pid"]]
    statement = f"{proof['subject']} {proof['property']} {proof['object']}"
    names = [state[name] for name in ("surface", "subject_label", "object_label")] if state else [answer.answer_text]
    return Quote(
        text=proof["sentence"],
        title=proof["title"],
        url=url,
        of=answer.answer_text,
        says=state["hypothesis"] if state else statement,
        marks=marks(proof["sentence"], names),
        facts=told(
            [
                ("statement", statement),
                ("relation", _label(proof["property"])),
                ("score", float(proof["score"])),
                ("passage", proof["passage_id"]),
                ("sentence", proof["sentence_index"] + 1),
                ("read with what stands before it", _before(state)),
                ("confirmed", bool(proof["confirmed"])),
            ]
        ),
    )


def _before(state: Row | None) -> str | None:
    """The text that the model read together with the sentence."""
    return state["premise"] if state and state["premise"] != state["sentence"] else None


def _type(proof: Row) -> str:
    return str(proof["answer_kind"])


def _label(pid: str) -> str:
    """What the built-in templates call a property; templates of one's own are not in the manifest."""
    return _labels().get(pid, pid)


@cache
def _labels() -> Mapping[str, str]:
    relations = load_relations()
    simple = {pid: relation.prop.label for pid, relation in relations.simple.items()}
    return {pid: relation.prop.label for pid, relation in relations.composition.items()} | simple


LINEAGE = Lineage(
    trails,
    tags="relation",
    plots=(
        Plot(ANSWERS, ends=(5, 6, 7, 8, 10, 15, 20, 30, 50, 100, 200)),
        Plot(WORDS, ends=(6, 8, 10, 12, 14, 16, 18, 20, 25)),
        Plot(RELATIONS),
        Plot(TYPES, unit="answers"),
        Plot(SCORES, unit="statements", ends=(0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)),
    ),
)
