"""Readers of one paragraph at a time, with a finder whose scores are written down."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from stages.models.readers.interface import NOTHING, Prediction, ReaderPassage
from stages.models.readers.pairs import MOST_TOKENS, PairReader, SpanFound, best_span
from tests.stages.models.readers.samples import BRIDGE, MINE, RIVERS, SINGER


class Counted:
    """Finds "question/title", the surer the longer the title, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def __call__(self, pairs: Sequence[tuple[str, ReaderPassage]]) -> list[SpanFound]:
        self.asked += [(question, passage.title) for question, passage in pairs]
        return [SpanFound(f"{question}/{passage.title}", len(passage.title)) for question, passage in pairs]


def test_the_surest_paragraph_answers_and_comes_first() -> None:
    (found,) = PairReader(Counted()).answer(["q"], [[RIVERS, BRIDGE, MINE]], 2)
    assert found == Prediction("q/Old Bridge", (1, 2), 10)


def test_each_pair_is_looked_at_once() -> None:
    finder = Counted()
    reader = PairReader(finder)
    reader.answer(["q", "q", "p"], [[RIVERS, MINE], [MINE], [MINE]])
    reader.answer(["q"], [[SINGER, MINE]])
    assert len(finder.asked) == len(set(finder.asked)) == 4


def test_questions_without_paragraphs_go_to_what_is_known() -> None:
    known = PairReader(Counted(), lambda questions: [Prediction(question, (), 1.0) for question in questions])
    assert [p.answer for p in known.answer(["a", "b", "c"], [(), [MINE], ()])] == ["a", "b/Red Mine", "c"]
    assert PairReader(Counted()).answer(["a"], [()]) == [NOTHING]


def test_the_likeliest_span_and_its_probability() -> None:
    starts, ends = np.array([0.0, 1.0, 5.0, 0.0]), np.array([0.0, 4.0, 2.0, 3.0])
    offsets = [(0, 0), (0, 3), (4, 7), (8, 11)]
    found = best_span(starts, ends, [1, 2, 3], offsets, "one two six")
    # An end before its start is none: 5 + 4 does not count, 5 + 3 does.
    share = math.exp(8) / sum(map(math.exp, starts)) / sum(map(math.exp, ends))
    assert found.answer == "two six" and found.score == pytest.approx(math.log(share))
    assert best_span(starts, ends, [1], offsets, "one two six").answer == "one"
    assert best_span(starts, ends, [], offsets, "") == SpanFound("", float("-inf"))


def test_spans_have_a_longest_length() -> None:
    count = MOST_TOKENS + 5
    starts, ends = np.zeros(count), np.zeros(count)
    starts[0] = ends[-1] = 9
    offsets = [(place, place + 1) for place in range(count)]
    assert len(best_span(starts, ends, range(count), offsets, "x" * count).answer) <= MOST_TOKENS
