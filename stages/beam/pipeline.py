"""Runs a plan as a Beam pipeline: each step is one grouping and one function after it.

Nothing else of Beam is used (no tagged outputs, side inputs, state, nor output at a bundle's
end), so that every runner which groups by key can run every stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineRunner

from stages.beam.plan import Plan, Step, turn
from stages.beam.same_code import Code, check
from stages.beam.steps import Element, Key


class Turn(beam.DoFn):
    """One step, as Beam calls it."""

    def __init__(self, step: Step, code: Code | None = None) -> None:
        self.step = step
        self.code = code

    def setup(self) -> None:
        if self.code is not None:
            check(self.code)

    def process(self, group: tuple[Key, Iterable[Any]]) -> Iterator[Element]:
        return turn(self.step, *group)


def run(plan: Plan, runner: PipelineRunner, options: PipelineOptions) -> None:
    """Runs the plan to its end; what a step raises comes out as the runner reports it."""
    with beam.Pipeline(runner=runner, options=options) as pipeline:
        # The first grouping spreads the elements over the workers.
        elements = pipeline | "Start" >> beam.Create([(key, None) for key in plan.keys], reshuffle=False)
        for number, step in enumerate(plan.steps, 1):
            name = f"{number} {type(step).__name__}"
            elements = elements | f"Group {number}" >> beam.GroupByKey() | name >> beam.ParDo(Turn(step, plan.code))
