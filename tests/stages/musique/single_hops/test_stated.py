from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.core.texts import Refused, has_markup
from stages.musique.single_hops.stated import SingleHopParams, Stated, content, digest, given_id, row, source_word

HOP: dict[str, Any] = {
    "source": "My Set",
    "given_id": 7,
    "question": " Who  sang? ",
    "answers": ["John  Lennon", "Lennon", "J. Lennon", "John Lennon"],
    "title": "Imagine",
    "text": "Sung by\u00a0 John Lennon.",
    "start": 9,
}


def reason(**change: Any) -> str:
    with pytest.raises(Refused) as found:
        row(Stated(**(HOP | change)), SingleHopParams(max_text=40, max_question=20, max_answer=15, max_answers=4))
    return found.value.reason


def test_a_row_is_tidy() -> None:
    assert row(Stated(**HOP), SingleHopParams()) == {
        # The words of question, answer and text, each between single spaces, parted by U+001F.
        "content": hashlib.sha256(b" who sang \x1f john lennon \x1f sung by john lennon ").hexdigest()[:12],
        "source": "my-set",
        "given_id": "7",
        "question": "Who sang?",
        "answer": "John Lennon",
        "answer_aliases": ["J. Lennon", "Lennon"],
        "title": "Imagine",
        "text": "Sung by John Lennon.",
        # Stated as 9, of which one was a second space.
        "answer_start": 8,
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"answers": []}, "no_answer"),
        ({"answers": [" "]}, "no_answer"),
        ({"answers": ["a"] * 5}, "too_many_answers"),
        ({"answers": ["a", None]}, "not_text"),
        ({"answers": ["x" * 16]}, "too_long"),
        ({"source": ""}, "bad_source"),
        ({"source": "a" * 33}, "bad_source"),
        ({"source": "-a"}, "bad_source"),
        ({"given_id": 1.5}, "bad_id"),
        ({"given_id": "a\nb"}, "bad_id"),
        ({"question": None}, "no_question"),
        ({"question": "x" * 21}, "too_long"),
        ({"title": ["Imagine"]}, "not_text"),
        ({"title": "<b>Imagine</b>"}, "markup"),
        ({"text": ""}, "no_text"),
        ({"text": "x" * 41}, "too_long"),
        ({"text": "a\u0007b"}, "control_characters"),
    ],
)
def test_what_is_refused(change: dict[str, Any], expected: str) -> None:
    assert reason(**change) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("Who sang?", "St. Patrick's", "a"), ("who  SANG", "st patrick 's", "A."), True),
        (("Who sang?", "%", "a"), ("Who sang?", "$", "a"), False),
        (("a b", "c", "d"), ("a", "b c", "d"), False),
        (("a", "b", "c"), ("b", "a", "c"), False),
    ],
)
def test_contents_are_told_by_their_words(one: tuple[str, str, str], other: tuple[str, str, str], same: bool) -> None:
    assert (content(*one) == content(*other)) is same


@given(
    st.lists(st.text(alphabet="ab", max_size=3), max_size=4), st.lists(st.text(alphabet="ab", max_size=3), max_size=4)
)
def test_digests_tell_where_one_part_ends(one: list[str], other: list[str]) -> None:
    # No part and one empty part are alike, and nothing is asked of neither.
    assert (digest(*one) == digest(*other)) is ((one or [""]) == (other or [""]))


def test_names_of_sources_can_be_parts_of_ids() -> None:
    assert [source_word(name) for name in ("SQuAD", " my_set  2 ", "t-rex")] == ["squad", "my-set-2", "t-rex"]


def test_given_ids() -> None:
    assert [given_id(value) for value in (None, 0, "", "a_b", "x" * 128)] == ["", "0", "", "a_b", "x" * 128]


@pytest.mark.parametrize("name", ["max_text", "max_question", "max_answer", "max_answers"])
def test_limits_are_positive(name: str) -> None:
    with pytest.raises(StageError, match=f"{name}: expected 1 or more, got 0"):
        SingleHopParams(**{name: 0})


TEXTS = st.text(alphabet="ab \u00a0\n.", max_size=20)


@given(TEXTS, TEXTS)
def test_a_place_stays_that_of_its_word(before: str, after: str) -> None:
    text = f"{before}Rome{after}"
    found = row(Stated("s", None, "Which?", ["Rome"], "", text, len(before)), SingleHopParams())
    assert found["text"][found["answer_start"] :].startswith("Rome")
    assert found["text"] == " ".join(unicodedata.normalize("NFC", text).split())


@given(st.text(max_size=30))
def test_any_text_is_tidy_or_refused(text: str) -> None:
    try:
        found = row(Stated("s", None, text, [text], "", text), SingleHopParams())
    except Refused:
        return
    assert found["text"].startswith(found["answer"]) and len(found["text"]) - len(found["answer"]) <= 2
    assert found["text"] and not has_markup(found["text"])
    assert content(found["question"], found["answer"], found["text"]) == found["content"]
