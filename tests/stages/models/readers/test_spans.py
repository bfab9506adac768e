"""What the lexical reader sees in a paragraph."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.models.readers.spans import SHAPES, see, shape_of, stem, stems


def found(text: str) -> set[tuple[str, str]]:
    return {(span.text, span.shape) for span in see("", text).spans}


def test_spans_of_each_shape() -> None:
    assert found("In 1958 she moved to Oslo with Karl Berg on 3 May 1931.") == {
        ("1958", "year"),
        ("Oslo", "name"),
        ("Karl Berg", "names"),
        ("3 May 1931", "date"),
        ("moved", "phrase"),
    }
    assert ("University of Vienna", "long_name") in found("He left the University of Vienna.")
    assert found("It has two arches, 1,250 seats and 12 % salt.") >= {("two arches", "number"), ("1,250", "number")}
    assert ("December 2007", "date") in found("in December 2007")


def test_names_do_not_run_over_sentences_or_commas() -> None:
    names = {text for text, _ in found("She went to Rome. Paul Smith, Director of Music, stayed. The End")}
    assert {"Rome", "Paul Smith", "Director of Music", "End"} <= names


def test_sentences_are_told_apart_but_for_abbreviations() -> None:
    view = see("", "Dr. Holm met J. S. Bach. They spoke! It rained.")
    assert {span.text: span.sentence for span in view.spans if span.shape in ("name", "names", "long_name")} == {
        "Dr. Holm": 0,
        "J. S. Bach": 0,
    }
    assert len(view.sentences) == 3


@pytest.mark.parametrize(
    ("answer", "shape"),
    [
        ("1969", "year"),
        ("20 July 1969", "date"),
        ("12.5", "number"),
        ("three", "number"),
        ("Oslo", "name"),
        ("Karl Berg", "names"),
        ("University of Vienna", "long_name"),
        ("by rail", "phrase"),
        ("", "phrase"),
    ],
)
def test_the_shape_of_an_answer(answer: str, shape: str) -> None:
    assert shape_of(answer) == shape


def test_stems_leave_out_function_words_case_and_endings() -> None:
    assert stems("The performers of it") == [stem("Performer")]
    assert stem("The") == ""
    assert stems("the [MASK] and a mask") == ["mask"]


@given(st.text("aB 1.,'\n-é(", max_size=60))
def test_spans_lie_in_the_text_in_one_sentence_and_do_not_overlap(text: str) -> None:
    view = see("", text)
    taken: list[int] = []
    for span in view.spans:
        assert span.text in text and span.shape in SHAPES
        assert 0 <= span.first <= span.last < len(view.words)
        assert span.sentence < len(view.sentences)
        taken += range(span.first, span.last + 1)
    assert len(taken) == len(set(taken))
