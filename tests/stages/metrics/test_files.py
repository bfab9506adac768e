"""Reading gold and prediction files, and the messages about wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stages.metrics.files import PredictionError, first_of_each, once_each, read_gold, read_predictions


def write(folder: Path, text: str) -> Path:
    file = folder / "file.json"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "text",
    [
        '{"qid": "q1", "predictions": ["a", "b"]}\n\n{"id": "q2", "answers": []}\n',
        '[{"qid": "q1", "predictions": ["a", "b"]}, {"id": "q2", "predictions": []}]',
        '{"q1": ["a", "b"], "q2": []}',
    ],
)
def test_shapes_of_predictions(tmp_path: Path, text: str) -> None:
    assert read_predictions(write(tmp_path, text)).answers == {"q1": ("a", "b"), "q2": ()}


def test_one_line_is_an_entry_and_no_mapping(tmp_path: Path) -> None:
    assert read_predictions(write(tmp_path, '{"qid": "q1", "answers": ["a"]}')).answers == {"q1": ("a",)}


def test_the_first_of_repeated_qids_counts(tmp_path: Path) -> None:
    lines = [{"qid": "q1", "answers": ["a"]}, {"qid": "q1", "answers": ["b"]}, {"qid": "q1", "answers": []}]
    predictions = read_predictions(write(tmp_path, "\n".join(map(json.dumps, lines))))
    assert predictions.answers == {"q1": ("a",)}
    assert predictions.repeated == ("q1",)


def test_alias_lists_stand_for_their_first(tmp_path: Path) -> None:
    assert read_predictions(write(tmp_path, '{"q1": [["a", "b"], []]}')).answers == {"q1": ("a",)}


def test_line_separators_inside_strings(tmp_path: Path) -> None:
    text = '{"qid": "q1", "answers": ["a\u2028b"]}\n{"qid": "q2", "answers": []}'
    assert read_predictions(write(tmp_path, text)).answers["q1"] == ("a\u2028b",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"qid": "q1", "answers": ["a"]}\n{"qid"', "line 2: expected one JSON object a line"),
        ('{"qid": "q1", "answers": []}\n[1]', "line 2: expected a JSON object, got list"),
        ('{"qid": 4, "answers": ["a"]}', "entry 1: expected the question's id as a string"),
        ('{"qid": "q1", "answers": "Paris"}', "entry 1: expected a list of answers .* got str"),
        ('{"qid": "q1"}', "expected a list of answers .* got NoneType"),
        ('{"q1": [1]}', "key 'q1': expected each answer as a string or a list of strings, got 1"),
        ('["q1"]', "entry 1: expected a JSON object, got str"),
        (f'{{"qid": {"1" * 5000}}}', "file.json: expected JSON in UTF-8"),
        (f'{{"qid": "q1", "answers": []}}\n{{"qid": {"1" * 5000}}}', "line 2: expected one JSON object a line"),
    ],
)
def test_wrong_files_are_named_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PredictionError, match=message):
        read_predictions(write(tmp_path, text))


def test_an_empty_file_holds_no_predictions(tmp_path: Path) -> None:
    assert read_predictions(write(tmp_path, "")).answers == {}


def test_a_repeated_gold_question_is_an_error(tmp_path: Path) -> None:
    text = '{"id": "q1", "answers": [["a"]]}\n{"id": "q1", "answers": [["a"]]}'
    with pytest.raises(PredictionError, match="line 2: the qid 'q1' appears twice"):
        read_gold(write(tmp_path, text))


def test_gold_from_released_records(shared_data: Path) -> None:
    gold = read_gold(shared_data / "qampari" / "released_format_dev_tables.jsonl")
    assert len(gold) == 85
    assert gold[0].qid == "481__wikitables_simple__dev"
    assert gold[0].kind == "wikitables_simple"
    assert gold[0].answers[0] == ("Amazing Stories", "Amazing Stories")
    assert sum(len(question.answers) for question in gold) == 2039
    assert sum(len(question.proofs) for question in gold) <= 3492


def test_broken_released_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(PredictionError, match=r"entry 1: .*missing required field"):
        read_gold(write(tmp_path, '{"qid": "1__x__dev", "answer_list": []}'))


def test_gold_ids_come_once_and_the_first_prediction_counts() -> None:
    entries = [("line 1", "b", 1), ("line 2", "a", 2)]
    assert once_each(entries) == [1, 2]
    with pytest.raises(PredictionError, match="line 3: the qid 'b' appears twice in the gold file"):
        once_each([*entries, ("line 3", "b", 3)], called="qid")
    assert first_of_each([("b", 1), ("a", 2), ("b", 3), ("b", 4)]) == ({"b": 1, "a": 2}, ("b",))
