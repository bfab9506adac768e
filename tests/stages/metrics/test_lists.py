"""Lists of ids in a report."""

from __future__ import annotations

from stages.metrics.lists import some_of


def test_all_of_a_few_and_the_first_of_many() -> None:
    assert some_of(["a"]) == "1 (a)"
    assert some_of(list("abcde")) == "5 (a, b, c, d, e)"
    assert some_of(list("abcdefg")) == "7 (a, b, c, d, e and 2 more)"
