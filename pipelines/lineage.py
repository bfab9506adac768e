"""The whole way back of a record: what each step gave it, down to the sentence of the page that it rests on.

Each dataset tells its own ways (`pipelines/{dataset}/lineage.py`) in the terms of this module.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from manifests.manifest import BuildManifest, Shard
from manifests.storage import Storage
from stages.annotation.tables import UNCONFIRMED, VERDICTS
from stages.core.shards import bucket_numbers, read_shard

Facts = tuple[tuple[str, str], ...]
"""Names and values to be read beside a text."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Quote:
    """A text of a source, and what it is there for.

    of: what it belongs to, such as an answer; says: the statement that it proves, "" where it proves none.
    marks: where what it is about stands in it, in characters, in order and apart from each other.
    aside: whether it proves nothing, and is only shown beside the others.
    """

    text: str
    title: str = ""
    url: str = ""
    of: str = ""
    says: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    facts: Facts = ()
    aside: bool = False


@dataclass(frozen=True)
class TrailStep:
    """What one step of the paper gave a record. stages: those that did it here; picture: an SVG document, or ""."""

    name: str
    stages: tuple[str, ...]
    facts: Facts = ()
    quotes: tuple[Quote, ...] = ()
    picture: str = ""


@dataclass(frozen=True)
class Trail:
    """A record and its way back, the last step first.

    key: unique among the records of a build, and the same in another build of the same inputs; record: the id that
    the release gives it. tags: what the dataset's records are told apart by beside split and kind (`Lineage.tags`).
    confirmed: whether people have confirmed all of it. measures: numbers or names by the plot that counts them.
    """

    key: str
    record: str
    question: str
    answers: tuple[str, ...]
    split: str
    kind: str
    tags: tuple[str, ...]
    confirmed: bool
    steps: tuple[TrailStep, ...]
    measures: Mapping[str, Sequence[float | str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Plot:
    """What is counted over all records.

    name: of the measure, which is the plot's title too; unit: what a count is of. ends: of the bars, each of which
    holds numbers up to and with its end, the last one more than that; none where names are counted.
    published: shares in percent by bar, per source that states them, such as "the paper".
    """

    name: str
    unit: str = "questions"
    ends: tuple[float, ...] = ()
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


Trails = Callable[[Storage, BuildManifest, Collection[str] | None], Iterator[Trail]]
"""Those of the records with some keys or ids, or of all of them; a build without records has none.

Raises ManifestError: the build stops before a table that they are read from.
"""


@dataclass(frozen=True)
class Lineage:
    """How a dataset tells the ways of its records. tags: what a trail's tags are, in the singular."""

    trails: Trails
    tags: str
    plots: tuple[Plot, ...] = ()


class Tables:
    """A build's tables by the values of a column. Only those shards are read that can hold a value, where it shows."""

    def __init__(self, root: Storage, manifest: BuildManifest) -> None:
        self._root = root
        self._manifest = manifest

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(name for stage in self._manifest.stages for name in stage.tables)

    def shards(self, name: str) -> Iterator[pa.Table]:
        for shard in self._manifest.table(name).shards:
            yield read_shard(self._root, shard)

    def by(self, name: str, column: str, wanted: Iterable[str]) -> Mapping[str, list[Row]]:
        """The rows of each wanted value; none for a value that no row has, and none of a table that is not there."""
        found: defaultdict[str, list[Row]] = defaultdict(list)
        values = pa.array(sorted(set(wanted)), pa.string())
        if name in self.names and len(values):
            for shard in self._holding(name, column, values):
                rows = read_shard(self._root, shard)
                for row in rows.filter(pc.is_in(rows[column], values)).to_pylist():
                    found[row[column]].append(row)
        return found

    def one(self, name: str, column: str, wanted: Iterable[str]) -> Mapping[str, Row]:
        """The same of a column that no two rows share a value of."""
        return {value: rows[0] for value, rows in self.by(name, column, wanted).items()}

    def verdicts(self, round_name: str, origins: Iterable[str]) -> Mapping[str, Row]:
        """What people have settled about records of some origins, one task each."""
        return self.one(f"{VERDICTS.name}_{round_name}", "origin", origins)

    def _holding(self, name: str, column: str, values: pa.Array) -> Sequence[Shard]:
        table = self._manifest.table(name)
        if table.bucket_by != [column]:
            return table.shards
        numbers = bucket_numbers(pa.table({column: values}), [column], len(table.shards))
        return [table.shards[number] for number in sorted(set(numbers.tolist()))]


def chosen(rows: pa.Table, keys: Collection[str] | None, *columns: str) -> list[Row]:
    """The rows that have one of the keys in one of the columns; all of them where keys is None."""
    if keys is None:
        return rows.to_pylist()
    wanted = pa.array(sorted(keys), pa.string())
    mask = pc.is_in(rows[columns[0]], wanted)
    for column in columns[1:]:
        mask = pc.or_(mask, pc.is_in(rows[column], wanted))
    return rows.filter(mask).to_pylist()


def marks(text: str, names: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where names stand in a text, as whole words in any case; the longer one where two overlap."""
    found = sorted({name for name in names if name.strip()}, key=lambda name: (-len(name), name))
    if not found:
        return ()
    pattern = "|".join(re.escape(name) for name in found)
    return tuple(match.span() for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE))


def told(pairs: Iterable[tuple[str, object]]) -> Facts:
    """Facts in words: numbers with separators, lists with commas; what is unknown or empty is left out."""
    return tuple((name, said) for name, value in pairs if (said := _said(value)))


def votes(verdict: Mapping[str, Any] | None) -> Facts:
    """What people said of a record, in words."""
    if verdict is None or verdict["status"] == UNCONFIRMED:
        return (("people", "nobody has confirmed it"),)
    return (
        ("people", str(verdict["status"]).replace("_", " ")),
        ("votes", f"{verdict['agreeing']:,} of {verdict['votes']:,} agree"),
    )


def _said(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(_said, value)))
    return str(value)
