"""Stage `qampari.records`: lists of answers as released records, and beside them what the format has no place for."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.core import short_answers
from stages.core.columns import flag, number, text, texts, values
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rejects import Rejects
from stages.core.splits import SPLITS
from stages.evaluation import matching
from stages.qampari.cleaning import KINDS
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS
from stages.qampari.paraphrasing.paraphrasing import WORDED
from stages.qampari.release import harness
from stages.qampari.release.format import (
    QID,
    Answer,
    AnswersRecord,
    Proof,
    QuestionEntity,
    item_url,
    make_qid,
    released_names,
)
from stages.qampari.release.parts import ENTITY_PAGES, PAGE_ORIGINS, PROOF_PASSAGES
from stages.release.beir import Retrieval
from stages.release.card import card_row, card_rows
from stages.release.corpus import Collection
from stages.release.export import Layout, Release, splits_of
from stages.release.harness import Harness
from stages.wikipedia.raw import ORIGIN, ORIGIN_NAMES

# Of all the answers that Wikidata knows to a question, the share that its list holds; null where they are not counted.
KNOWN_SHARE = pa.field("known_share", pa.float64())

RECORDS = TableSpec(
    name="records",
    schema=pa.schema(
        [
            *map(text, ("qid", "query", "split", "kind")),
            pa.field("record", pa.large_string(), nullable=False),
            KNOWN_SHARE,
        ]
    ),
    key=("query",),
)
"""record: the released JSON line (`stages.qampari.release.format`); kind: as in the qid.

By query, so that two builds' records of one question meet even where it went to another split.
"""

SIDECAR = TableSpec(
    name="sidecar",
    schema=pa.schema(
        [
            text("aid"),
            number("position"),
            *map(text, ("pid", "qid", "query", "split", "kind")),
            *map(texts, ("properties", "entities", "classes")),
            *map(text, ("answer", "answer_kind", "unit")),
            texts("types"),
            *map(text, ("subject", "property", "object", "title", "passage_id")),
            *ORIGIN,
            number("sentence_index"),
            text("sentence"),
            pa.field("score", pa.float32(), nullable=False),
            flag("confirmed"),
            text("template_question"),
            KNOWN_SHARE,
        ]
    ),
    key=("query", "answer", "unit", "position"),
    inexact=("score",),
)
"""One row per validated triple of a released answer.

position: 0, 1, ... over the answer's triples; pid: the proof with the triple's passage, which several may share.
properties, entities, classes: of the question, as in QUESTION_QUERIES; answer: QID or literal;
unit: QID or ""; types: P31 of the answer; ORIGIN: of the page `title`; score: entailment of the triple by the sentence.
confirmed: whether people found the answer right; template_question: the question as the templates made it, which is
    the released text unless people have reworded it. known_share: of the question, the same in each of its rows.
