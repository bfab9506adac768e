"""The way back of an IfQA record: its question, how its answers were read, its passage and who asked it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.lineage import Lineage, Plot, Quote, Row, Tables, Trail, TrailStep, chosen, marks, told, votes
from stages.ifqa.release.records import COUNTERFACTUAL_RECORDS
from stages.ifqa.screening.screening import SCREENED
from stages.ifqa.tables import ANNOTATION, NORMALISED_ANSWERS, RELEASE

VERIFICATION = "verification"
"""The round in which people check questions."""
KINDS, ANSWERS, WORDS, ANSWER_WORDS, SOURCES = (
    "kinds of answers",
    "answers a question",
    "words of a question",
    "words of an answer",
    "who asked",
)
_ASKED = {ANNOTATION: "people in this build", RELEASE: "a released file"}


@dataclass(frozen=True)
class _Found:
    """What a batch of questions has in the other tables: readings and verdicts by question, screened by passage."""

    readings: Mapping[str, list[Row]]
    verdicts: Mapping[str, Row]
    screened: Mapping[str, Row]


def trails(root: Storage, manifest: BuildManifest, keys: Collection[str] | None = None) -> Iterator[Trail]:
    """Of the questions with these ids."""
    tables = Tables(root, manifest)
    for shard in tables.shards(COUNTERFACTUAL_RECORDS.name):
        rows = chosen(shard, keys, "question_id")
        if rows:
            ids = [row["question_id"] for row in rows]
            found = _Found(
                tables.by(NORMALISED_ANSWERS.name, "question_id", ids),
                tables.verdicts(VERIFICATION, ids),
                tables.one(SCREENED.name, "passage", (name for row in rows for name in row["passages"])),
            )
            yield from (_trail(row, found) for row in rows)


def _trail(row: Row, found: _Found) -> Trail:
    source = _ASKED.get(row["source"]) or str(row["source"])
    return Trail(
        key=row["question_id"],
        record=row["question_id"],
        question=row["question"],
        answers=tuple(row["answers"]),
        split=row["full"],
        kind=row["kinds"][0],
        tags=(source,),
        confirmed=row["confirmed"],
        steps=(
            TrailStep(
                "splits",
                ("ifqa.splits",),
                told([("number", row["idx"]), ("full benchmark", row["full"]), ("few-shot benchmark", row["few"])]),
            ),
            TrailStep(
                "answers in normal form",
                ("ifqa.answer_processing",),
                tuple(_reading(answer) for answer in sorted(found.readings[row["question_id"]], key=_number)),
            ),
            TrailStep("3.2 verification", ("ifqa.verification",), votes(found.verdicts.get(row["question_id"]))),
            TrailStep(
                "3.1 the question",
                ("ifqa.writing",) if row["source"] == ANNOTATION else ("ifqa.parse", "ifqa.questions"),
                told([("asked by", source), ("file", row["file"]), ("its id there", row["given_id"])]),
            ),
            _passage(row, found.screened),
        ),
        measures={
            KINDS: (row["kinds"][0],),
            ANSWERS: (len(row["written"]),),
            WORDS: (len(row["question"].split()),),
            ANSWER_WORDS: tuple(len(answer.split()) for answer in row["written"]),
            SOURCES: (source,),
        },
    )


def _number(answer: Row) -> int:
    return int(answer["number"])


def _reading(answer: Row) -> tuple[str, str]:
    """What was made of an answer as written: its kind and its forms with the rule of each, or why it has none."""
    if answer["refusal"]:
        return answer["answer"], f"{answer['kind']}, left as it is: {answer['refusal'].replace('_', ' ')}"
    forms = (f"{form} ({rule})" for form, rule in zip(answer["forms"], answer["rules"], strict=True))
    return answer["answer"], f"{answer['kind']}: {', '.join(forms)}"


def _passage(row: Row, screened: Mapping[str, Row]) -> TrailStep:
    quotes = tuple(
        _quote(row, name, passage, screened.get(name))
        for name, passage in zip(row["passages"], row["context"], strict=True)
    )
    own = any(name in screened for name in row["passages"])
    stages = ("wikipedia.pages", "ifqa.passages", "ifqa.screening") if own else ("ifqa.parse",)
    return TrailStep("3.1 the passage", stages, quotes=quotes)


def _quote(row: Row, name: str, passage: str, screened: Row | None) -> Quote:
    seen: Sequence[tuple[str, object]] = (
        [
            ("score of the screening", float(screened["score"])),
            ("cues", screened["cues"]),
            ("reasons", screened["reasons"]),
            ("share of verbs in the past", float(screened["past"])),
        ]
        if screened
        else [("screened", "no: the question came with it")]
    )
    return Quote(
        text=passage,
        title=row["title"] or "",
        marks=marks(passage, row["answers"]),
        facts=told([("passage", name), *seen]),
    )


LINEAGE = Lineage(
    trails,
    tags="source",
    plots=(
        Plot(KINDS),
        Plot(ANSWERS, ends=(1, 2, 3, 4, 5)),
        Plot(WORDS, ends=(12, 15, 18, 21, 24, 27, 30, 35)),
        Plot(ANSWER_WORDS, unit="answers", ends=(1, 2, 3, 4, 5, 7, 10)),
        Plot(SOURCES),
    ),
)
