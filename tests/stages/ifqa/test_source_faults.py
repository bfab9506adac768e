"""The faults of files of questions, on rows made for them; the release's own counts are in test_parse.py."""

from __future__ import annotations

from typing import Any

from stages.ifqa.source_faults import SOURCE_FAULTS, faults, stage
from stages.ifqa.tables import READ_QUESTIONS
from tests.stages.ifqa.rows import question_row


def found(*rows: dict[str, Any]) -> tuple[list[tuple[Any, ...]], dict[str, float]]:
    output = faults(READ_QUESTIONS.table(list(rows)))
    table = output.tables["source_faults"].to_pylist()
    return sorted((row["fault"], row["value"][:12], *row["files"], row["rows"]) for row in table), dict(output.metrics)


def asked(number: int, file: str, **changes: Any) -> dict[str, Any]:
    passage = changes.pop("passage_text", f"Passage {number}.")
    return question_row(f"If {number} were?", context=[passage], file=file, given_id=str(number), **changes)


def test_sound_files_have_none() -> None:
    table, metrics = found(asked(1, "train"), asked(2, "dev"))
    assert table == [] and metrics["rows"] == metrics["distinct_questions"] == 2 and metrics["repeated_rows"] == 0


def test_repeated_and_shared() -> None:
    again = asked(1, "train") | {"given_id": "9"}
    third = asked(1, "dev")
    table, metrics = found(asked(1, "train"), again, third, asked(2, "dev", passage_text="Passage 1."))
    assert table == [
        ("repeated_question", "if 1 were", "train", 2),
        ("shared_passage", "Passage 1.", "dev", "train", 4),
        ("shared_question", "if 1 were", "dev", "train", 3),
    ]
    assert (metrics["repeated_rows"], metrics["shared_question_rows"], metrics["shared_passage_rows"]) == (1, 3, 4)


def test_first_rows_are_no_sample() -> None:
    full = [asked(number, "full") for number in range(30)]
    first = [asked(number, "few") for number in range(12)]
    table, _ = found(*full, *first)
    assert ("first_rows", "few < full", "few", "full", 12) in table
    sampled = [asked(number, "few") for number in range(0, 30, 2)]
    assert not any(row[0] == "first_rows" for row in found(*full, *sampled)[0])
    # Without ids that are numbers there is no first row.
    unnumbered = [row | {"given_id": ""} for row in first]
    assert not any(row[0] == "first_rows" for row in found(*full, *unnumbered)[0])


def test_iso_dates_are_counted() -> None:
    _, metrics = found(asked(1, "train", answers=["1936-07-20", "July 1936", "1936-07"]))
    assert (metrics["answers"], metrics["iso_dates"]) == (3, 2)


def test_the_stage_reads_what_was_read() -> None:
    assert (stage().inputs, stage().outputs) == (("read_questions",), (SOURCE_FAULTS,))


def test_rows_with_one_id_do_not_depend_on_their_order() -> None:
    rows = [asked(number, "few") | {"given_id": str(number // 2)} for number in range(12)]
    rows += [asked(number, "full") | {"given_id": str(number // 2)} for number in range(20)]
    assert found(*rows) == found(*rows[::-1])
    assert ("first_rows", "few < full", "few", "full", 12) in found(*rows)[0]
