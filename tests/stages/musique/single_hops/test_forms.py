from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.single_hops.forms import Words, answer_at, bare, form, relation_sides

TEXTS = st.text(alphabet=st.sampled_from("ab A'.-éß́ क्0 ,_"), max_size=40)


def test_words_are_runs_of_letters_digits_and_marks() -> None:
    words = Words.of("St. Patrick's Straße_9, U.S. क्षत्रिय")
    assert words.words == ("st", "patrick", "s", "strasse", "9", "u", "s", "क्षत्रिय")
    assert words.span(1, 2) == (4, 13)
    assert words.joined == " st patrick s strasse 9 u s क्षत्रिय "


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("St. Patrick's", "st. patrick 's", True),
        ("U.S.", "U. S.", True),
        ("U.S.", "us", False),
        ("Beyonce", "Beyoncé", False),
    ],
)
def test_forms_leave_spaces_and_punctuation_aside(one: str, other: str, same: bool) -> None:
    assert (form(one) == form(other)) is same


def test_an_article_is_dropped_unless_it_is_all() -> None:
    assert [bare(form(text)) for text in ("The United States", "A", "The Who", "…")] == [
        " united states ",
        " a ",
        " who ",
        " ",
    ]


def test_every_place_of_a_form_is_found() -> None:
    words = Words.of("New York, New York and York")
    assert words.find(" york ") == [(1, 1), (3, 3), (5, 5)]
    assert words.find(" new york ") == [(0, 1), (2, 3)]
    assert words.find(" ew york ") == []
    assert words.find(" ") == []


def test_an_answer_stands_where_it_is_stated_to_or_nearest() -> None:
    words = Words.of("Rome is Rome.")
    assert answer_at(words, [" rome "], 8) == (2, 2)
    assert answer_at(words, [" rome "], 6) == (2, 2)
    assert answer_at(words, [" rome "], 3) == (0, 0)
    assert answer_at(words, [" rome "], None) == (0, 0)
    assert answer_at(words, [" paris "], 0) is None


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Green >> performer", ("Green", "performer")),
        ("A>>b", ("A", "b")),
        ("Green >>", None),
        (">> performer", None),
        ("a >> b >> c", None),
        ("who sang green", None),
    ],
)
def test_relations_have_two_sides(question: str, sides: tuple[str, str] | None) -> None:
    assert relation_sides(question) == sides


@given(TEXTS)
def test_words_never_touch_and_their_spans_give_them_back(text: str) -> None:
    words = Words.of(text)
    assert tuple(text[start:end].casefold() for start, end in words.spans) == words.words
    assert all(end < start for (_, end), (start, _) in zip(words.spans, words.spans[1:], strict=False))
    assert not any(unicodedata.category(text[end])[0] in "LM" for _, end in words.spans if end < len(text))


@given(TEXTS, st.data())
def test_any_run_of_words_is_found_at_its_place(text: str, data: st.DataObject) -> None:
    words = Words.of(text)
    if not words.words:
        return
    first = data.draw(st.integers(0, len(words.words) - 1))
    last = data.draw(st.integers(first, len(words.words) - 1))
    wanted = words.words[first : last + 1]
    # By comparing every run of that length.
    expected = [
        (at, at + len(wanted) - 1)
        for at in range(len(words.words) - len(wanted) + 1)
        if words.words[at : at + len(wanted)] == wanted
    ]
    assert words.find(f" {' '.join(wanted)} ") == expected
    assert (first, last) in expected
