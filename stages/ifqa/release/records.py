"""Stages `ifqa.records` and `ifqa.records_contexts`: finished questions, and the passages they are about."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import pyarrow as pa

from stages.core.columns import flag, number, text, texts, values
from stages.core.contract import Join, Output, Stage, TableSpec, Whole
from stages.core.splits import SPLITS
from stages.evaluation import squad
from stages.ifqa.release import harness
from stages.ifqa.splits import CONFIGS, QUESTION_SPLITS
from stages.ifqa.tables import KEPT_QUESTIONS, NORMALISED_ANSWERS
from stages.release.beir import Retrieval
from stages.release.card import Facts, by_split, card_row, card_rows, totals
from stages.release.corpus import Collection, text_id
from stages.release.export import Layout, Release, SplitFile, rows_of
from stages.release.format import Record, need
from stages.release.harness import Harness


class CounterfactualRecord(Record, frozen=True):
    """One question about its passages."""

    ID: ClassVar[str] = "idx"

    idx: Annotated[int, "the question's number in the whole release, the same in both benchmarks"]
    question: Annotated[str, "supposes something that did not happen, and asks what follows"]
    answers: Annotated[
        list[str],
        "as people wrote them, then their canonical forms: dates in ISO 8601 or EDTF at the precision that was given, "
        "numbers as digits and in words, with and without the passage's unit, names as the titles of their pages",
    ]
    context: Annotated[list[str], "the passages that the question was asked about"]

    @property
    def identity(self) -> str:
        return str(self.idx)

    def check(self) -> None:
        """Every question has a text, a passage and an answer, and no answer twice."""
        need(self.idx >= 0, "idx", f"0 or more, got {self.idx}")
        need(bool(self.question.strip()), "question", "a text")
        need(bool(self.answers) and all(answer.strip() for answer in self.answers), "answers", "at least one text")
        need(len(set(self.answers)) == len(self.answers), "answers", "each answer once")
        need(bool(self.context) and all(text.strip() for text in self.context), "context", "at least one passage")


COUNTERFACTUAL_RECORDS = TableSpec(
    name="records",
    schema=pa.schema(
        [
            text("question_id"),
            number("idx"),
            text("question"),
            *map(texts, ("answers", "context")),
            *map(text, ("full", "few")),
            *map(texts, ("written", "kinds", "canonical", "refusals")),
            pa.field("title", pa.string()),
            texts("passages"),
            *map(text, ("source", "file", "given_id")),
            flag("confirmed"),
        ]
    ),
    key=("question_id",),
)
"""One row per question of the benchmark.

idx, question, answers, context: the released record.
full, few: its split in each benchmark.
written, kinds, canonical, refusals: in parallel: each answer as written, its kind, its canonical form (null where it
    has none), and why it has none (null where it has one).
passages: ids of the context's passages in the corpus; title: of their page, null where unknown.
source, file, given_id, confirmed: as in RAW_QUESTIONS.
"""

CONTEXTS = TableSpec(
    name="contexts",
    schema=pa.schema([text("passage"), pa.field("title", pa.string()), text("text")]),
    key=("passage",),
)
"""The passages of questions whose context is not part of this build's own corpus."""

LAYOUT = Layout(
    CounterfactualRecord,
    (),
    "counterfactuals.md",
    CONFIGS,
    "json",
    searched=CONFIGS,
    harness=Harness("counterfactuals.yaml", CONFIGS, (squad, harness)),
)


def records(questions: pa.Table, answers: pa.Table, splits: pa.Table) -> Output:
    """COUNTERFACTUAL_RECORDS from one bucket of RAW_QUESTIONS, NORMALISED_ANSWERS and QUESTION_SPLITS by question_id.

    Metrics: records, confirmed, and answers that are other forms of what was written.
    """
    split_of = {row["question_id"]: row for row in splits.to_pylist()}
    normalised: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(answers.to_pylist(), key=lambda row: row["number"]):
        normalised[row["question_id"]].append(row)
    rows = [_row(row, normalised[row["question_id"]], split_of[row["question_id"]]) for row in questions.to_pylist()]
    metrics = {
        "records": len(rows),
        "confirmed": sum(row["confirmed"] for row in rows),
        "other_forms": sum(len(row["answers"]) - len(row["written"]) for row in rows),
    }
    return Output(
        {COUNTERFACTUAL_RECORDS.name: COUNTERFACTUAL_RECORDS.table(rows)},
        metrics={name: float(count) for name, count in metrics.items()},
    )


