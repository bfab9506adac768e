"""The one limit of what a source may hold in a record, for whatever reads it: `build.record_bytes`."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from pipelines.model import Pipeline
from stages.core.contract import Source, StageError
from stages.io.several import Several

FIELD = "max_record_bytes"


def with_record_limit(pipeline: Pipeline, most: Any) -> Pipeline:
    """The pipeline with sources that reject longer records. most: bytes; None leaves every reader its own limit.

    Raises StageError: no such limit.
    """
    if most is None:
        return pipeline
    if type(most) is not int or most < 1:
        raise StageError(f"build.record_bytes: expected a whole number of bytes from 1 up, got {most!r}")
    stages = tuple(
        stage if stage.source is None else replace(stage, source=_limited(stage.source, most))
        for stage in pipeline.stages
    )
    return replace(pipeline, stages=stages)


def _limited(source: Source, most: int) -> Source:
    if isinstance(source, Several):
        return replace(source, sources=tuple(_limited(one, most) for one in source.sources))
    # A dataset of another package may read in its own way.
    if not is_dataclass(source) or FIELD not in {field.name for field in fields(source)}:
        return source
    # A dataclass's type is lost to whoever looks at it as one.
    return cast(Source, replace(cast(Any, source), **{FIELD: most}))
