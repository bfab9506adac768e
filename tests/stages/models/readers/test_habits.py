"""What is learnt from solved questions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.models.readers.habits import Habits, Rarity, located
from stages.models.readers.interface import ReaderPassage, SolvedQuestion
from tests.stages.models.readers.samples import BRIDGE, MINE, RIVERS, SINGER, solved


def test_rare_words_weigh_more_and_unknown_ones_most() -> None:
    rarity = Rarity([frozenset({"a", "b"}), frozenset({"a"}), frozenset({"a", "c"})])
    assert rarity("a") == pytest.approx(math.log(1 + 0.5 / 3.5))
    assert rarity("b") == rarity("c") == rarity("unknown") == pytest.approx(math.log(1 + 2.5 / 1.5))


def test_shapes_follow_what_answered_the_kind_before() -> None:
    before = Habits([]).shapes("X >> inception")
    learnt = Habits([solved(f"{n} >> inception", "1887", BRIDGE) for n in range(10)])
    after = learnt.shapes("X >> inception")
    assert max(before, key=lambda shape: before[shape]) == "names"
    assert max(after, key=lambda shape: after[shape]) == "year"
    # Other relations hear of it through the wider kind, less strongly.
    other = learnt.shapes("X >> opened")
    assert before["year"] < other["year"] <= after["year"]
    assert sum(map(math.exp, after.values())) == pytest.approx(1)
    assert learnt.answers("Y >> inception") == {"1887": 10}


def test_words_beside_answers_announce_them() -> None:
    asked = [solved(f"{n} >> date of birth", "3 May 1931", SINGER) for n in range(3)]
    asked += [solved(f"{n} >> inception", "1902", MINE) for n in range(9)]
    cues = Habits(asked).cues("X >> date of birth")
    assert cues["born"] > 0 and "open" not in cues
    assert Habits([]).cues("X >> date of birth") == {}


def test_an_answer_that_stands_twice_is_taken_where_the_question_is_spoken_of() -> None:
    text = "Berg lived in Oslo. Holm died in Oslo."
    found = located(SolvedQuestion("where did Holm die", (ReaderPassage.of("", text),), ("Oslo",), (0,)))
    assert found is not None and found[1].sentence == 1
    assert located(solved("x", "Narvik", SINGER)) is None


@given(st.permutations([solved("a >> b", "Oslo", SINGER), solved("when", "1902", MINE), solved("c >> b", "x", RIVERS)]))
def test_the_order_of_the_examples_does_not_matter(examples: list[SolvedQuestion]) -> None:
    for question in ("q >> b", "when did", "q"):
        assert Habits(examples).shapes(question) == Habits(sorted(examples, key=str)).shapes(question)
