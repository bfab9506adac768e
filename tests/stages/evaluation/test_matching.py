"""Pairing predictions with gold answers."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from stages.evaluation.matching import count_matches, distinct_answers, distinct_predictions

FORMS = st.sampled_from("abcdef")
ANSWERS = st.lists(st.frozensets(FORMS, min_size=1), max_size=4)
PREDICTIONS = st.lists(FORMS, max_size=4, unique=True)


def test_groups_of_one_text_are_one_answer_with_all_aliases() -> None:
    groups = [["Paris", "City of Light"], ["paris", "Lutetia"], ["Rome"]]
    assert distinct_answers(groups) == [frozenset({"paris", "city of light", "lutetia"}), frozenset({"rome"})]


def test_a_shared_alias_alone_does_not_merge() -> None:
    groups = [["2004 French Grand Prix", "Mobil 1"], ["2002 French Grand Prix", "Mobil 1"]]
    assert len(distinct_answers(groups)) == 2


def test_answers_without_text_are_left_out() -> None:
    assert distinct_answers([[""], [], [" "], ["", "Ljubljana"]]) == [frozenset({"ljubljana"})]


def test_distinct_predictions() -> None:
    assert distinct_predictions(["The Goonies", "", "goonies", "Jaws", "  "]) == ["goonies", "jaws"]


def test_two_aliases_of_one_answer_count_once() -> None:
    assert count_matches(["nyc", "new york city"], [frozenset({"nyc", "new york city"})]) == 1


def test_a_shared_alias_goes_where_it_is_needed() -> None:
    both, one = frozenset({"x", "y"}), frozenset({"x"})
    assert count_matches(["x", "y"], [both, one]) == 2
    assert count_matches(["y", "x"], [both, one]) == 2


def test_a_chain_of_moves() -> None:
    answers = [frozenset("ab"), frozenset("bc"), frozenset("cd"), frozenset("d")]
    for order in permutations("abcd"):
        assert count_matches(order, answers) == 4


def brute_force(predictions: list[str], answers: list[frozenset[str]]) -> int:
    if not predictions:
        return 0
    rest = predictions[1:]
    without = brute_force(rest, answers)
    with_first = [
        1 + brute_force(rest, answers[:index] + answers[index + 1 :])
        for index, forms in enumerate(answers)
        if predictions[0] in forms
    ]
    return max([without, *with_first])


@given(PREDICTIONS, ANSWERS)
def test_matches_are_the_maximum(predictions: list[str], answers: list[frozenset[str]]) -> None:
    assert count_matches(predictions, answers) == brute_force(predictions, answers)


@given(PREDICTIONS, ANSWERS, st.randoms())
def test_order_makes_no_difference(predictions: list[str], answers: list[frozenset[str]], random) -> None:
    expected = count_matches(predictions, answers)
    random.shuffle(predictions)
    random.shuffle(answers)
    assert count_matches(predictions, answers) == expected
