"""Folds: nobody judges what they saw."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.models.readers.folds import Folds, judge, training
from stages.models.readers.interface import Prediction, ReaderError, ReaderPassage, SolvedQuestion
from tests.stages.models.readers.samples import ALL, RIVERS, SINGER, solved

PASSAGES = [ReaderPassage.of(f"t{number}", f"text {number}") for number in range(12)]


class Watcher:
    """A trainer whose readers answer with the paragraphs they were fitted to."""

    name = identity = "watcher"
    learns = draws = True

    def __init__(self) -> None:
        self.fitted: list[tuple[list[SolvedQuestion], int]] = []

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> Watcher:
        self.fitted.append((list(examples), seed))
        self.saw = " ".join(sorted({passage.id for example in examples for passage in example.context}))
        return self

    def answer(
        self, questions: Sequence[str], contexts: Sequence[Sequence[ReaderPassage]], supports: int = 1
    ) -> list[Prediction]:
        return [Prediction(self.saw, (len(context),), 0.0) for context in contexts]


@st.composite
def examples(draw: st.DrawFn) -> SolvedQuestion:
    context = draw(st.lists(st.sampled_from(PASSAGES), min_size=1, max_size=5, unique=True))
    return SolvedQuestion(
        draw(st.text("ab", max_size=3)), tuple(context), ("x",), (draw(st.integers(0, len(context) - 1)),)
    )


@given(st.lists(examples(), max_size=12), st.integers(2, 5), st.integers(1, 3))
def test_no_paragraph_of_a_judged_question_was_seen_in_training(
    found: list[SolvedQuestion], count: int, seeds: int
) -> None:
    folds = Folds(count, seeds)
    for example, predictions in zip(found, judge(Watcher(), found, folds), strict=True):
        assert len(predictions) == seeds
        own = example.context[example.support[0]].id
        assert all(own not in prediction.answer.split() for prediction in predictions)
    for fold in range(count):
        for kept in training(found, folds, fold):
            assert all(folds.of(passage.id) != fold for passage in kept.context)
            assert folds.of_example(kept) != fold


@given(st.lists(examples(), max_size=12), st.randoms())
def test_what_is_fitted_does_not_depend_on_the_order(found: list[SolvedQuestion], chance: object) -> None:
    other = list(found)
    chance.shuffle(other)  # type: ignore[attr-defined]
    assert training(found, Folds(3), 1) == training(other, Folds(3), 1)


def test_the_supporting_paragraph_stays_the_supporting_one_where_others_are_taken_out() -> None:
    folds = Folds(2)
    by_fold = [[p for p in PASSAGES if folds.of(p.id) == fold] for fold in (0, 1)]
    (kept,) = training([SolvedQuestion("q", (by_fold[0][0], by_fold[1][0], by_fold[1][1]), ("x",), (2,))], folds, 0)
    assert kept == SolvedQuestion("q", (by_fold[1][0], by_fold[1][1]), ("x",), (1,))


def test_closed_questions_are_shown_without_paragraphs_and_readers_that_do_not_learn_judge_all() -> None:
    asked = [solved("a", "b", *ALL), solved("c", "d", RIVERS)]
    shown = [prediction.support for (prediction, *_) in judge(Watcher(), asked, Folds())]
    assert shown == [(4,), (1,)]
    fixed = Watcher()
    fixed.learns = False
    assert [p.support for (p,) in judge(fixed, asked, Folds(), closed=True)] == [(0,), (0,)]
    assert fixed.fitted == [([], 0)]


def test_seeds_are_used_where_they_make_a_difference() -> None:
    watcher = Watcher()
    judge(watcher, [solved("a", "b", RIVERS), solved("c", "d", SINGER)], Folds(5, 2))
    assert [seed for _, seed in watcher.fitted] in ([0, 1], [0, 1, 0, 1])
    watcher = Watcher()
    watcher.draws = False
    assert [len(found) for found in judge(watcher, [solved("a", "b", RIVERS)], Folds(5, 2))] == [1]


def test_refusals() -> None:
    with pytest.raises(ReaderError, match="folds: expected 2 or more"):
        Folds(1)
    with pytest.raises(ReaderError, match="seeds: expected 1 or more"):
        Folds(2, 0)
    with pytest.raises(ReaderError, match="one supporting paragraph"):
        Folds().of_example(SolvedQuestion("q", ALL, ("x",), (0, 1)))
