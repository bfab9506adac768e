from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stages.bridges.names import Match, Names, covered
from stages.hops.forms import Words, form

WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab", "bc"]), min_size=1, max_size=4).map(" ".join)


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=4).map(" ".join))
def test_one_pass_finds_what_a_search_for_each_name_finds(names: list[str], text: str) -> None:
    words = Words.of(text)
    forms = {form(name) for name in names}
    expected = {Match(name, *place) for name in forms for place in words.find(name)}
    assert set(Names(forms).matches(words)) == expected


@given(st.lists(WORDS, max_size=6), WORDS)
def test_what_is_covered_lies_in_a_longer_match(names: list[str], text: str) -> None:
    matches = list(Names(map(form, names)).matches(Words.of(text)))
    for match in matches:
        inside = [
            other
            for other in matches
            if set(range(match.first, match.last + 1)) < set(range(other.first, other.last + 1))
        ]
        assert covered(match, matches) is bool(inside)
