from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.bridges.contexts import answer_context, subject_context
from stages.musique.single_hops.forms import Words, form

TEXT = "It rained in Rome. Ann (of Oslo) met Bob Dylan in Rome. They left."


def answered(text: str, answer: str, start: int) -> tuple[str, int, int]:
    return answer_context({"text": text, "answer": answer, "answer_start": start})


def named(text: str, subject: str) -> tuple[str, int, int]:
    return subject_context({"text": text, "subject": subject})


@pytest.mark.parametrize(
    ("answer", "start", "context"),
    [
        ("Rome", 13, ("It rained in Rome.", 13, 17)),
        # The second sentence begins at 19.
        ("Rome", 50, ("Ann (of Oslo) met Bob Dylan in Rome.", 31, 35)),
        ("Ann", 19, ("Ann (of Oslo) met Bob Dylan in Rome.", 0, 3)),
        ("bob dylan", 37, ("Ann (of Oslo) met Bob Dylan in Rome.", 18, 27)),
        ("left", 61, ("They left.", 5, 9)),
        # An answer over the end of a sentence has both.
        ("Rome. They", 50, ("Ann (of Oslo) met Bob Dylan in Rome. They left.", 31, 41)),
    ],
)
def test_an_answer_stands_in_its_sentence(answer: str, start: int, context: tuple[str, int, int]) -> None:
    assert answered(TEXT, answer, start) == context


@pytest.mark.parametrize(
    ("subject", "context"),
    [
        ("Rome", ("It rained in Rome.", 13, 17)),
        ("The Oslo", ("Ann (of Oslo) met Bob Dylan in Rome.", 8, 12)),
        ("BOB  Dylan", ("Ann (of Oslo) met Bob Dylan in Rome.", 18, 27)),
        # No sentence names it.
        ("Dylan Bob", ("Dylan Bob", 0, 9)),
        ("?", ("?", 0, 1)),
    ],
)
def test_a_subject_stands_where_it_is_named_first(subject: str, context: tuple[str, int, int]) -> None:
    assert named(TEXT, subject) == context


def test_a_long_sentence_is_cut_around_the_name() -> None:
    text = f"{'x ' * 500}Rome{' y' * 500}"
    context, start, end = answered(text, "Rome", 1000)
    assert (len(context), start, end) == (604, 300, 304)
    assert context[start:end] == "Rome"


SENTENCES = st.lists(
    st.lists(st.sampled_from(["ann", "Rome", "St.", "(of", "Oslo)", "x" * 200]), min_size=1, max_size=4).map(
        lambda words: " ".join(words) + "."
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(SENTENCES, st.data())
def test_a_context_holds_the_name_where_it_says(text: str, data: st.DataObject) -> None:
    words = Words.of(text)
    first = data.draw(st.integers(0, len(words.words) - 1))
    last = data.draw(st.integers(first, min(first + 1, len(words.words) - 1)))
    start, end = words.span(first, last)
    row: dict[str, Any] = {"text": text, "answer": text[start:end], "answer_start": start, "subject": text[start:end]}
    context, begin, stop = answer_context(row)
    assert context[begin:stop] == text[start:end]
    # The first place where the subject's words stand may have other signs between them.
    spoken, opens, closes = subject_context(row)
    assert form(spoken[opens:closes]) == form(text[start:end])
    for found in (context, spoken):
        assert found in text and found == found.rstrip()
