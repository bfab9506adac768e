"""Released records of counterfactual questions: made, written and read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.counterfactuals.tables import same_question
from stages.release.counterfactual_records import contexts, contexts_stage, record_of, stage
from stages.release.counterfactuals import CounterfactualRecord, encode_counterfactuals, read_counterfactuals
from stages.release.format import ReleaseError
from tests.stages.counterfactuals.rows import question_row, question_table
from tests.stages.release.counterfactual_rows import QUESTIONS, finished

RECORD = {"idx": 1, "question": "If so?", "answers": ["it"], "context": ["It was not so."]}


def test_answers_as_written_come_first_then_their_other_forms() -> None:
    dates, numbers, names = finished().to_pylist()
    assert dates["answers"] == ["July 1937", "1937-07"]
    assert (dates["kinds"], dates["canonical"]) == (["date", "date"], ["1937-07", "1937-07"])
    assert numbers["answers"][:2] == ["two", "2"] and numbers["written"] == ["two"]
    assert (names["kinds"], names["canonical"], names["refusals"]) == (["span"], ["Ann"], [None])
    assert [row["full"] for row in (dates, numbers, names)] == ["train", "dev", "test"]
    assert numbers["confirmed"] and not dates["confirmed"]


def test_passages_from_outside_are_called_by_their_text() -> None:
    [_, numbers, _] = finished().to_pylist()
    table = contexts(question_table(*QUESTIONS)).tables["contexts"].to_pylist()
    by_id = {row["passage"]: row for row in table}
    assert [by_id[passage]["text"] for passage in numbers["passages"]] == numbers["context"]
    assert [by_id[passage]["title"] for passage in numbers["passages"]] == ["Bridge", "Bridge"]
    assert len(table) == 4


def test_a_passage_of_the_corpus_keeps_its_id() -> None:
    row = question_row(passage="Bridge#2", title="Bridge")
    assert finished([row], [("train", "train")]).to_pylist()[0]["passages"] == ["Bridge#2"]
    assert contexts(question_table(row)).tables["contexts"].num_rows == 0


def test_a_page_that_one_question_knows_is_known_to_all_on_its_passage() -> None:
    rows = [question_row("If so?"), question_row("If not?", title="Bridge"), question_row("If ever?")]
    assert [row["title"] for row in contexts(question_table(*rows)).tables["contexts"].to_pylist()] == ["Bridge"]


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = [record_of(row) for row in finished().to_pylist()]
    path = tmp_path / "train.json"
    path.write_text("".join(encode_counterfactuals(made)), encoding="utf-8")
    assert read_counterfactuals(path) == made
    assert [list(row) for row in json.loads(path.read_text())] == [["idx", "question", "answers", "context"]] * 3
    path.write_text("".join(encode_counterfactuals([])))
    assert read_counterfactuals(path) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"idx": "1"}, r"Expected `int`.*idx"),
        ({"idx": -1}, "record 1: idx: expected 0 or more"),
        ({"question": " "}, "record 1: question: expected a text"),
        ({"answers": []}, "record 1: answers: expected at least one text"),
        ({"answers": ["it", "it"]}, "record 1: answers: expected each answer once"),
        ({"context": [""]}, "record 1: context: expected at least one passage"),
        ({"more": 1}, "unknown field `more`"),
    ],
)
def test_other_files_are_refused_by_name(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([RECORD | changes]))
    with pytest.raises(ReleaseError, match=rf"(?s){path}.*{message}"):
        read_counterfactuals(path)


def test_two_records_of_one_idx_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([RECORD, RECORD]))
    with pytest.raises(ReleaseError, match="record 2: idx: expected one record of each, got 1 in record 1 too"):
        read_counterfactuals(path)


def test_the_real_files_can_be_read(shared_data: Path) -> None:
    read = read_counterfactuals(shared_data / "ifqa" / "full_train.json")
    assert len(read) == 2400 and len({same_question(record.question) for record in read}) == 2378
    assert isinstance(read[0], CounterfactualRecord)


def test_the_stages_read_what_is_kept() -> None:
    assert stage().inputs == ("kept_questions", "normalised_answers", "question_splits")
    assert contexts_stage().inputs == ("kept_questions",)
