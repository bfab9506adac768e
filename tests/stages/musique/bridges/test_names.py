from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.bridges.names import Match, NameFinder, covered
from stages.musique.single_hops.forms import Words, form

WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab", "bc"]), min_size=1, max_size=4).map(" ".join)


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=4).map(" ".join))
def test_one_pass_finds_what_a_search_for_each_name_finds(names: list[str], text: str) -> None:
    words = Words.of(text)
    forms = {form(name) for name in names}
    expected = {Match(name, *place) for name in forms for place in words.find(name)}
    assert set(NameFinder(forms).matches(words)) == expected


@given(st.lists(WORDS, max_size=6), WORDS)
def test_what_is_covered_lies_in_a_longer_match(names: list[str], text: str) -> None:
    matches = list(NameFinder(map(form, names)).matches(Words.of(text)))
    for match in matches:
        inside = [
            other
            for other in matches
            if set(range(match.first, match.last + 1)) < set(range(other.first, other.last + 1))
        ]
        assert covered(match, matches) is bool(inside)


def test_overlapping_matches_in_the_order_of_their_ends() -> None:
    names = NameFinder([" new york ", " york ", " york city ", " the ", " "])
    assert list(names.matches(Words.of("The New York City, York"))) == [
        Match(" the ", 0, 0),
        Match(" new york ", 1, 2),
        Match(" york ", 2, 2),
        Match(" york city ", 2, 3),
        Match(" york ", 4, 4),
    ]


def test_nothing_is_found_where_there_is_nothing() -> None:
    assert list(NameFinder([]).matches(Words.of("Rome"))) == []
    assert list(NameFinder([" "]).matches(Words.of("Rome"))) == []
    assert list(NameFinder([" rome "]).matches(Words.of("?!"))) == []


@pytest.mark.parametrize(
    ("other", "holds"),
    [((1, 2), False), ((0, 2), True), ((1, 3), True), ((0, 1), False), ((2, 4), False), ((2, 2), False)],
)
def test_only_a_longer_match_covers(other: tuple[int, int], holds: bool) -> None:
    assert covered(Match(" a b ", 1, 2), [Match(" x ", *other)]) is holds


@given(st.text(alphabet="aá\u0301क् .-'", max_size=20), st.text(alphabet="aá\u0301क् .-'", max_size=6))
def test_a_match_begins_and_ends_where_words_do(text: str, name: str) -> None:
    words = Words.of(text)
    for match in NameFinder([form(name)]).matches(words):
        start, end = words.span(match.first, match.last)
        assert form(text[start:end]) == match.form == form(name)
        assert not text[end : end + 1].isalnum() and not text[max(0, start - 1) : start].isalnum()
