"""Two builds side by side: what changed in the release, then what their manifests say, and on demand their rows.

What a reader of the release wants to know comes first. Of tables only the counts are shown beside it, unless one is
asked for by name; JSON leaves nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manifests import report
from manifests.diff import Difference, diff
from manifests.manifest import BuildManifest, ManifestError, Table
from manifests.rows import RowsDifference, rows_diff
from manifests.shards import check_shards
from pipelines import pages
from pipelines.changes import ReleaseChanges, release_changes
from pipelines.published import load_build


@dataclass(frozen=True)
class Comparison:
    """What differs between two builds.

    rows: per table whose rows differ, where they were asked for. release: the same of the released questions, where
    both builds have some. in_full: rows are shown with their examples, since one table was asked for by name.
    """

    difference: Difference
    rows: tuple[RowsDifference, ...] = ()
    release: ReleaseChanges | None = None
    in_full: bool = False
    limit: int = 5

    @property
    def equal(self) -> bool:
        """Whether nothing differs but what is true of one run or one machine only."""
        return self.difference.equal

    def as_dict(self) -> dict[str, Any]:
        """Everything, in plain JSON types."""
        release = None if self.release is None else pages.as_json(self.release)
        return {**report.as_json(self.difference, self.rows), "release": release}

    def as_text(self) -> str:
        """For a person, long lists cut short."""
        return pages.as_text(self._parts()) + report.as_text(self.difference, self._shown(), self._most())

    def as_markdown(self) -> str:
        """The same, for the summary of a CI job."""
        return pages.as_markdown(self._parts()) + report.as_markdown(self.difference, self._shown(), self._most())

    def as_html(self) -> str:
        """The same as a page of its own, which asks for nothing from elsewhere."""
        title = f"{self.difference.a} → {self.difference.b}"
        details = report.as_text(self.difference, self._shown(), self._most())
        return pages.as_html(title, self._parts(), details)

    def _parts(self) -> list[pages.Section]:
        found = [] if self.release is None else pages.release_parts(self.release, self.limit)
        return found if self._shown() else [*found, *pages.table_parts(self.rows, report.LIMIT)]

    def _shown(self) -> tuple[RowsDifference, ...]:
        """Rows with their examples: the tables that were asked for, or all where there is no release to look at."""
        return self.rows if self.in_full or self.release is None else ()

    def _most(self) -> int:
        return report.LIMIT if self.release is None else min(self.limit, report.LIMIT)


def compare(
    a: str | Path,
    b: str | Path,
    *,
    dataset: str | None = None,
    rows: bool = False,
    limit: int = 5,
    table: str | None = None,
) -> Comparison:
    """What changed from build `a` to build `b`; the command `diff` does the same.

    a, b: roots, of which the newest builds are taken, ROOT#NAME by tag or version, or manifest files. What changed in
        the release is told where both have their tables.
    dataset: which build, where a root holds several.
    rows: compare rows, too, for which every shard is read, those of one table where its name is given; limit:
        examples of each kind, those with the smallest keys.

    Raises:
        StageError: no build has the tag or version, or builds of several datasets have.
        ManifestError: no build is there, it is not clear which one is meant, a manifest or a shard is damaged, neither
            build has the table, or rows are asked of a manifest file.
    """
    first, first_root = load_build(str(a), dataset)
    second, second_root = load_build(str(b), dataset)
    difference = diff(first, second)
    if first_root is None or second_root is None:
        if rows or table:
            raise ManifestError("--rows needs two roots that hold their tables; a manifest file alone has no rows")
        return Comparison(difference, limit=limit)
    release = None if difference.equal else release_changes(first_root, first, second_root, second)
    if not (rows or table):
        return Comparison(difference, release=release, limit=limit)
    for root, build in ((first_root, first), (second_root, second)):
        # Equal digests say that rows are equal only where the rows are those that were published.
        check_shards(root, build)
    if table:
        first.table(table), second.table(table)
    pairs = [pair for pair in _changed_tables(first, second) if table in (None, pair[1].name)]
    found = tuple(rows_diff(first_root, x, second_root, y, limit=limit) for x, y in pairs)
    return Comparison(difference, found, release, in_full=table is not None, limit=limit)


def _changed_tables(first: BuildManifest, second: BuildManifest) -> Iterator[tuple[Table, Table]]:
    """Tables of both builds whose rows differ."""
    others = {(stage.stage, name): table for stage in second.stages for name, table in stage.tables.items()}
    for stage in first.stages:
        for name, table in stage.tables.items():
            other = others.get((stage.stage, name))
            if other is not None and other.stable_digest != table.stable_digest:
                yield table, other