def _row(question: Mapping[str, Any], answers: Sequence[Mapping[str, Any]], place: Mapping[str, Any]) -> dict[str, Any]:
    written = [answer["answer"] for answer in answers]
    forms = [form for answer in answers for form in answer["forms"]]
    row = {
        **{name: question[name] for name in ("question_id", "question", "context", "title", "source")},
        **{name: question[name] for name in ("file", "given_id", "confirmed")},
        **{name: place[name] for name in ("idx", "full", "few")},
        "answers": list(dict.fromkeys([*written, *forms])),
        "written": written,
        "kinds": [answer["kind"] for answer in answers],
        "canonical": [next(iter(answer["forms"]), None) for answer in answers],
        "refusals": [answer["refusal"] for answer in answers],
        "passages": passage_ids(question),
    }
    record_of(row).check()
    return row


def passage_ids(question: Mapping[str, Any]) -> list[str]:
    """Corpus ids of a question's passages; one from outside the build's corpus is called by a hash of its text."""
    if question["passage"] is not None:
        return [question["passage"]]
    return [text_id("context", passage) for passage in question["context"]]


def record_of(row: Mapping[str, Any]) -> CounterfactualRecord:
    """The released record of a row of COUNTERFACTUAL_RECORDS."""
    return CounterfactualRecord(row["idx"], row["question"], row["answers"], row["context"])


def contexts(questions: pa.Table) -> Output:
    """CONTEXTS from RAW_QUESTIONS; one passage of several questions comes out once."""
    found: dict[str, dict[str, Any]] = {}
    for row in questions.sort_by("question_id").to_pylist():
        if row["passage"] is None:
            for passage, words in zip(passage_ids(row), row["context"], strict=True):
                # The page is known to some questions about a passage only.
                known = found.get(passage, {}).get("title")
                found[passage] = {"passage": passage, "title": known or row["title"], "text": words}
    return Output({CONTEXTS.name: CONTEXTS.table(list(found.values()))}, metrics={"contexts": float(len(found))})


def stage(questions: str = KEPT_QUESTIONS.name) -> Stage:
    """questions: the name of a table of RAW_QUESTIONS."""
    return Stage(
        name="ifqa.records",
        shape=Join(on=(("question_id",), ("question_id",), ("question_id",))),
        kernel=records,
        inputs=(questions, NORMALISED_ANSWERS.name, QUESTION_SPLITS.name),
        outputs=(COUNTERFACTUAL_RECORDS,),
        about="Release: one record a question, with all forms of its answers.",
    )


def contexts_stage(questions: str = KEPT_QUESTIONS.name) -> Stage:
    """questions: the name of a table of RAW_QUESTIONS."""
    return Stage(
        name="ifqa.records_contexts",
        shape=Whole(),
        kernel=contexts,
        inputs=(questions,),
        outputs=(CONTEXTS,),
        about="Release: passages that questions bring with them, for the corpus to search.",
    )


def release(records: pa.Table, collection: Collection) -> Release:
    """What is written of COUNTERFACTUAL_RECORDS, and the collection to search: the corpus, and CONTEXTS."""
    tables = {(config, split): rows_of(records, config, split) for config in CONFIGS for split in SPLITS}
    ordered = {place: rows.sort_by("idx") for place, rows in tables.items() if rows.num_rows}
    splits = [
        SplitFile(config, split, [record_of(row).line() for row in rows.to_pylist()], rows)
        for (config, split), rows in ordered.items()
    ]
    retrieval = Retrieval(
        collection,
        {str(idx): question for idx, question in values(records, "idx", "question")},
        {place: {str(idx): names for idx, names in values(rows, "idx", "passages")} for place, rows in ordered.items()},
    )
    return Release(LAYOUT, splits, card_facts(records), retrieval=retrieval)


def card_facts(records: pa.Table) -> Facts:
    """The card's fields from at least one row."""
    rows = records.to_pylist()
    kinds = Counter(kind for row in rows for kind in row["kinds"])
    return {
        "splits": "\n".join(
            card_row(config, _split_cells(split, own))
            for config in CONFIGS
            for split, own in by_split(rows, config).items()
        ),
        "kinds": card_rows(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        **totals(rows),
    }


def _split_cells(split: str, rows: Sequence[Mapping[str, Any]]) -> list[int | str]:
    written = [answer for row in rows for answer in row["written"]]
    return [
        split,
        len(rows),
        f"{sum(len(row['question'].split()) for row in rows) / len(rows):.1f}",
        f"{len(written) / len(rows):.2f}",
        f"{sum(len(row['answers']) for row in rows) / len(rows):.2f}",
        f"{sum(len(answer.split()) for answer in written) / len(written):.2f}",
        sum(row["confirmed"] for row in rows),
    ]
