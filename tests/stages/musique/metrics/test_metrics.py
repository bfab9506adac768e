"""Scores of composed questions, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.musique.metrics.metrics import PredictedMultihop, evaluate, evaluate_multihop, read_multihop
from stages.musique.release.records import MultihopRecord, Paragraph
from stages.release.format import ReleaseError, read_records
from tests.stages.release.samples import MULTIHOP, as_lines, contrast

ID = "2hop__7_a:b"


def gold(name: str, answerable: bool = True, supports: frozenset[int] = frozenset({0, 1})) -> MultihopRecord:
    """A record of 20 paragraphs; its id begins with its shape."""
    paragraphs = [Paragraph(number, "", "", number in supports) for number in range(20)]
    return MultihopRecord(name, paragraphs, "?", [], "Jean Paul", ["J. P."], answerable)


A, B = "2hop__a", "2hop__b"


def said(answer: str, supports: set[Any] | None = None, answerable: bool | None = True) -> PredictedMultihop:
    return PredictedMultihop(answer, frozenset(supports or ()), answerable)


def test_answers_and_supports_of_answerable_records() -> None:
    """A: "the jean" of "jean paul": F1 2/3; supports {0, 5} of {0, 1}: 1/2. 3hop: an alias, exactly; 1 of 2: F1 2/3."""
    predictions = {A: [said("the Jean", {0, 5})], "3hop1__b": [said("the J P", {1})]}
    report = evaluate_multihop([gold(A), gold("3hop1__b")], predictions)
    assert report.overall["questions"] == 2
    assert report.overall["answer_f1"] == pytest.approx((2 / 3 + 1) / 2)
    assert report.overall["answer_em"] == 0.5
    assert report.overall["support_f1"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert (report.overall["pairs"], report.overall["told"]) == (0, None)
    assert report.groups["by_hops"]["3"]["answer_em"] == 1
    assert report.groups["by_shape"]["2hop"]["answer_f1"] == pytest.approx(2 / 3)


FULL = [gold(A), gold(A, False, frozenset({0})), gold(B, False, frozenset({1})), gold(B)]


def test_pairs_score_only_where_both_are_told_rightly() -> None:
    """A: both right, F1 2/3 and supports right; B: the contrast is taken for answerable, so the answer is lost."""
    predictions = {
        A: [said("Paul", {0, 1}), said("whatever", {7}, False)],
        B: [said("x", set(), True), said("Jean Paul", {0})],
    }
    scores = evaluate_multihop(FULL, predictions).overall
    assert (scores["questions"], scores["pairs"], scores["told"]) == (2, 2, 0.5)
    assert scores["answer_f1"] == pytest.approx((2 / 3 + 1) / 2)
    assert scores["group_answer_sufficiency_f1"] == pytest.approx(2 / 3 / 2)
    assert scores["group_answer_sufficiency_em"] == 0
    assert scores["group_support_sufficiency_f1"] == 0.5
    assert scores["support_f1"] == pytest.approx((1 + 2 / 3) / 2)


@pytest.mark.parametrize("beyond", [20, -1])
def test_a_support_that_is_no_paragraph_counts_as_a_wrong_one(beyond: int) -> None:
    """The official script compares sets: of two named and two wanted one is right."""
    report = evaluate_multihop(FULL, {A: [said("Jean Paul", {0, beyond}), said("x")]})
    known = evaluate_multihop(FULL, {A: [said("Jean Paul", {0, 19}), said("x")]})
    assert report.overall["support_f1"] == known.overall["support_f1"]
    assert report.odd["no_paragraph"] == [A] and not known.odd["no_paragraph"]


def test_what_is_missing_scores_nothing_and_what_is_unknown_counts_for_nothing() -> None:
    report = evaluate_multihop(FULL, {A: [said("Jean Paul", {0, 1}), said("x")], "z": [said("x")]})
    assert report.odd == {"unpaired": [], "no_paragraph": [], "missing": [B], "unknown": ["z"]}
    assert report.overall["answer_em"] == 0.5
    # Nothing said the contrast of A was not answerable.
    assert report.overall["told"] == 0


def test_a_record_without_its_contrast_is_in_no_pair() -> None:
    records = [gold(A), gold(A, False), gold(B)]
    answered = {A: [said("Jean Paul", {0, 1}), said("x", {0}, False)], B: [said("Jean Paul")]}
    report = evaluate_multihop(records, answered)
    assert (report.overall["questions"], report.overall["pairs"]) == (2, 1)
    assert f"unpaired: 1 ({B})" in report.as_text()


def test_a_full_file_needs_to_hear_what_is_answerable() -> None:
    with pytest.raises(ReleaseError, match="predicted_answerable"):
        evaluate_multihop(FULL, {A: [said("x", answerable=None)] * 2})
    assert evaluate_multihop([gold(A)], {A: [said("Jean Paul", {0, 1}, None)]}).overall["answer_em"] == 1


@pytest.mark.parametrize(
    ("count", "supports", "message"),
    [
        (1, {0}, f"{A}: 1 predictions for 2 records"),
        (3, {0}, f"{A}: 3 predictions for 2 records"),
        (0, set(), "empty"),
    ],
)
def test_predictions_fit_the_records_of_a_full_file(count: int, supports: set[int], message: str) -> None:
    """Each record of FULL shows the paragraphs 0 to 19, and A has two of them."""
    with pytest.raises(ReleaseError, match=message):
        evaluate_multihop(FULL, {A: [said("x", supports)] * count} if count else {})


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text(as_lines(*rows))
    return path


def test_files_of_gold_and_predictions(tmp_path: Path) -> None:
    path = write(tmp_path / "full.jsonl", contrast(), MULTIHOP)
    own = evaluate(path, path).overall
    assert (own["answer_em"], own["told"], own["group_support_sufficiency_f1"]) == (1, 1, 1)
    first = {"id": ID, "predicted_answer": "", "predicted_support_idxs": [], "predicted_answerable": False}
    second = {"id": ID, "predicted_answer": "Nor", "predicted_support_idxs": [0, 1], "predicted_answerable": True}
    report = evaluate(path, write(tmp_path / "said.jsonl", first, second))
    # "Nor" is the alias "the Nor" without its article.
    assert [report.overall[name] for name in ("answer_em", "support_f1", "told")] == [1, 0.5, 1]
    assert json.loads(json.dumps(report.as_dict()))["by_shape"]["2hop"]["pairs"] == 1
    assert report.as_text().splitlines()[:2] == [
        "             questions  ans F1  ans EM  supp F1   pairs   told  An+Sf  Sp+Sf",
        "all                  1   100.0   100.0     50.0       1  100.0  100.0   50.0",
    ]


def test_an_object_of_answers_is_enough_for_answerable_questions(tmp_path: Path) -> None:
    said_path = tmp_path / "said.json"
    said_path.write_text(json.dumps({ID: "Norland"}))
    report = evaluate(write(tmp_path / "ans.jsonl", MULTIHOP), said_path)
    assert (report.overall["answer_em"], report.overall["support_f1"]) == (1, 0)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"predicted_answer": "x"}, "id"),
        ({"id": 7, "predicted_answer": "x"}, "id"),
        ({"id": "a"}, "predicted_answer"),
        ({"id": "a", "predicted_answer": "x", "predicted_support_idxs": [0.5]}, "predicted_support_idxs"),
        ({"id": "a", "predicted_answer": "x", "predicted_support_idxs": [True]}, "predicted_support_idxs"),
        ({"id": "a", "predicted_answer": "x", "predicted_answerable": "yes"}, "predicted_answerable"),
    ],
)
def test_predictions_of_another_shape_are_refused_with_their_place(
    row: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(ReleaseError, match=f"line 2.*{told}"):
        read_multihop(write(tmp_path / "said.jsonl", {"id": "b", "predicted_answer": "y"}, row))


def test_supports_as_texts_count_as_the_numbers_that_they_say(tmp_path: Path) -> None:
    """The official script makes a number of each: "1" is the second paragraph. MULTIHOP is supported by two."""
    path = write(tmp_path / "gold.jsonl", MULTIHOP)
    row = {"id": ID, "predicted_answer": "Norland", "predicted_support_idxs": ["0", " 1 ", 1, "99"]}
    report = evaluate(path, write(tmp_path / "said.jsonl", row))
    supports = [number for number, shown in enumerate(MULTIHOP["paragraphs"]) if shown["is_supporting"]]
    named = {0, 1, 99}
    assert report.overall["support_f1"] == 2 * len(named & set(supports)) / (len(named) + len(supports))
    assert (report.odd["support_as_text"], report.odd["no_paragraph"]) == ([ID], [ID])


def test_one_bad_prediction_does_not_stop_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "full.jsonl", contrast(), MULTIHOP)
    first = {"id": ID, "predicted_answer": 5, "predicted_answerable": False}
    second = {"id": ID, "predicted_answer": "Norland", "predicted_support_idxs": [0, 1], "predicted_answerable": True}
    said_path = write(tmp_path / "said.jsonl", first, second)
    # The bad one is the contrast's: the answer counts, the pair is not told apart.
    report = evaluate(path, said_path)
    assert (report.overall["answer_em"], report.overall["told"], report.odd["missing"]) == (1, 0, [ID])
    assert len(report.odd["unread"]) == 1 and "line 1" in report.odd["unread"][0]
    # Of a line that is not even JSON nobody knows the id, nor which record the other one is for.
    said_path.write_text("\ufeff" + as_lines(second) + '{"id": \n[7]\n', encoding="utf-8")
    report = evaluate(path, said_path)
    assert (report.overall["answer_em"], report.odd["missing"], len(report.odd["unread"])) == (0, [ID], 2)
    said_path.write_text('{"id": \n', encoding="utf-8")
    with pytest.raises(ReleaseError, match="line 1"):
        evaluate(path, said_path)


def test_gold_files_of_another_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="twice"):
        read_records(write(tmp_path / "gold.jsonl", MULTIHOP, MULTIHOP), MultihopRecord)
    with pytest.raises(ReleaseError, match="entry 1"):
        read_records(write(tmp_path / "gold.jsonl", {"id": "2hop__1_2"}), MultihopRecord)
    with pytest.raises(ReleaseError, match="no answerable question"):
        evaluate(write(tmp_path / "gold.jsonl", contrast()), tmp_path / "gold.jsonl")


def test_paragraphs_that_are_no_objects_support_nothing(tmp_path: Path) -> None:
    row = {"id": "a", "answer": "x", "paragraphs": ["text", {"idx": 3, "is_supporting": True}, {"idx": 4}]}
    path = tmp_path / "said.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    assert read_multihop(path) == {"a": [said("x", {3}, None)]}
