"""All questions, each once, whatever order they come in."""

from __future__ import annotations

import itertools
from typing import Any

from stages.ifqa.questions import distinct, kept_stage, stage
from tests.stages.ifqa.rows import question_row, question_table

ONE = "If the bridge had held, what would stand?"


def kept(*rows: dict[str, Any]) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    output = distinct(*(question_table(row) for row in rows), output="raw_questions")
    rejects = [(row["key"], row["detail"].partition(":")[0]) for row in output.rejects.to_pylist()]
    assert output.metrics["questions"] == output.tables["raw_questions"].num_rows
    return sorted(output.tables["raw_questions"].to_pylist(), key=lambda row: row["question"]), sorted(rejects)


def test_other_questions_stay() -> None:
    rows = [question_row(ONE), question_row("If it had not, what would stand?")]
    assert kept(*rows) == (sorted(rows, key=lambda row: row["question"]), [])


def test_of_one_wording_the_confirmed_and_then_the_fuller_stays_in_any_order() -> None:
    plain = question_row(ONE, given_id="1")
    fuller = question_row("If a bridge had held: what would stand", given_id="2", answers=["the bridge", "it"])
    elsewhere = question_row(ONE, given_id="3", context=["Another passage."], confirmed=True)
    for rows in itertools.permutations((plain, fuller, elsewhere)):
        found, rejects = kept(*rows)
        assert found == [elsewhere]
        assert rejects == [("mine:1", "other_passages, as mine"), ("mine:2", "other_passages, as mine")]
    assert kept(plain, fuller) == ([fuller], [("mine:1", "other_answers, as mine")])


def test_the_stages_differ_in_their_tables_only() -> None:
    first, second = stage(), kept_stage()
    assert first.inputs == ("read_questions", "written_questions") and second.inputs == ("verified_questions",)
    assert (first.outputs[0].name, second.outputs[0].name) == ("raw_questions", "kept_questions")
    table = question_table(question_row())
    assert (
        second.call(table).tables["kept_questions"].equals(first.call(table, table.slice(0, 0)).tables["raw_questions"])
    )
