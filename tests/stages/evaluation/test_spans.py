from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.evaluation.files import Predictions
from stages.evaluation.spans import GoldSpan, evaluate, evaluate_spans, read_gold_spans, read_spans
from stages.evaluation.squad import best_f1, exact_match, squad_form, support_f1, word_f1
from stages.release.format import ReleaseError

YEAR, NAME = ("1936",), ("the Golden Gate Bridge", "Golden Gate")
GOLD = [
    GoldSpan("0", "If it had opened a year earlier, when?", YEAR),
    GoldSpan("1", "If it were not there, which bridge would be missing?", NAME),
    GoldSpan("2", "If one fell, how many would there be?", ("two", "2")),
]


def test_case_articles_ascii_punctuation_and_spaces_do_not_count() -> None:
    assert squad_form("  The  U.S.  Army! ") == "us army"
    assert squad_form("an apple a day") == "apple day"
    assert squad_form("Athens") == "athens"


def test_the_rules_are_those_of_squad_where_ours_differ() -> None:
    # Only ASCII punctuation goes, and a name made of articles goes too.
    assert squad_form("1939–1945") == "1939–1945"
    assert squad_form("The The") == ""
    assert exact_match("1939-1945", ["1939–1945"]) == 0.0


def test_f1_counts_shared_words() -> None:
    # 2 of 3 predicted words are among the 4 wanted ones: 2*2/(3+4).
    assert word_f1(["san", "francisco", "bay"], ["golden", "gate", "san", "francisco"]) == pytest.approx(4 / 7)
    # A repeated word counts as often as it stands in both: 2*2/(3+2).
    assert word_f1(["new", "new", "york"], ["new", "york"]) == pytest.approx(4 / 5)
    assert word_f1(["bay"], ["gate"]) == 0.0
    assert (word_f1([], []), word_f1(["bay"], []), word_f1([], ["bay"])) == (1.0, 0.0, 0.0)


def test_the_best_answer_counts() -> None:
    # Against "golden gate bridge" 2*2/(3+3), against "golden gate" 2*2/(3+2).
    assert best_f1("golden gate park", NAME) == pytest.approx(4 / 5)
    assert exact_match("Golden Gate.", NAME) == 1.0
    assert best_f1("anything", []) == 0.0


@pytest.mark.parametrize(
    ("named", "wanted", "expected"),
    [((1, 2), (2, 1), 1), ((1,), (1, 2), 2 / 3), ((1, 1, 3), (1, 2), 0.5), ((), (1,), 0), ((3,), (), 0), ((), (), 1)],
)
def test_support_f1(named: tuple[int, ...], wanted: tuple[int, ...], expected: float) -> None:
    assert support_f1(named, wanted) == pytest.approx(expected)


def means(questions: int, exact: Any, f1: Any, value: Any) -> dict[str, Any]:
    return {"questions": questions, "exact": exact, "f1": f1, "value": value}


def test_a_report_by_hand() -> None:
    predictions = Predictions({"0": "1936", "1": "golden gate park", "9": "x"}, ("0",))
    report = evaluate_spans(GOLD, predictions, resamples=10)
    # Exact 1 + 0 + 0 and F1 1 + 0.8 + 0 over three questions.
    assert report.overall == means(3, pytest.approx(1 / 3), pytest.approx(1.8 / 3), pytest.approx(1 / 3))
    assert report.groups["by_kind"] == {
        "date": means(1, 1.0, 1.0, 1.0),
        "number": means(1, 0.0, 0.0, 0.0),
        "span": means(1, 0.0, pytest.approx(0.8), 0.0),
    }
    assert report.odd == {"missing": ("2",), "unknown": ("9",), "repeated": ("0",)}
    assert report.as_text().splitlines()[:3] == [
        "answer           questions      EM      F1   value",
        "all                      3    33.3    60.0    33.3",
        "date                     1   100.0   100.0   100.0",
    ]
    assert "missing: 1 (2)" in report.as_text()
    assert json.loads(json.dumps(report.as_dict()))["scores"][1]["question_id"] == "1"


@pytest.mark.parametrize(
    ("answer", "prediction", "exact", "value"),
    [
        # SQuAD's rules drop the signs that make these differ.
        ("1.5", "15", 1, 0),
        ("-5", "5", 1, 0),
        ("69.5%", "695", 1, 0),
        # One value in two ways of writing it.
        ("4,200,000,000", "4.2 billion", 0, 1),
        ("July 20, 1969", "20 July 1969", 0, 1),
        ("five percent", "5%", 0, 1),
        ("three hours", "180 hours", 0, 0),
        # Without a value the text itself is compared, all of it but its case.
        ("Golden Gate", "golden gate", 1, 1),
        ("the Golden Gate", "Golden Gate", 1, 0),
        ("3/4/2015", "3/4/2015", 1, 1),
        ("1936", "", 0, 0),
    ],
)
def test_the_value_tells_apart_what_punctuation_tells_apart(
    answer: str, prediction: str, exact: int, value: int
) -> None:
    report = evaluate_spans([GoldSpan("0", "If so?", (answer,))], Predictions({"0": prediction}), resamples=1)
    assert (report.overall["exact"], report.overall["value"]) == (exact, value)
    [averages] = report.groups["by_kind"].values()
    assert averages == report.overall


