"""Other spellings of values, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.spellings.values import other_spellings


@pytest.mark.parametrize(
    ("answer", "others"),
    [
        ("12", {"twelve"}),
        ("twelve", {"12"}),
        ("12,000", {"12000", "twelve thousand"}),
        ("4 million", {"4,000,000", "4000000", "four million"}),
        ("twelve apostles", {"12 apostles"}),
        ("May 1990", {"May of 1990"}),
        ("12 May 1990", {"12 May", "12th May", "May 12", "May the 12th", "1990 05 12"}),
        ("1914-1918", {"1914 to 1918", "1914 until 1918", "1914 18"}),
    ],
)
def test_values_are_spelt_in_other_ways(answer: str, others: set[str]) -> None:
    assert others <= set(other_spellings(answer))


@pytest.mark.parametrize("answer", ["Vienna", "", "the colour blue", "1066", "a sentence of words " * 4])
def test_what_is_no_value_has_no_other_spelling_but_years_have_none_in_words(answer: str) -> None:
    assert not any(word in other for other in other_spellings(answer) for word in ("thousand", "sixty-six"))


@given(st.text(max_size=30))
def test_no_spelling_is_the_answer_itself(answer: str) -> None:
    found = other_spellings(answer)
    assert answer not in found and list(found) == sorted(set(found))
