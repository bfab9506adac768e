"""Runs a plan in this process, without Beam: for little input, over which Beam takes longer than the kernels."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from stages.beam.plan import Plan, turn
from stages.beam.steps import Element, Key


def run(plan: Plan) -> None:
    """Goes through the steps one after another; what a step raises comes out as it is.

    Only references and counts are held between steps; the rows are in spill files, as with every other runner.
    """
    elements: list[Element] = [(key, None) for key in plan.keys]
    for step in plan.steps:
        groups: dict[Key, list[Any]] = defaultdict(list)
        for key, value in elements:
            groups[key].append(value)
        elements = [element for key, values in groups.items() for element in turn(step, key, values)]