def test_the_passage_settles_the_value_of_both() -> None:
    passage = ("It happened on 3 April 2015.",)
    gold = [GoldSpan("0", "If so?", ("3 April 2015",), passage), GoldSpan("1", "If so?", ("3 April 2015",))]
    report = evaluate_spans(gold, Predictions({"0": "3/4/2015", "1": "3/4/2015"}), resamples=1)
    assert [score.value for score in report.scores] == [1.0, 0.0]


def test_the_order_of_the_questions_changes_nothing() -> None:
    predictions = Predictions({"0": "1936", "2": "two"})
    assert evaluate_spans(GOLD[::-1], predictions) == evaluate_spans(GOLD, predictions)


WORDS = st.text("ab ,.the–", max_size=12)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_scores_are_bounded_and_an_exact_match_has_full_f1(prediction: str, answers: list[str]) -> None:
    exact, f1 = exact_match(prediction, answers), best_f1(prediction, answers)
    assert 0 <= exact <= f1 <= 1
    assert exact == 1 or prediction not in answers


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_release_scored_against_itself_is_right(tmp_path: Path) -> None:
    rows = [{"idx": n, "question": "If so?", "answers": [str(n), "x"], "context": ["c"]} for n in range(3)]
    gold = written(tmp_path / "gold.json", rows)
    report = evaluate(gold, gold)
    assert (report.overall, report.odd["missing"]) == (means(3, 1.0, 1.0, 1.0), ())


@pytest.mark.parametrize(
    "value",
    [
        {"0": "1936", "1": ["Golden Gate", "other"]},
        [{"idx": 0, "answer": "1936"}, {"id": "1", "predictions": ["Golden Gate"]}],
        [{"qid": "0", "prediction": "1936"}, {"question_id": 1, "answers": "Golden Gate"}, {"idx": 1, "answer": "no"}],
    ],
)
def test_shapes_of_predictions(tmp_path: Path, value: Any) -> None:
    found = read_spans(written(tmp_path / "p.json", value))
    assert found.answers == {"0": "1936", "1": "Golden Gate"}
    assert found.repeated == (("1",) if len(value) == 3 else ())


def test_an_empty_answer_is_a_prediction(tmp_path: Path) -> None:
    found = read_spans(written(tmp_path / "p.json", {"0": None, "1": [], "2": ""}))
    assert found.answers == {"0": "", "1": "", "2": ""}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{"question": "q", "answers": ["a"]}], "entry 1: expected the question's id under 'idx'"),
        ([{"idx": True, "question": "q", "answers": ["a"]}], "got True"),
        ([{"idx": 1, "answers": ["a"]}], "expected a text under 'question'"),
        ([{"idx": 1, "question": "q", "answers": []}], "at least one under 'answers'"),
        ([{"idx": 1, "question": "q", "answers": [3]}], "list of texts under 'answers'"),
        ([{"idx": 1, "question": "q", "answers": "a"}] * 2, "'1' appears twice"),
        ([], "holds no question"),
    ],
)
def test_gold_of_another_shape(tmp_path: Path, value: Any, message: str) -> None:
    gold = written(tmp_path / "gold.json", value)
    with pytest.raises(ReleaseError, match=message):
        evaluate(gold, written(tmp_path / "p.json", {"1": "a"}))


def test_predictions_without_an_answer(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="entry 1: expected an answer under 'answer'"):
        read_spans(written(tmp_path / "p.json", [{"idx": 1, "text": "a"}]))


def test_one_bad_prediction_does_not_stop_a_file_and_a_mark_of_byte_order_is_none(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('\ufeff{"idx": "0", "answer": "1936"}\n{"idx": "1", "text": "a"}\n', encoding="utf-8")
    found = read_spans(path)
    assert found.answers == {"0": "1936"}
    assert len(found.unread) == 1 and "line 2" in found.unread[0]
    assert found.unmatched(["0", "1"])["unread"] == found.unread


def test_the_real_dev_set_against_itself(shared_data: Path) -> None:
    gold = shared_data / "ifqa" / "full_dev.json"
    report = evaluate(gold, gold)
    assert [report.overall[name] for name in ("questions", "exact", "f1")] == [700, 1.0, 1.0]
    assert len(read_gold_spans(gold)) == 700
    kinds = {kind: found["questions"] or 0 for kind, found in report.groups["by_kind"].items()}
    assert kinds["span"] > kinds["date"] > 50
