"""Whether parameters do anything: each, changed alone, has to reach a stage."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from pipelines.model import Pipeline
from pipelines.params import Values


def must_reach_a_stage(key: str, defaults: Values, pipeline: Callable[[Values], Pipeline]) -> None:
    """Fails where a build with another value for `key` would run the same stages with the same things bound."""
    values = copy.deepcopy(defaults)
    section, _, name = key.partition(".")
    values[section][name] = _another(values[section][name])
    before, after = pipeline(copy.deepcopy(defaults)), pipeline(values)
    assert [(s.name, s.forms) for s in before.stages] != [(s.name, s.forms) for s in after.stages] or (
        before.buckets != after.buckets
    )


def _another(value: Any) -> Any:
    """Another value that may stand in the place of a parameter's default."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return ["dev"] if value else ["somebody"]
    if value is None:
        return 7
    return value * 0.4 + 0.01 if isinstance(value, float) else value + 1
