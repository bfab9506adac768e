"""Questions from files: both shapes, bad records, and the release as it was handed out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import Output
from stages.ifqa.parse import parse, stage
from stages.ifqa.questions import distinct
from stages.ifqa.source import NAMED_RECORDS, QuestionFiles
from stages.ifqa.source_faults import faults
from stages.ifqa.tables import READ_QUESTIONS, question_id
from stages.ifqa.texts import TextLimits
from tests.stages.ifqa.rows import BRIDGE, reasons

ASKED = "If the bridge had held, what would stand?"


def run(*records: Any, file: str = "mine") -> Output:
    data = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    rows = [{"data": item, "error": None, "file": file} for item in data]
    return parse(pa.Table.from_pylist(rows, schema=NAMED_RECORDS), params=TextLimits())


def read(output: Output) -> list[dict[str, Any]]:
    return output.tables["read_questions"].to_pylist()


def released(**changes: Any) -> dict[str, Any]:
    return {"idx": 7, "question": ASKED, "answers": ["the bridge", "it"], "context": [BRIDGE]} | changes


def test_a_record_of_the_release() -> None:
    assert read(run(released(), file="full_train")) == [
        {
            "question_id": question_id(ASKED, [BRIDGE]),
            "question": ASKED,
            "answers": ["the bridge", "it"],
            "context": [BRIDGE],
            "passage": None,
            "title": None,
            "links": [],
            "source": "release",
            "file": "full_train",
            "given_id": "7",
            "confirmed": False,
        }
    ]


def test_a_neutral_record_says_more() -> None:
    links = ["oil_well", {"target": "Hinge", "anchor": "hinges"}, {"target": "a|b"}]
    more = {"question": ASKED, "answers": "it", "passage": BRIDGE, "title": "old_bridge", "links": links}
    [row] = read(run(more | {"confirmed": True}))
    assert (row["answers"], row["context"], row["title"]) == (["it"], [BRIDGE], "Old bridge")
    assert row["links"] == [{"target": "Oil well", "anchor": None}, {"target": "Hinge", "anchor": "hinges"}]
    assert (row["source"], row["given_id"], row["confirmed"]) == ("file", "", True)
    assert read(run(more | {"source": "a  class"}))[0]["source"] == "a class"


@pytest.mark.parametrize(
    ("record", "found"),
    [
        (b"{broken", ["broken_json"]),
        ([1], ["not_an_object"]),
        (released(idx="a b"), ["bad_idx"]),
        (released(question=None), ["no_question"]),
        (released(question="What stands?"), ["no_if"]),
        (released(answers=None), ["no_answer"]),
        (released(answers=[]), ["no_answer"]),
        (released(answers=["A"]), ["answer_is_nothing", "no_answer"]),
        (released(answers=["x"] * 21), ["too_many_answers"]),
        (released(context=None), ["no_context"]),
        (released(title="a|b"), ["bad_title"]),
        (released(title=7), ["bad_title"]),
        (released(links="Oil"), ["bad_links"]),
        (released(links=[{"anchor": "oil"}]), ["bad_links"]),
        (released(source=7), ["not_text"]),
    ],
)
def test_bad_records_are_rejected_and_counted(record: Any, found: list[str]) -> None:
    output = run(record, released())
    assert [reason for _, reason in reasons(output)] == found
    assert (len(read(output)), output.metrics["records"], output.metrics["bad_records"]) == (1, 2.0, 1.0)


def test_a_question_goes_on_without_an_answer_that_cannot_be_used() -> None:
    output = run(released(answers=["", "it", "it", "the", "x" * 1_000_000]))
    assert read(output)[0]["answers"] == ["it"]
    assert reasons(output) == [("mine:7", "answer_is_nothing"), ("mine:7", "answer_too_long")]
    assert output.metrics["repeated_answers"] == 1.0


def test_what_a_source_could_not_read_keeps_its_reason() -> None:
    rows = [{"data": None, "error": "truncated_input: it ends early", "file": "mine"}]
    output = parse(pa.Table.from_pylist(rows, schema=NAMED_RECORDS), params=TextLimits())
    assert [row["reason"] for row in output.rejects.to_pylist()] == ["truncated_input"]


def test_the_stage_reads_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([released()]))
    made = stage(QuestionFiles((str(path),)))
    assert made.source is not None and made.outputs == (READ_QUESTIONS,)
    [part] = made.source.parts()
    assert [made.call(table).metrics["records"] for table in made.source.read(part)] == [1.0]


@pytest.fixture(scope="module")
def real(shared_data: Path) -> pa.Table:
    source = QuestionFiles(tuple(str(shared_data / "ifqa" / f"full_{part}.json") for part in ("train", "dev")))
    outputs = [parse(table, params=TextLimits()) for part in source.parts() for table in source.read(part)]
    rejects = sorted((row["key"], row["reason"]) for output in outputs for row in output.rejects.to_pylist())
    # The answer "A" names a lettered thing; a metric that leaves out articles can only compare it with nothing.
    assert rejects == [("full_dev:448", "answer_is_nothing"), ("full_dev:448", "no_answer")]
    assert sum(output.metrics["records"] for output in outputs) == 3100
    return pa.concat_tables(output.tables["read_questions"] for output in outputs)


def test_the_faults_of_the_release(real: pa.Table) -> None:
    """Counted apart from this code too: 2,378 questions in 2,400 rows of train, nine of them among dev's 700."""
    assert faults(real).metrics == {
        "rows": 3099,
        "distinct_questions": 3068,
        "repeated_rows": 22,
        "repeated_question_values": 20,
        "repeated_question_rows": 42,
        "shared_question_values": 9,
        "shared_question_rows": 18,
        "shared_passage_values": 46,
        "shared_passage_rows": 89,
        "first_rows_values": 0,
        "answers": 3884,
        "iso_dates": 0,
    }


def test_the_release_is_left_with_each_question_once(real: pa.Table) -> None:
    output = distinct(real, output="kept_questions")
    assert output.metrics == {
        "questions": 3068,
        "repeated_same_answers": 29,
        "repeated_other_answers": 2,
        "repeated_other_passages": 0,
    }
    assert {row["reason"] for row in output.rejects.to_pylist()} == {"repeated_question"}
    assert output.rejects.num_rows == 31
