"""A job: one stage with everything a worker needs to run it, wherever the worker is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from manifests.manifest import REJECTS, Shard, Table
from manifests.storage import Stamp, Storage
from stages.beam.same_code import Code
from stages.core.contract import Stage, StageError, TableSpec
from stages.core.rejects import REJECTS_SCHEMA

REJECTS_SPEC = TableSpec(REJECTS, REJECTS_SCHEMA, ("key", "reason", "detail"), bucket_by=("key",))


@dataclass(frozen=True)
class Job:
    """inputs: published tables by name, with the Arrow schema that their stage declared.

    ticks: where progress is told, if not in the attempt's own folder.
    code: what every worker has to run (see `stages.beam.same_code`); None leaves it unchecked.
    stamps: of the source's files when the build began, by path or address.
    stall_seconds: the longest that the work may be without a sign of life (see `stages.beam.stall`); 0 is for ever.
    """

    stage: Stage
    root: Storage
    attempt: str
    buckets: int
    inputs: Mapping[str, Table]
    schemas: Mapping[str, pa.Schema]
    known_scores: tuple[Table, ...] = ()
    progress: bool = False
    stall_seconds: float = 0.0
    flush_bytes: int = 16 << 20
    ticks: str = ""
    code: Code | None = None
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    specs: Mapping[str, TableSpec] = field(init=False)

    def __post_init__(self) -> None:
        specs = {spec.name: spec for spec in (*self.stage.outputs, REJECTS_SPEC)}
        object.__setattr__(self, "specs", specs)

    def buckets_of(self, table: str) -> int:
        return self.specs[table].buckets or self.buckets

    def table_path(self, table: str, bucket: int) -> str:
        return f"{self.attempt}/{table}/part-{bucket:05d}-of-{self.buckets_of(table):05d}.parquet"

    @property
    def spill_folder(self) -> str:
        return f"{self.attempt}/_spill"

    @property
    def progress_folder(self) -> str:
        return self.ticks or f"{self.attempt}/_progress"

    @property
    def result_path(self) -> str:
        return f"{self.attempt}/_result.json"

    def shards(self, name: str) -> list[Shard]:
        try:
            return self.inputs[name].shards
        except KeyError:
            raise StageError(f"stage {self.stage.name}: input table {name} is not published") from None

    def is_bucketed_on(self, name: str, columns: tuple[str, ...]) -> bool:
        """Whether a published table's shards are already the buckets of a join on these columns."""
        table = self.inputs[name]
        return tuple(table.bucket_by) == columns and len(table.shards) == self.buckets
