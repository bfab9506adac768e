"""Scores of composed questions, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.metrics.files import PredictionError
from stages.metrics.multihop import evaluate, evaluate_multihop
from stages.metrics.multihop_files import (
    GoldMultihop,
    MultihopPredictions,
    PredictedMultihop,
    read_gold_multihop,
    read_multihop_predictions,
)
from tests.stages.release.test_multihop import by_hand


def gold(name: str, number: int = 0, answerable: bool = True, **more: Any) -> GoldMultihop:
    fields: dict[str, Any] = {"shape": "2hop", "hops": 2, "answers": ("Jean Paul", "J. P."), "supports": {0, 1}}
    fields |= more
    return GoldMultihop(
        (name, number),
        fields["shape"],
        fields["hops"],
        fields["answers"],
        frozenset(fields["supports"]),
        answerable,
    )


def said(answer: str, supports: set[int] | None = None, answerable: bool | None = True) -> PredictedMultihop:
    return PredictedMultihop(answer, frozenset(supports or ()), answerable)


def test_answers_and_supports_of_answerable_records() -> None:
    """a: "the jean" of "jean paul": F1 2/3; supports {0, 5} of {0, 1}: 1/2. b: an alias, exactly; 1 of 2: F1 2/3."""
    predictions = MultihopPredictions({("a", 0): said("the Jean", {0, 5}), ("b", 0): said("the J P", {1})})
    report = evaluate_multihop([gold("a"), gold("b", shape="3hop1", hops=3)], predictions)
    assert report.overall.questions == 2
    assert report.overall.answer_f1 == pytest.approx((2 / 3 + 1) / 2)
    assert report.overall.answer_em == 0.5
    assert report.overall.support_f1 == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert (report.overall.pairs, report.overall.told) == (0, None)
    assert report.by_hops["3"].answer_em == 1
    assert report.by_shape["2hop"].answer_f1 == pytest.approx(2 / 3)


def full() -> list[GoldMultihop]:
    return [gold("a"), gold("a", 1, False, supports={0}), gold("b", 0, False, supports={1}), gold("b", 1)]


def test_pairs_score_only_where_both_are_told_rightly() -> None:
    """a: both right, F1 2/3 and supports right; b: the contrast is taken for answerable, so the answer is lost."""
    predictions = MultihopPredictions(
        {
            ("a", 0): said("Paul", {0, 1}),
            ("a", 1): said("whatever", {7}, False),
            ("b", 0): said("x", set(), True),
            ("b", 1): said("Jean Paul", {0}),
        }
    )
    scores = evaluate_multihop(full(), predictions).overall
    assert (scores.questions, scores.pairs, scores.told) == (2, 2, 0.5)
    assert scores.answer_f1 == pytest.approx((2 / 3 + 1) / 2)
    assert scores.group_answer_sufficiency_f1 == pytest.approx(2 / 3 / 2)
    assert scores.group_answer_sufficiency_em == 0
    assert scores.group_support_sufficiency_f1 == 0.5
    assert scores.support_f1 == pytest.approx((1 + 2 / 3) / 2)


def test_what_is_missing_scores_nothing_and_what_is_unknown_counts_for_nothing() -> None:
    predictions = MultihopPredictions({("a", 0): said("Jean Paul", {0, 1}), ("a", 1): said("x"), ("z", 0): said("x")})
    report = evaluate_multihop(full(), predictions)
    assert (report.missing, report.unknown) == (("b",), ("z",))
    assert report.overall.answer_em == 0.5
    # Nothing said the contrast of "a" was not answerable.
    assert report.overall.told == 0


def test_a_record_without_its_contrast_is_in_no_pair() -> None:
    records = [gold("a"), gold("a", 1, False), gold("b")]
    predictions = MultihopPredictions({record.key: said("Jean Paul", {0, 1}, record.answerable) for record in records})
    report = evaluate_multihop(records, predictions)
    assert (report.overall.questions, report.overall.pairs, report.unpaired) == (2, 1, ("b",))
    assert "unpaired: 1 (b)" in report.as_text()


def test_a_full_file_needs_to_hear_what_is_answerable() -> None:
    with pytest.raises(PredictionError, match="predicted_answerable"):
        evaluate_multihop(
            full(), MultihopPredictions({("a", number): said("x", answerable=None) for number in range(2)})
        )
    only = MultihopPredictions({("a", 0): said("Jean Paul", {0, 1}, None)})
    assert evaluate_multihop([gold("a")], only).overall.answer_em == 1


@pytest.mark.parametrize(
    ("places", "supports", "message"),
    [
        ([0], {0}, "a: 1 predictions for 2 records"),
        ([0, 1, 2], {0}, "a: 3 predictions for 2 records"),
        ([], set(), "empty"),
        ([0, 1], {0, 20}, "a: no paragraph 20 .* shows 20"),
        ([0, 1], {-1}, "a: no paragraph -1"),
    ],
)
def test_predictions_fit_the_records_of_a_full_file(places: list[int], supports: set[int], message: str) -> None:
    """Each record of `full` shows the paragraphs 0 to 19, and "a" has two of them."""
    predictions = MultihopPredictions({("a", number): said("x", supports) for number in places})
    with pytest.raises(PredictionError, match=message):
        evaluate_multihop(full(), predictions)


def contrast() -> dict[str, Any]:
    record = by_hand() | {"answerable": False}
    record["question_decomposition"][0]["paragraph_support_idx"] = None
    record["paragraphs"][2]["is_supporting"] = False
    return record


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_files_of_gold_and_predictions(tmp_path: Path) -> None:
    path = write(tmp_path / "full.jsonl", [contrast(), by_hand()])
    assert [record.key for record in read_gold_multihop(path)] == [("2hop__7_a:b", 0), ("2hop__7_a:b", 1)]
    own = evaluate(path, path)
    assert (own.overall.answer_em, own.overall.told, own.overall.group_support_sufficiency_f1) == (1, 1, 1)
    rows = [
        {"id": "2hop__7_a:b", "predicted_answer": "", "predicted_support_idxs": [], "predicted_answerable": False},
        {
            "id": "2hop__7_a:b",
            "predicted_answer": "Nor",
            "predicted_support_idxs": [0, 1],
            "predicted_answerable": True,
        },
    ]
    report = evaluate(path, write(tmp_path / "said.jsonl", rows))
    # "Nor" is the alias "the Nor" without its article.
    assert (report.overall.answer_em, report.overall.support_f1, report.overall.told) == (1, 0.5, 1)
    assert json.loads(json.dumps(report.as_dict()))["by_shape"]["2hop"]["pairs"] == 1
    assert "An+Sf" in report.as_text()


def test_an_object_of_answers_is_enough_for_answerable_questions(tmp_path: Path) -> None:
    said_path = tmp_path / "said.json"
    said_path.write_text(json.dumps({"2hop__7_a:b": "Norland"}))
    report = evaluate(write(tmp_path / "ans.jsonl", [by_hand()]), said_path)
    assert (report.overall.answer_em, report.overall.support_f1) == (1, 0)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"predicted_answer": "x"}, "id"),
        ({"id": 7, "predicted_answer": "x"}, "id"),
        ({"id": "a"}, "predicted_answer"),
        ({"id": "a", "predicted_answer": "x", "predicted_support_idxs": ["0"]}, "predicted_support_idxs"),
        ({"id": "a", "predicted_answer": "x", "predicted_support_idxs": [True]}, "predicted_support_idxs"),
        ({"id": "a", "predicted_answer": "x", "predicted_answerable": "yes"}, "predicted_answerable"),
    ],
)
def test_predictions_of_another_shape_are_refused_with_their_place(
    row: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(PredictionError, match=f"line 2.*{told}"):
        read_multihop_predictions(write(tmp_path / "said.jsonl", [{"id": "b", "predicted_answer": "y"}, row]))


def test_gold_files_of_another_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PredictionError, match="twice"):
        read_gold_multihop(write(tmp_path / "gold.jsonl", [by_hand(), by_hand()]))
    with pytest.raises(PredictionError, match="entry 1"):
        read_gold_multihop(write(tmp_path / "gold.jsonl", [{"id": "2hop__1_2"}]))
    with pytest.raises(PredictionError, match="no answerable question"):
        evaluate(write(tmp_path / "gold.jsonl", [contrast()]), tmp_path / "gold.jsonl")


def test_paragraphs_that_are_no_objects_support_nothing(tmp_path: Path) -> None:
    row = {"id": "a", "answer": "x", "paragraphs": ["text", {"idx": 3, "is_supporting": True}, {"idx": 4}]}
    path = tmp_path / "said.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    assert read_multihop_predictions(path).by_key == {("a", 0): PredictedMultihop("x", frozenset({3}), None)}
