"""What a stage's result depends on, by kind: the parts of its fingerprint, and what to tell of a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from manifests.digest import canonical_json, schema_text
from manifests.manifest import Table
from stages.core.canonical import readable
from stages.core.chain import short
from stages.core.code import code_of, libraries_of, templates_of
from stages.core.contract import Stage, TableSpec

Identity = dict[str, Any]
# How rows reach a kernel and become shards, whatever the stage.
EXECUTOR = ("stages.beam.chained", "stages.beam.plan")
_KINDS = {
    "parameters": "parameter",
    "inputs": "input",
    "templates": "template",
    "models": "model",
    "libraries": "library",
}


def stage_identity(stage: Stage, done: Mapping[str, Table], buckets: int) -> Identity:
    """All that a stage's result depends on: JSON values by kind.

    parameters: what is bound to the kernel, by name; bound: the digest of all that, of the source and of the model,
        also of what is too long to show.
    inputs: digest per input table or file. templates: per file that the kernel's code reads or is bound to.
    code: digest per module of this project that runs. libraries: version per distribution that this code imports.
    """
    modules = modules_of(stage)
    inputs = {name: done[name].digest for name in (*stage.inputs, *stage.side)}
    if stage.source is not None:
        inputs.update(stage.source.identity())
    return {
        "stage": stage.name,
        "shape": _shape(stage),
        "parameters": _parameters(stage),
        "bound": stage.forms.digest,
        "inputs": inputs,
        "input_order": [] if stage.source else [*stage.inputs, *stage.side],
        "licences": dict(stage.source.licences()) if stage.source else {},
        "templates": {**templates_of(modules, stage.own), **stage.templates},
        "models": {stage.scorer.name: stage.scorer.identity} if stage.scorer else {},
        "code": dict(code_of(modules)),
        "libraries": dict(libraries_of(modules)),
        "tables": {spec.name: _table(spec, buckets) for one in (stage, *stage.steps) for spec in one.outputs},
        "buckets": buckets,
    }


def modules_of(stage: Stage) -> set[str]:
    """The modules by which all code is reached that the stage's result depends on."""
    return {*stage.forms.modules, *EXECUTOR}


def _shape(stage: Stage) -> list[Any]:
    if stage.steps:
        return [[step.name, *_shape(step), step.inputs, step.side] for step in stage.steps]
    return [type(stage.shape).__name__, asdict(stage.shape)]


def _parameters(stage: Stage) -> dict[str, Any]:
    shown = [readable(name, value) for name, value in stage.bound.items()]
    for step in stage.steps:
        shown.append({f"{short(step)}.{key}": value for key, value in _parameters(step).items()})
    return {key: value for one in shown for key, value in one.items()}


def _table(spec: TableSpec, buckets: int) -> list[Any]:
    columns = spec.key, spec.bucket_columns, spec.inexact
    return [schema_text(spec.schema), *columns, spec.buckets or buckets, spec.on_duplicate]


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What differs between two identities, each in a few words: which parameter, template, input, file of code."""
    found = [text for kind in after for text in _changed(kind, before.get(kind), after[kind])]
    # The digest of what is bound tells only of what nothing else shows.
    return found if found == ["bound"] else [text for text in found if text != "bound"]


def _changed(kind: str, before: Any, after: Any) -> Iterator[str]:
    if canonical_json(before) == canonical_json(after):
        return
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        yield kind
        return
    for name in sorted({*before, *after}):
        if canonical_json(before.get(name)) != canonical_json(after.get(name)):
            yield _told(kind, name, before, after)


def _told(kind: str, name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if kind == "code":
        return f"code of {name.replace('.', '/')}.py"
    if name not in before or name not in after:
        return f"{_KINDS.get(kind, kind)} {name} ({'new' if name in after else 'gone'})"
    if kind in ("parameters", "libraries"):
        return f"{_KINDS[kind]} {name} ({before[name]} -> {after[name]})"
    return f"{_KINDS.get(kind, kind)} {name}"
