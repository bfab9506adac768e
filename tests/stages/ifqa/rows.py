"""Rows of questions for the tests of counterfactual questions."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stages.core.contract import Output
from stages.ifqa.tables import RAW_QUESTIONS, question_id

BRIDGE = "The bridge fell in 1936 because nobody had oiled its hinges."


def question_row(question: str = "If the bridge had held, what would stand?", **changes: Any) -> dict[str, Any]:
    row = {
        "question": question,
        "answers": ["the bridge"],
        "context": [BRIDGE],
        "passage": None,
        "title": None,
        "links": [],
        "source": "file",
        "file": "mine",
        "given_id": "",
        "confirmed": False,
    } | changes
    return {"question_id": question_id(row["question"], row["context"])} | row


def question_table(*rows: dict[str, Any]) -> pa.Table:
    return RAW_QUESTIONS.table(list(rows))


def reasons(output: Output) -> list[tuple[str, str]]:
    return sorted((row["key"], row["reason"]) for row in output.rejects.to_pylist())
