"""Answers from memory."""

from __future__ import annotations

from stages.models.readers.interface import NOTHING
from stages.models.readers.memory import Memory
from tests.stages.models.readers.samples import MINE, solved

ASKED = [
    solved("Imagine >> performer", "John Lennon", MINE),
    solved("Yellow Submarine >> performer", "The Beatles", MINE),
    solved("Help >> performer", "The Beatles", MINE),
    solved("Imagine >> publication date", "1971", MINE),
    solved("when did the mine open", "1902", MINE),
]


def memory() -> Memory:
    return Memory(ASKED, lambda stem: 1.0)


def test_the_likest_question_of_the_same_kind_answers() -> None:
    assert memory().answer("Imagine (song) >> performer").answer == "John Lennon"
    assert memory().answer("Imagine >> publication date").answer == "1971"


def test_a_question_without_a_like_gets_the_usual_answer_of_its_kind_and_is_less_sure() -> None:
    sure = memory().answer("Imagine >> performer")
    usual = memory().answer("Abbey Road Studios Live >> performer")
    assert usual.answer == "The Beatles"
    assert sure.score > usual.score
    assert sure.support == usual.support == ()


def test_kinds_that_were_never_asked_fall_back_to_wider_ones_and_an_empty_memory_says_nothing() -> None:
    assert memory().answer("Help >> spouse").answer == "The Beatles"
    assert memory().answer("Name the year.").answer != ""
    assert Memory([], lambda stem: 1.0).answer("Imagine >> performer") == NOTHING


def test_order_and_repetition_do_not_matter() -> None:
    again = Memory([*reversed(ASKED), *ASKED], lambda stem: 1.0)
    for question in ("Help >> x", "Imagine >> performer", "when was it", ""):
        assert again.answer(question) == memory().answer(question)
