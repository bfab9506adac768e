"""Scores of predicted answers: by hand, and gold against itself on released questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.metrics.answers import bootstrap_interval, evaluate, evaluate_answers, score_question
from stages.metrics.files import GoldQuestion, PredictionError, Predictions
from stages.release.format import read_release

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
    assert report.overall.precision == pytest.approx(2 / 3)
    assert report.overall.recall == pytest.approx(0.5)
    assert report.overall.f1 == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert report.overall.share_recall_80 == pytest.approx(1 / 3)
    assert report.overall.share_f1_50 == pytest.approx(2 / 3)
    assert report.by_kind["simple"].questions == 2
    assert report.by_kind["comp"].f1 == 1.0
    assert report.missing == ("2__simple__dev",)
    assert report.unknown == ("9__x__dev",)


def test_questions_without_an_answer_text_are_left_out() -> None:
    report = evaluate_answers([gold("1__x__dev", ""), gold("2__x__dev", "a1")], Predictions({"2__x__dev": ("a1",)}))
    assert report.overall.questions == 1
    assert report.unscorable == ("1__x__dev",)
    assert report.overall.f1 == 1.0


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(PredictionError, match="no gold question has an answer"):
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
    assert report.overall.questions == 85
    assert report.overall.precision == report.overall.recall == report.overall.f1 == 1.0
    assert report.f1_interval == (1.0, 1.0)


def test_gold_against_itself_on_released_questions_of_all_kinds(shared_data: Path) -> None:
    path = shared_data / "qampari" / "dev_sample_500.json"
    report = evaluate(path, path, resamples=10)
    assert {kind: averages.questions for kind, averages in report.by_kind.items()} == {
        "wikidata_comp": 101,
        "wikidata_intersection": 103,
        "wikidata_simple": 209,
        "wikitables_composition": 48,
        "wikitables_simple": 39,
    }
    assert report.overall.precision == report.overall.recall == report.overall.f1 == 1.0


def test_distinct_answers_of_released_questions(shared_data: Path) -> None:
    path = shared_data / "qampari" / "dev_sample_500.json"
    report = evaluate(path, path, resamples=1)
    # The file has 7,280 groups of aliases, 3 of them blank; a one-line count of distinct lower-cased texts
    # without punctuation and articles, written apart from this code, gives 6,508 with the blank ones.
    assert sum(score.gold for score in report.scores) == 6505


def test_any_alias_will_do_on_released_records(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "qampari" / "released_format_dev_tables.jsonl"
    rows = [
        {"id": record.qid, "predictions": [answer.aliases[-1].upper() for answer in record.answer_list]}
        for record in read_release(path)
    ]
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report = evaluate(path, file, resamples=10)
    assert report.overall.precision == 1.0
    assert report.overall.recall > 0.99


def test_one_split_only(tmp_path: Path) -> None:
    file = tmp_path / "gold.json"
    file.write_text('[{"id": "1__x__dev", "answers": [["a1"]]}, {"id": "2__x__test", "answers": [["b1"]]}]')
    report = evaluate(file, file, split="test")
    assert [score.qid for score in report.scores] == ["2__x__test"]
    assert report.unknown == ("1__x__dev",)
    with pytest.raises(PredictionError, match="holds no question of the split 'train'"):
        evaluate(file, file, split="train")


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
