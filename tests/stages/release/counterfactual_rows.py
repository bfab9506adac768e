"""Finished counterfactual questions for the tests of their release."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stages.ifqa.answer_processing import normalised
from stages.ifqa.release.records import records
from stages.ifqa.splits import QUESTION_SPLITS
from stages.ifqa.titles import FOUND_TITLES
from tests.stages.ifqa.rows import question_row, question_table

QUESTIONS = [
    question_row("If it had opened a year later, when would it have opened?", answers=["July 1937", "1937-07"]),
    question_row(
        "If two more had fallen, how many would be left?",
        answers=["two"],
        context=["Of six bridges two fell.", "Four were left."],
        title="Bridge",
        confirmed=True,
    ),
    question_row("If it had not been oiled, who would be cross?", answers=["Ann"], context=["Ann had it oiled."]),
]
SPLITS = [("train", "test"), ("dev", "train"), ("test", "dev")]


def finished(questions: list[dict[str, Any]] = QUESTIONS, splits: list[tuple[str, str]] = SPLITS) -> pa.Table:
    table = question_table(*questions)
    answers = normalised(table, FOUND_TITLES.empty()).tables["normalised_answers"]
    places = [
        {"question_id": row["question_id"], "idx": idx, "full": full, "few": few}
        for idx, (row, (full, few)) in enumerate(zip(questions, splits, strict=True))
    ]
    return records(table, answers, QUESTION_SPLITS.table(places)).tables["records"].sort_by("idx")
