"""Two builds side by side: what their manifests say, and on demand their rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manifests import report
from manifests.diff import Difference, diff, load
from manifests.manifest import BuildManifest, ManifestError, Table
from manifests.rows import RowsDifference, rows_diff
from manifests.shards import check_shards


@dataclass(frozen=True)
class Comparison:
    """What differs between two builds. rows: per table whose rows differ, where they were asked for."""

    difference: Difference
    rows: tuple[RowsDifference, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether nothing differs but what is true of one run or one machine only."""
        return self.difference.equal

    def as_dict(self) -> dict[str, Any]:
        """Everything, in plain JSON types."""
        return report.as_json(self.difference, self.rows)

    def as_text(self) -> str:
        """For a person, long lists cut short."""
        return report.as_text(self.difference, self.rows)

    def as_markdown(self) -> str:
        """The same, for the summary of a CI job."""
        return report.as_markdown(self.difference, self.rows)


def compare(
    a: str | Path, b: str | Path, *, dataset: str | None = None, rows: bool = False, limit: int = 5
) -> Comparison:
    """What changed from build `a` to build `b`; the command `diff` does the same.

    a, b: roots, of which the newest builds are taken, or manifest files.
    dataset: which build, where a root holds several.
    rows: compare rows, too, for which every shard is read; limit: examples per table, those with the smallest keys.

    Raises:
        ManifestError: no build is there, it is not clear which one is meant, a manifest or a shard is damaged, or rows
            are asked of a manifest file.
    """
    first, first_root = load(str(a), dataset)
    second, second_root = load(str(b), dataset)
    difference = diff(first, second)
    if not rows:
        return Comparison(difference)
    if first_root is None or second_root is None:
        raise ManifestError("--rows needs two roots that hold their tables; a manifest file alone has no rows")
    for root, build in ((first_root, first), (second_root, second)):
        # Equal digests say that rows are equal only where the rows are those that were published.
        check_shards(root, build)
    pairs = _changed_tables(first, second)
    return Comparison(difference, tuple(rows_diff(first_root, x, second_root, y, limit=limit) for x, y in pairs))


def _changed_tables(first: BuildManifest, second: BuildManifest) -> Iterator[tuple[Table, Table]]:
    """Tables of both builds whose rows differ."""
    others = {(stage.stage, name): table for stage in second.stages for name, table in stage.tables.items()}
    for stage in first.stages:
        for name, table in stage.tables.items():
            other = others.get((stage.stage, name))
            if other is not None and other.stable_digest != table.stable_digest:
                yield table, other