"""

_OF_QUESTION = ("qid", "query", "split", "kind", "properties", "entities", "classes", "template_question")
_UNKNOWN = dict.fromkeys(ORIGIN_NAMES)
HELD = (80, 50)
LAYOUT = Layout(
    AnswersRecord,
    (f"{SIDECAR.name}.parquet",),
    "answers.md",
    searched=("",),
    harness=Harness("answers.yaml", modules=(short_answers, matching, harness)),
)


@dataclass(frozen=True)
class RecordParams:
    """How each kind of question is called in its qid."""

    simple: str = "wikidata_simple"
    intersection: str = "wikidata_intersection"
    composition: str = "wikidata_comp"

    def __post_init__(self) -> None:
        for kind in KINDS:
            if QID.fullmatch(f"0__{getattr(self, kind)}__train") is None:
                raise StageError(f"{kind}: expected lower-case letters and '_', got {getattr(self, kind)!r}")


def records(
    splits: pa.Table,
    questions: pa.Table,
    answers: pa.Table,
    entity_pages: pa.Table,
    proof_passages: pa.Table,
    page_origins: pa.Table,
    *,
    params: RecordParams,
) -> Output:
    """RECORDS and SIDECAR from one bucket of RELEASED_QUESTIONS, WORDED, RELEASED_ANSWERS, ENTITY_PAGES,
    PROOF_PASSAGES and PAGE_ORIGINS by query.

    Rejects: no_proof (an answer of which no passage was found), no_answers (a question left without any).
    """
    asked = {row["query"]: row for row in questions.to_pylist()}
    given: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in answers.filter(pc.is_in(answers["query"], splits["query"])).to_pylist():
        given[row["query"]].append(row)
    titles = {(row["query"], row["position"]): row["title"] for row in entity_pages.to_pylist()}
    passages = {(row["query"], row["answer"], row["unit"], row["position"]): row for row in proof_passages.to_pylist()}
    origins = {(row["query"], row["title"]): _taken(row, *ORIGIN_NAMES) for row in page_origins.to_pylist()}
    rejects, rows, side = Rejects(), [], []
    for split in splits.select(["query", "split"]).to_pylist():
        question = asked[split["query"]] | split
        question["kind"] = getattr(params, question["kind"])
        question["qid"] = make_qid(question["query"], question["kind"], question["split"])
        record, triples = _Builder(question, titles, passages, origins, rejects).build(given[split["query"]])
        if record is None:
            rejects.add(split["query"], "no_answers")
            continue
        question["known_share"] = len(record.answer_list) / question["known"] if question["known"] else None
        rows.append(_taken(question, "query", "split", "kind", "qid", "known_share") | {"record": record.line()})
        side += [triple | _taken(question, "known_share") for triple in triples]
    return Output(
        {RECORDS.name: RECORDS.table(rows), SIDECAR.name: SIDECAR.table(side)},
        rejects.table(),
        {"records": float(len(rows)), "proofs": float(len({row["pid"] for row in side})), **_completeness(rows)},
    )


def _completeness(rows: list[dict[str, Any]]) -> Mapping[str, float]:
    """How many records know all answers of Wikidata to their question, and how many hold so much of them."""
    shares = [row["known_share"] for row in rows if row["known_share"] is not None]
    held = {f"hold_{percent}_percent_of_known": float(sum(s >= percent / 100 for s in shares)) for percent in HELD}
    return {"known_counted": float(len(shares)), **held}


@dataclass(frozen=True)
class _Builder:
    """Makes the record of one question; titles: of its entities by position; passages: of its answers' proofs;
    origins: of pages by query and title."""

    question: Mapping[str, Any]
    titles: Mapping[tuple[str, int], str | None]
    passages: Mapping[tuple[str, str, str, int], Mapping[str, Any]]
    origins: Mapping[tuple[str, str], Mapping[str, str | None]]
    rejects: Rejects

    def build(self, answers: Iterable[Mapping[str, Any]]) -> tuple[AnswersRecord | None, list[dict[str, Any]]]:
        """The record, or None where no answer has a proof, and its sidecar rows."""
        made: list[Answer] = []
        side: list[dict[str, Any]] = []
        for answer in sorted(answers, key=lambda row: (row["answer_text"], row["answer"], row["unit"])):
            aid = f"{self.question['qid']}__{len(made)}"
            proofs, triples = self._proofs(answer, aid)
            if not proofs:
                self.rejects.add(f"{answer['query']} {answer['answer']}", "no_proof")
                continue
            url = self._item_url(answer["title"], answer["answer"]) if answer["answer_kind"] == "item" else ""
            shown = answer["answer_text"]
            made.append(Answer(shown, aid, released_names(shown, answer["aliases"]), url, proofs))
            side += triples
        if not made:
            return None, []
        return AnswersRecord(self._entities(), self.question["question"], made, self.question["qid"]), side

    def _entities(self) -> list[QuestionEntity]:
        named = (self.question[name] for name in ("entities", "entity_labels", "entity_aliases"))
        return [
            QuestionEntity(
                self._item_url(self.titles.get((self.question["query"], position)), entity),
                label,
                released_names(label, aliases),
            )
            for position, (entity, label, aliases) in enumerate(zip(*named, strict=True))
        ]

    def _origin(self, title: str | None) -> Mapping[str, str | None]:
        return self.origins.get((self.question["query"], title or ""), _UNKNOWN)

    def _item_url(self, title: str | None, qid: str) -> str:
        return item_url(self._origin(title)["url"], qid)

    def _proofs(self, answer: Mapping[str, Any], aid: str) -> tuple[list[Proof], list[dict[str, Any]]]:
        """One proof per distinct passage, and one sidecar row per triple."""
        proofs: dict[str, Proof] = {}
        triples = []
        for position, (triple, score) in enumerate(zip(answer["proofs"], answer["scores"], strict=True)):
            passage = self.passages.get((answer["query"], answer["answer"], answer["unit"], position))
            if passage is None:
                continue
            origin = self._origin(passage["title"])
            new = Proof(passage["passage_text"], origin["url"] or "", f"{aid}__{len(proofs)}")
            proof = proofs.setdefault(passage["passage_id"], new)
            triples.append(
                _taken(self.question, *_OF_QUESTION)
                | _taken(answer, "answer", "answer_kind", "unit", "types", "confirmed")
                | _taken(triple, "subject", "property", "object", "title", "sentence")
                | {"aid": aid, "position": position, "pid": proof.pid, "passage_id": passage["passage_id"]}
                | {"sentence_index": triple["index"], "score": score, **origin}
            )
        return list(proofs.values()), triples


def _known(records: pa.Table) -> str:
    """How complete the lists are, in a sentence."""
    shares = sorted(share for share in records["known_share"].to_pylist() if share is not None)
    if not shares:
        return "For no question of this release all answers that the statements hold were counted."
    held = ", ".join(f"{sum(s >= percent / 100 for s in shares)} hold at least {percent} %" for percent in HELD)
    return (
        f"The answers that the statements hold were all counted for {len(shares)} questions: {held} of them, the "
        f"median is {statistics.median(shares):.0%}. `known_share` in the sidecar says it of each."
    )


def _taken(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def stage(params: RecordParams | None = None) -> Stage:
    params = params or RecordParams()
    return Stage(
        name="qampari.records",
        shape=Join(on=(("query",),) * 6),
        kernel=partial(records, params=params),
        inputs=(
            RELEASED_QUESTIONS.name,
            WORDED.name,
            RELEASED_ANSWERS.name,
            ENTITY_PAGES.name,
            PROOF_PASSAGES.name,
            PAGE_ORIGINS.name,
        ),
        outputs=(RECORDS, SIDECAR),
        about="Release: one JSON record a question, and a sidecar with what the format lacks.",
    )


def release(records: pa.Table, sidecar: pa.Table, collection: Collection) -> Release:
    """What is written of RECORDS, SIDECAR and the passages; ReleaseError where two records have one qid."""
    given = Counter(dict(values(sidecar, "aid", "split")).values())
    asked = Counter(records["split"].to_pylist())
    facts = {
        "splits": "\n".join(
            card_row(split, [asked[split], given[split], f"{given[split] / asked[split]:.2f}"])
            for split in SPLITS
            if asked[split]
        ),
        "kinds": card_rows(sorted(Counter(records["kind"].to_pylist()).items())),
        "known": _known(records),
    }
    ordered = sidecar.select(SIDECAR.schema.names).sort_by([(name, "ascending") for name in SIDECAR.key])
    beside = {f"{SIDECAR.name}.parquet": ordered}
    return Release(LAYOUT, splits_of(records), facts, beside, _retrieval(records, sidecar, collection))


def _retrieval(records: pa.Table, sidecar: pa.Table, collection: Collection) -> Retrieval:
    """To each question belong the passages of its answers' proofs."""
    asked = {qid: json.loads(line)["question_text"] for qid, line in values(records, "qid", "record")}
    relevant: dict[tuple[str, str], dict[str, set[str]]] = {}
    for qid, split, passage in values(sidecar, "qid", "split", "passage_id"):
        relevant.setdefault(("", split), {}).setdefault(qid, set()).add(passage)
    return Retrieval(collection, asked, relevant)
