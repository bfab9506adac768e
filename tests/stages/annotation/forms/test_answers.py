"""Answers held against the forms of their tasks."""

from __future__ import annotations

import pytest

from stages.annotation.forms.answers import Fitting, fit
from stages.core.texts import Refused
from tests.people_samples import KINDS

GRAPH = {"X": ["more rain falls"], "Y": ["the river rises"], "y_affects": ["more"]}


def sets(count: int) -> dict[str, list[str]]:
    """So many filled sets of the writing form."""
    return {
        f"{name}_{number:02}": [f"{name} number {number} if any?"]
        for number in range(1, count + 1)
        for name in ("question", "answer")
    }


def test_answers_are_kept_in_the_form_s_order_and_tidy() -> None:
    given = {"W": ["  the  fields\tdry out ", "", "the fields dry out", "less dust"], **GRAPH, "Z": []}
    assert fit(KINDS["wiqa_graph"], given) == Fitting(
        {**GRAPH, "W": ["the fields dry out", "less dust"]}, unasked=(), units=1
    )


def test_lines_count_as_texts_where_several_may_be_given() -> None:
    assert fit(KINDS["wiqa_graph"], {**GRAPH, "W": ["one thing\r\nanother"]}).answers["W"] == ["one thing", "another"]
    assert fit(KINDS["wiqa_graph"], {**GRAPH, "X": ["more\nrain"]}).answers["X"] == ["more rain"]


def test_an_answer_that_was_not_asked_for_is_left_out_and_told() -> None:
    given = {"verdict": ["correct"], "reason": ["changed my mind"]}
    assert fit(KINDS["qampari_answer"], given) == Fitting({"verdict": ["correct"]}, ("reason",), 1)


def test_numbers_have_one_form() -> None:
    given = {"answer": ["more"], "change_sentence": ["02"], "effect_sentence": ["3.0"]}
    assert fit(KINDS["wiqa_question"], given).answers == {
        "answer": ["more"],
        "change_sentence": ["2"],
        "effect_sentence": ["3"],
    }


def test_filled_sets_are_counted() -> None:
    assert fit(KINDS["ifqa_writing"], sets(12)).units == 12


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        ("qampari_answer", {"verdict": ["correct"], "mood": ["glad"]}, "unknown_control"),
        ("qampari_answer", {"verdict": ["perhaps"]}, "unknown_choice"),
        ("qampari_answer", {"verdict": ["Correct"]}, "unknown_choice"),
        ("qampari_answer", {"verdict": ["correct", "incorrect"]}, "too_many_values"),
        ("qampari_answer", {}, "missing_answer"),
        ("qampari_answer", {"verdict": [""]}, "missing_answer"),
        ("qampari_paraphrase", {"meaning": ["clear"]}, "missing_answer"),
        ("qampari_paraphrase", {"meaning": ["clear"], "paraphrase": [" \n "]}, "missing_answer"),
        ("qampari_paraphrase", {"meaning": ["clear"], "paraphrase": ["Who?"]}, "too_short"),
        ("qampari_paraphrase", {"meaning": ["clear"], "paraphrase": ["who " * 200]}, "too_long"),
        ("qampari_answer", {"verdict": ["incorrect"], "reason": ["x" * 10_000_000]}, "too_long"),
        ("qampari_answer", {"verdict": ["incorrect"], "reason": ["<script>alert(1)</script>"]}, "markup"),
        ("qampari_answer", {"verdict": ["incorrect"], "reason": ["<b>no</b>"]}, "markup"),
        ("qampari_answer", {"verdict": ["incorrect"], "reason": ["no\x00"]}, "control_characters"),
        ("qampari_answer", {"verdict": ["incorrect"], "reason": ["no \u202eon"]}, "control_characters"),
        ("wiqa_graph", {"X": ["more rain falls"], "y_affects": ["more"]}, "missing_answer"),
        ("wiqa_graph", {**GRAPH, "W": ["one thing", "two things", "three"]}, "too_many_values"),
        ("wiqa_graph", {**GRAPH, "Q": ["a node that no graph has"]}, "unknown_control"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["two"]}, "not_a_number"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["nan"]}, "not_a_number"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["1e400"]}, "not_a_number"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["1_0"]}, "not_a_number"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["1.5"]}, "not_a_number"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["0"]}, "out_of_range"),
        ("wiqa_question", {"answer": ["more"], "change_sentence": ["61"]}, "out_of_range"),
        ("ifqa_verification", {"standalone": ["yes"], "readable": ["yes"], "verdict": ["revise"]}, "missing_answer"),
        ("ifqa_writing", sets(9), "too_few_sets"),
        ("ifqa_writing", {**sets(10), "question_11": ["What if it had not rained?"]}, "incomplete_set"),
        ("ifqa_writing", {}, "too_few_sets"),
    ],
)
def test_what_does_not_fit_is_refused(kind: str, given: dict[str, list[str]], reason: str) -> None:
    with pytest.raises(Refused) as refused:
        fit(KINDS[kind], given)
    assert refused.value.reason == reason


def test_less_than_is_no_markup() -> None:
    given = {"verdict": ["incorrect"], "reason": ["page says x < 5 & y > 3"]}
    assert fit(KINDS["qampari_answer"], given).answers["reason"] == ["page says x < 5 & y > 3"]


def test_one_of_two_revisions_is_enough() -> None:
    given = {"standalone": ["no"], "readable": ["yes"], "verdict": ["revise"], "revised_answer": ["1912", "in 1912"]}
    assert fit(KINDS["ifqa_verification"], given).answers == given
