"""A stage's identity covers all that its result depends on, and `plan` says what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from manifests.digest import fingerprint
from manifests.manifest import Table
from pipelines.datasets import dataset, names
from pipelines.identity import changes, stage_identity
from pipelines.inputs import read_inputs
from pipelines.model import Pipeline
from pipelines.params import load
from stages.core.contract import Stage, StageError
from tests import toy

DONE: Mapping[str, Table] = defaultdict(lambda: SimpleNamespace(digest="0" * 64))  # type: ignore[assignment]


@cache
def sample(name: str) -> Pipeline:
    found = dataset(name)
    answers = found.sample_answers() if found.sample_answers else ()
    return found.pipeline(load(found.defaults), read_inputs(found, found.sample(), answers))


def mark(stage: Stage) -> str:
    return fingerprint(stage_identity(stage, DONE, 8))


def changed(value: Any) -> Iterator[Any]:
    """The value with one thing changed, for each thing that it has."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str):
        yield f"{value}x"
    elif isinstance(value, Mapping):
        yield {**value, "another": 1}
        yield dict(list(value.items())[1:]) if value else {"one": 1}
    elif isinstance(value, frozenset):
        yield value | {"another"}
    elif isinstance(value, tuple):
        yield (*value, "another")
    elif is_dataclass(value) and not isinstance(value, type) and not (hasattr(value, "load") or hasattr(value, "fit")):
        for part in fields(value):
            for other in changed(getattr(value, part.name)):
                yield _with(value, part.name, other)
    else:
        # None, a function, a model (which counts by its identity) or a structure that is checked when it is made.
        yield Another()


def rebound(kernel: Any, key: str, value: Any) -> Any:
    if isinstance(kernel, partial):
        return partial(kernel.func, **{**kernel.keywords, key: value})
    return replace(kernel, kernel=rebound(kernel.kernel, key, value))


@dataclass(frozen=True)
class Another:
    identity: str = "another"


def _with(value: Any, name: str, other: Any) -> Any:
    """A copy with another value in a field, whether or not the class itself would take it."""
    copied = copy(value)
    object.__setattr__(copied, name, other)
    return copied


@pytest.mark.parametrize("name", names())
def test_each_bound_argument_of_every_stage_counts(name: str) -> None:
    bound = [(stage, key, value) for stage in sample(name).stages for key, value in stage.bound.items()]
    assert len(bound) > 10
    for stage, key, value in bound:
        before, where = mark(stage), f"{stage.name}, {key}"
        others = list(islice(changed(value), 6))
        assert others, where
        for other in others:
            assert mark(replace(stage, kernel=rebound(stage.kernel, key, other))) != before, where


def test_stages_of_one_fingerprint_are_one_stage_whatever_the_dataset() -> None:
    """In one root two datasets may share a result only where everything that is bound is the same."""
    found: dict[tuple[str, str], str] = {}
    shared = 0
    for name in names():
        for stage in sample(name).stages:
            key = stage.name, mark(stage)
            shared += key in found
            assert found.setdefault(key, stage.forms.digest) == stage.forms.digest, key
    assert shared


def toy_stage(**changed: Any) -> Stage:
    return replace(toy.stages([])[1], **changed)


def test_tables_code_libraries_and_templates_count() -> None:
    stage = toy_stage()
    identity = stage_identity(stage, DONE, 8)
    assert {"tests.toy", "stages.core.shards", "stages.beam.plan"} <= set(identity["code"])
    assert {"python", "pyarrow", "duckdb"} <= set(identity["libraries"])
    for kind in ("code", "libraries", "templates", "inputs"):
        other = {**identity, kind: {**identity[kind], "another": "1"}}
        assert fingerprint(other) != fingerprint(identity)
    assert mark(toy_stage(templates={"words.yaml": "1"})) != mark(stage)
    assert fingerprint(stage_identity(stage, DONE, 9)) != fingerprint(identity)


def test_a_value_without_a_form_is_an_error_where_the_stage_is_made() -> None:
    with pytest.raises(StageError, match=r"stage toy\.counts: pathlib\.\w+ has no canonical form; bind numbers"):
        toy_stage(kernel=partial(toy.count_words, folder=Path("here")))


def test_what_changed_is_told_by_its_name() -> None:
    def identity(**other: Any) -> dict[str, Any]:
        return {
            "stage": "a.b",
            "parameters": {"params.least": 5},
            "bound": "1",
            "code": {"stages.facts.statements": "1", "stages.core.sql": "2"},
            "templates": {"relations/works.yaml": "1"},
            "inputs": {"entities": "1"},
            "libraries": {"duckdb": "1.4"},
            **other,
        }

    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, []),
        ({"parameters": {"params.least": 4}, "bound": "2"}, ["parameter params.least (5 -> 4)"]),
        ({"bound": "2"}, ["bound"]),
        ({"code": {"stages.facts.statements": "3", "stages.core.sql": "2"}}, ["code of stages/facts/statements.py"]),
        ({"templates": {"relations/works.yaml": "2", "roles.yaml": "1"}},
         ["template relations/works.yaml", "template roles.yaml (new)"]),
        ({"inputs": {"entities": "2"}}, ["input entities"]),
        ({"libraries": {"duckdb": "1.5"}}, ["library duckdb (1.4 -> 1.5)"]),
        ({"stage": "a.c"}, ["stage"]),
    ]  # fmt: skip
    for other, told in cases:
        assert changes(identity(), identity(**other)) == told
