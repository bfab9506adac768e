"""Scores of predicted answers: by hand, and gold against itself on released questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.evaluation.files import Predictions
from stages.evaluation.report import bootstrap_interval, some_of
from stages.qampari.metrics.metrics import (
    GoldQuestion,
    evaluate,
    evaluate_answers,
    read_answers,
    read_gold,
    score_question,
)
from stages.qampari.release.format import AnswersRecord
from stages.release.format import ReleaseError, read_records

TEXTS = st.text(alphabet="ab the.", max_size=6)


def gold(qid: str, *answers: str) -> GoldQuestion:
    return GoldQuestion(qid, tuple(tuple(answer.split("|")) for answer in answers))


def test_scores_by_hand() -> None:
    question = gold("7__wikidata_simple__dev", "Jaws", "The Goonies|Goonies", "Hook", "Duel")
    score = score_question(question, ["jaws", "Jaws.", "goonies", "E.T."])
    assert (score.matched, score.predicted, score.gold) == (2, 3, 4)
    assert score.precision == pytest.approx(2 / 3)
    assert score.recall == 0.5
    assert score.f1 == pytest.approx(4 / 7)
    assert score.kind == "wikidata_simple"


def test_empty_and_wrong_predictions_score_zero() -> None:
    question = gold("1__x__dev", "Jaws")
    for predictions in ([], ["", "  "], ["Hook"]):
        score = score_question(question, predictions)
        assert (score.precision, score.recall, score.f1) == (0.0, 0.0, 0.0)


def test_report_by_hand() -> None:
    questions = [gold("1__simple__dev", "a1", "b1"), gold("2__simple__dev", "c1"), gold("3__comp__dev", "d1", "e1")]
    predictions = Predictions({"1__simple__dev": ("a1",), "3__comp__dev": ("d1", "e1"), "9__x__dev": ("z",)})
    report = evaluate_answers(questions, predictions)
    assert report.overall["precision"] == pytest.approx(2 / 3)
    assert report.overall["recall"] == pytest.approx(0.5)
    assert report.overall["f1"] == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert report.overall["share_recall_80"] == pytest.approx(1 / 3)
    assert report.overall["share_f1_50"] == pytest.approx(2 / 3)
    assert report.groups["by_kind"]["simple"]["questions"] == 2
    assert report.groups["by_kind"]["comp"]["f1"] == 1.0
    assert report.odd["missing"] == ("2__simple__dev",)
    assert report.odd["unknown"] == ("9__x__dev",)


def test_questions_without_an_answer_text_are_left_out() -> None:
    report = evaluate_answers([gold("1__x__dev", ""), gold("2__x__dev", "a1")], Predictions({"2__x__dev": ("a1",)}))
    assert report.overall["questions"] == 1
    assert report.odd["unscorable"] == ("1__x__dev",)
    assert report.overall["f1"] == 1.0


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(ReleaseError, match="no gold question has an answer"):
        evaluate_answers([gold("1__x__dev", "")], Predictions({}))


def test_texts_and_dicts_of_a_report() -> None:
    report = evaluate_answers(
        [gold("1__simple__dev", "a1")], Predictions({"1__simple__dev": ("a1",)}, ("1__simple__dev",))
    )
    text = report.as_text()
    assert "simple                           1      100.0   100.0   100.0   100.0    100.0" in text
    assert "repeated: 1 (1__simple__dev)" in text
    assert json.loads(json.dumps(report.as_dict()))["overall"]["f1"] == 1.0


def test_gold_against_itself_on_released_records(shared_data: Path) -> None:
    path = shared_data / "qampari" / "released_format_dev_tables.jsonl"
    report = evaluate(path, path, resamples=10)
    assert report.overall["questions"] == 85
    assert report.overall["precision"] == report.overall["recall"] == report.overall["f1"] == 1.0
    assert report.more["f1_interval"] == (1.0, 1.0)


def test_gold_against_itself_on_released_questions_of_all_kinds(shared_data: Path) -> None:
    path = shared_data / "qampari" / "dev_sample_500.json"
    report = evaluate(path, path, resamples=1)
    assert {kind: found["questions"] for kind, found in report.groups["by_kind"].items()} == {
        "wikidata_comp": 101,
        "wikidata_intersection": 103,
        "wikidata_simple": 209,
        "wikitables_composition": 48,
        "wikitables_simple": 39,
    }
    assert report.overall["precision"] == report.overall["recall"] == report.overall["f1"] == 1.0
    # The file has 7,280 groups of aliases, 3 of them blank; a one-line count of distinct lower-cased texts
    # without punctuation and articles, written apart from this code, gives 6,508 with the blank ones.
    assert sum(score.gold for score in report.scores) == 6505


def test_any_alias_will_do_on_released_records(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "qampari" / "released_format_dev_tables.jsonl"
    rows = [
        {"id": record.qid, "predictions": [answer.aliases[-1].upper() for answer in record.answer_list]}
        for record in read_records(path, AnswersRecord)
    ]
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report = evaluate(path, file, resamples=10)
    assert report.overall["precision"] == 1.0
    assert report.overall["recall"] > 0.99


def test_bootstrap_interval() -> None:
    assert bootstrap_interval([0.5, 0.5], 20, seed=1) == (0.5, 0.5)
    low, high = bootstrap_interval([0.0, 1.0] * 50, 500, seed=3)
    assert 0.35 < low < 0.5 < high < 0.65
    assert (low, high) == bootstrap_interval([0.0, 1.0] * 50, 500, seed=3)
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_interval([1.0], 0, seed=0)


@given(st.lists(st.lists(TEXTS, max_size=3).map(tuple), max_size=5).map(tuple), st.lists(TEXTS, max_size=6))
def test_scores_are_shares_and_f1_lies_between(answers: tuple[tuple[str, ...], ...], predictions: list[str]) -> None:
    score = score_question(GoldQuestion("q", answers), predictions)
    assert 0 <= score.precision <= 1
    assert 0 <= score.recall <= 1
    assert min(score.precision, score.recall) - 1e-12 <= score.f1 <= max(score.precision, score.recall) + 1e-12


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=3).map(tuple), max_size=5).map(tuple))
def test_gold_against_itself_is_perfect(answers: tuple[tuple[str, ...], ...]) -> None:
    score = score_question(GoldQuestion("q", answers), [group[0] for group in answers if group[0].strip()])
    if all(group[0].strip() for group in answers) and score.gold:
        assert (score.precision, score.recall, score.f1) == (1.0, 1.0, 1.0)


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
    assert read_answers(write(tmp_path, text)).answers == {"q1": ("a", "b"), "q2": ()}


def test_one_line_is_an_entry_and_no_mapping(tmp_path: Path) -> None:
    assert read_answers(write(tmp_path, '{"qid": "q1", "answers": ["a"]}')).answers == {"q1": ("a",)}


def test_the_first_of_repeated_qids_counts(tmp_path: Path) -> None:
    lines = [{"qid": "q1", "answers": ["a"]}, {"qid": "q1", "answers": ["a"]}, {"qid": "q1", "answers": []}]
    predictions = read_answers(write(tmp_path, "\n".join(map(json.dumps, lines))))
    assert predictions.answers == {"q1": ("a",)}
    assert predictions.repeated == ("q1",)


def test_alias_lists_stand_for_their_first(tmp_path: Path) -> None:
    assert read_answers(write(tmp_path, '{"q1": [["a", "b"], []]}')).answers == {"q1": ("a",)}


def test_line_separators_inside_strings(tmp_path: Path) -> None:
    text = '{"qid": "q1", "answers": ["a\u2028b"]}\n{"qid": "q2", "answers": []}'
    assert read_answers(write(tmp_path, text)).answers["q1"] == ("a\u2028b",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"qid"\n{"qid"', "line 1: expected one JSON object a line"),
        ('{"qid": 4, "answers": ["a"]}', "entry 1: expected the question's id as a string"),
        ('{"qid": "q1", "answers": "Paris"}', "entry 1: expected a list of answers .* got str"),
        ('{"qid": "q1"}', "expected a list of answers .* got NoneType"),
        ('{"q1": [1]}', "key 'q1': expected each answer as a string or a list of strings, got 1"),
        ('["q1"]', "entry 1: expected a JSON object, got str"),
        (f'{{"qid": {"1" * 5000}}}', "file.json: expected JSON in UTF-8"),
    ],
)
def test_wrong_files_are_named_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReleaseError, match=message):
        read_answers(write(tmp_path, text))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"qid"', "line 2: expected one JSON object a line"),
        ("[1]", "line 2: expected a JSON object, got list"),
        (f'{{"qid": {"1" * 5000}}}', "line 2: expected one JSON object a line"),
        ('{"qid": "q2", "answers": "Paris"}', "line 2: expected a list of answers"),
    ],
)
def test_one_bad_line_is_left_out_and_told(tmp_path: Path, line: str, message: str) -> None:
    found = read_answers(write(tmp_path, f'{{"qid": "q1", "answers": ["a"]}}\n{line}\n{{"qid": "q3", "answers": []}}'))
    assert list(found.answers) == ["q1", "q3"]
    assert len(found.unread) == 1 and message in found.unread[0]


def test_an_empty_file_holds_no_predictions(tmp_path: Path) -> None:
    assert read_answers(write(tmp_path, "")).answers == {}


def test_a_repeated_gold_question_is_an_error(tmp_path: Path) -> None:
    text = '{"id": "q1", "answers": [["a"]]}\n{"id": "q1", "answers": [["a"]]}'
    with pytest.raises(ReleaseError, match="line 2: the qid 'q1' appears twice"):
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
    with pytest.raises(ReleaseError, match=r"entry 1: .*missing required field"):
        read_gold(write(tmp_path, '{"qid": "1__x__dev", "answer_list": []}'))


def test_all_of_a_few_ids_and_the_first_of_many() -> None:
    assert some_of(["a"]) == "1 (a)"
    assert some_of(list("abcde")) == "5 (a, b, c, d, e)"
    assert some_of(list("abcdefg")) == "7 (a, b, c, d, e and 2 more)"
