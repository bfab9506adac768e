"""Contexts with their texts: what they hold, and what the check finds."""

from __future__ import annotations

from typing import Any

import pytest

from stages.core.contract import StageError
from stages.musique.contexts.contexts import fill, stage
from stages.musique.contexts.distractors import draw
from stages.musique.contexts.pool import ContextParams
from stages.musique.contexts.tables import CONTEXTS, DRAWN_CONTEXTS, NO_HOP
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from tests.stages.musique.contexts.world import random_world

PARAGRAPHS = GOLD_PARAGRAPHS.table(
    [
        {"paragraph": "p", "title": "Ann", "text": "Ann lives in the U.S. now."},
        {"paragraph": "r", "title": "Rome", "text": "Rome is old."},
        {"paragraph": "s", "title": "Oder", "text": "The Oder is a river."},
    ]
)


def context(paragraphs: list[str], supports: list[int], *missing: str) -> dict[str, Any]:
    return {
        "question": "q",
        "answerable": not missing,
        "split": "dev",
        "paragraphs": paragraphs,
        "supports": supports,
        "missing": 1 if missing else 0,
        "missing_answers": list(missing),
    }


def test_contexts_hold_their_texts() -> None:
    rows = [context(["r", "s", "p"], [2, NO_HOP, 1]), context(["s", "r"], [NO_HOP, NO_HOP], "US", "Ann")]
    output = fill(DRAWN_CONTEXTS.table(rows), PARAGRAPHS)
    first, second = output.tables[CONTEXTS.name].to_pylist()
    assert first == {
        "question": "q",
        "answerable": True,
        "split": "dev",
        "missing": 0,
        "paragraphs": [
            {"paragraph": "r", "title": "Rome", "text": "Rome is old.", "supports": 2},
            {"paragraph": "s", "title": "Oder", "text": "The Oder is a river.", "supports": NO_HOP},
            {"paragraph": "p", "title": "Ann", "text": "Ann lives in the U.S. now.", "supports": 1},
        ],
    }
    assert [shown["paragraph"] for shown in second["paragraphs"]] == ["s", "r"]
    assert (second["answerable"], second["missing"]) == (False, 1)
    assert output.metrics == {"contexts": 2, "paragraphs": 5, "supporting": 2}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (context(["p", "s"], [NO_HOP, NO_HOP], "US"), "must not be answerable, and p mentions"),
        (context(["s", "r"], [NO_HOP, NO_HOP], "Paris", "rome"), "must not be answerable, and r mentions"),
        (context(["s", "s"], [1, NO_HOP]), "shows a paragraph twice"),
        (context(["s", "p"], [2, NO_HOP]), r"its paragraphs support the hops \[2\]"),
        (context(["s", "x"], [1, NO_HOP]), "a paragraph that no single hop has"),
    ],
)
def test_unsound_contexts_are_found(row: dict[str, Any], problem: str) -> None:
    with pytest.raises(StageError, match=problem):
        fill(DRAWN_CONTEXTS.table([row]), PARAGRAPHS)


def test_what_is_drawn_is_sound() -> None:
    world = random_world(9, 90, 30)
    tables = world.tables()
    output = draw(*tables, params=ContextParams(size=6))
    filled = fill(output.tables[DRAWN_CONTEXTS.name], tables[3])
    assert filled.metrics["contexts"] == output.metrics["answerable"] + output.metrics["unanswerable"] > 30


def test_nothing_comes_of_nothing() -> None:
    assert fill(DRAWN_CONTEXTS.empty(), PARAGRAPHS).tables[CONTEXTS.name].num_rows == 0
    assert stage().side == ("gold_paragraphs",)
