"""What a dataset's pipeline is: a list of stages, and which of their tables come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from manifests.manifest import StageManifest
from manifests.names import alternatives
from stages.core.contract import Stage, StageError

# A table has a file per bucket; more than this is a slip of the keyboard.
MOST_BUCKETS = 10_000


@dataclass(frozen=True)
class Pipeline:
    """One dataset's build.

    parameters: the full set that the stages were made from, for the manifest.
    outputs: tables that `export` and `show` look at first.
    notes: what a reader of the manifest must know, such as a step that people do in the paper.
    A stage may write a table that it reads: this is the table's next version, which all later stages read.
    buckets: shards of every table; None lets each stage choose by the bytes that it reads.
    about: what the user calls the dataset that comes of it (`pipelines.provenance.ABOUT`).
    gaps: the same of what only the finished stages, by name, can tell, such as a split without a question.
    no_way: why no question can come of a build of which these stages are finished, "" where one may; the build then
        goes no further.
    """

    dataset: str
    stages: tuple[Stage, ...]
    outputs: tuple[str, ...]
    parameters: Mapping[str, Any]
    sources: Mapping[str, str]
    buckets: int | None
    notes: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    gaps: Callable[[Mapping[str, StageManifest]], Sequence[str]] | None = None
    no_way: Callable[[Mapping[str, StageManifest]], str] | None = None
    schemas: Mapping[str, pa.Schema] = field(init=False)

    def __post_init__(self) -> None:
        number = self.buckets if type(self.buckets) is int else 0
        if self.buckets is not None and not 1 <= number <= MOST_BUCKETS:
            raise StageError(f"build.buckets is {self.buckets}, but has to be from 1 to {MOST_BUCKETS:,}, or null")
        schemas: dict[str, pa.Schema] = {}
        for stage in self.stages:
            for name in (*stage.inputs, *stage.side):
                if name not in schemas:
                    raise StageError(f"{self.dataset}: stage {stage.name} reads {name}, which no earlier stage writes")
            for spec in stage.outputs:
                if spec.name in schemas and spec.name not in stage.inputs:
                    raise StageError(
                        f"{self.dataset}: table {spec.name} is written by two stages, and the later one, {stage.name}, "
                        "does not read it; a next version of a table is made of the one before"
                    )
                if not schemas.setdefault(spec.name, spec.schema).equals(spec.schema):
                    raise StageError(f"{self.dataset}: stage {stage.name} gives {spec.name} another schema")
        missing = set(self.outputs) - set(schemas)
        if missing:
            raise StageError(f"{self.dataset}: no stage writes the output tables {sorted(missing)}")
        object.__setattr__(self, "schemas", schemas)

    def stage(self, name: str) -> Stage:
        for stage in self.stages:
            if stage.name == name:
                return stage
        hint = alternatives(name, (stage.name for stage in self.stages), f"`benchwright plan {self.dataset}`")
        raise StageError(f"{self.dataset} has no stage {name!r}; {hint}")


def licences(stages: Iterable[Stage]) -> dict[str, str]:
    """The licence of each source that the stages read."""
    return {name: text for stage in stages if stage.source for name, text in stage.source.licences().items()}
