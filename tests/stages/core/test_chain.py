"""Several stages as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stages.core.chain import chain, short
from stages.core.contract import Stage, StageError
from tests import toy

WORDS, COUNTS, TOTAL, LENGTHS, PAIRS, SCORE = toy.stages([])


def made(*steps: Stage, publish: tuple[str, ...] = ("lengths",)) -> Stage:
    return chain("toy.measured", *steps, publish=publish, about="Measures words.")


def test_a_chain_reads_what_its_steps_do_not_make_and_publishes_what_it_says() -> None:
    stage = made(COUNTS, TOTAL, LENGTHS)
    assert (stage.inputs, stage.side, [spec.name for spec in stage.outputs]) == (("words",), (), ["lengths"])
    assert [short(step) for step in stage.steps] == ["counts", "total", "lengths"]


@pytest.mark.parametrize(
    ("steps", "publish", "message"),
    [
        ((WORDS, COUNTS), ("counts",), "toy.words reads a source, runs a model or is a chain; it stands alone"),
        ((PAIRS, SCORE), ("scores",), "toy.score reads a source, runs a model"),
        ((COUNTS, replace(TOTAL, name="other.counts")), ("total",), "two steps of one name among counts, counts"),
        ((COUNTS, TOTAL), ("lengths",), "publishes lengths, which none of its steps writes"),
    ],
)
def test_steps_that_make_no_chain(steps: tuple[Stage, ...], publish: tuple[str, ...], message: str) -> None:
    with pytest.raises(StageError, match=message):
        made(*steps, publish=publish)


def test_the_form_of_a_chain_covers_its_steps() -> None:
    stage = made(COUNTS, TOTAL, LENGTHS)
    assert stage.forms == made(COUNTS, TOTAL, LENGTHS).forms
    assert stage.forms != made(COUNTS, TOTAL, replace(LENGTHS, side=())).forms
    assert "tests.toy" in stage.forms.modules
