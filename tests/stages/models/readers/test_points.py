"""Points are learnt from solved questions."""

from __future__ import annotations

from dataclasses import astuple, fields, replace

import numpy as np
import pytest

from stages.models.readers.points import BESIDE, PARAGRAPH, USUAL, Points, Solved, given, learnt

NONE = Points(*[0.0] * len(fields(Points)))


def questions(count: int) -> list[Solved]:
    """Three spans each; the right one is that with the most of the eighth fact, "known"; the rest is chance."""
    chance = np.random.default_rng(0)
    found = []
    for _ in range(count):
        facts = chance.random((3, len(fields(Points))))
        found.append(Solved(facts, (facts[:, 7] == facts[:, 7].max()).astype(float)))
    return found


def test_facts_come_in_the_order_of_the_points() -> None:
    assert (*PARAGRAPH, *BESIDE, *USUAL) == tuple(field.name for field in fields(Points))
    facts = np.array([[1.0, 0.0], [0.5, -2.0]])
    assert given(facts, Points(), PARAGRAPH).tolist() == [6.0, 1.0]


def test_without_questions_the_rule_of_thumb_stands() -> None:
    assert learnt([], Points()) == Points()


def test_what_tells_right_spans_gets_points_and_nothing_else_does() -> None:
    found = learnt(questions(200), NONE)
    others = [abs(value) for value in astuple(replace(found, known=0.0))]
    assert found.known > 5 * max(others)
    assert found == learnt(questions(200), NONE)


def test_few_questions_move_little() -> None:
    few, many = learnt(questions(2), NONE), learnt(questions(200), NONE)
    assert 0 < few.known < many.known / 2


def test_a_fact_that_is_the_same_everywhere_keeps_its_points() -> None:
    alike = [Solved(np.where(np.arange(11) == 10, 1.0, item.facts), item.right) for item in questions(50)]
    assert learnt(alike, Points(long=2.5)).long == pytest.approx(2.5)


def test_a_right_span_that_has_become_hopeless_divides_by_nothing() -> None:
    facts = np.zeros((2, len(fields(Points))))
    facts[:, 0] = (0, 10_000)
    assert all(np.isfinite(astuple(learnt([Solved(facts, np.array([1.0, 0.0]))], Points()))))
