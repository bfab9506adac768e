"""A small pipeline with all four shapes, for tests of the spine: words in lines are counted, joined and scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pyarrow as pa

from manifests.digest import sha256
from pipelines.model import Pipeline
from stages.core.canonical import PLACE
from stages.core.contract import Join, Map, Output, Score, Stage, StageError, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.core.sql import sql

RAW = pa.schema([("line", pa.string())])
WORDS = TableSpec(
    "words",
    pa.schema([("word", pa.string()), ("line", pa.string())]),
    key=("word", "line"),
    on_duplicate="reject",
)
COUNTS = TableSpec("counts", pa.schema([("word", pa.string()), ("lines", pa.int64())]), key=("word",))
LENGTHS = TableSpec(
    "lengths",
    pa.schema([("word", pa.string()), ("length", pa.int64()), ("lines", pa.int64())]),
    key=("word",),
    bucket_by=("length",),
)
PAIRS = TableSpec(
    "pairs",
    pa.schema([("pair", pa.string()), ("first", pa.string()), ("second", pa.string())]),
    key=("pair",),
)
SCORES = TableSpec("scores", pa.schema([("pair", pa.string()), ("score", pa.float32())]), ("pair",), inexact=("score",))
TOTAL = TableSpec("total", pa.schema([("name", pa.string()), ("value", pa.int64())]), key=("name",), buckets=1)


@dataclass(frozen=True)
class Lines:
    """One part per file, one batch per two lines."""

    paths: tuple[str, ...] = field(metadata=PLACE)
    schema: pa.Schema = RAW

    def parts(self) -> list[str]:
        return list(self.paths)

    def read(self, part: str) -> Iterator[pa.Table]:
        lines = Path(part).read_text(encoding="utf-8").splitlines()
        for start in range(0, len(lines), 2):
            yield pa.table({"line": lines[start : start + 2]}, schema=RAW)

    def identity(self) -> Mapping[str, str]:
        digests = sorted(sha256(Path(path).read_bytes()) for path in self.paths)
        return {f"file {number}": digest for number, digest in enumerate(digests)}

    def licences(self) -> Mapping[str, str]:
        return {"lines": "CC0-1.0"}


@dataclass(frozen=True)
class WordParams:
    shortest: int = 2


@dataclass(frozen=True)
class LengthScorer:
    """Scores a pair by its lengths; counts its calls in a file, to show what was scored."""

    log: str = ""
    identity: str = "a" * 64
    name: str = "length-scorer"

    def load(self) -> Callable[[list[str], list[str]], list[float]]:
        def score(first: list[str], second: list[str]) -> list[float]:
            if self.log:
                with Path(self.log).open("a") as file:
                    file.write(f"{len(first)}\n")
            return [len(a) / (len(a) + len(b)) for a, b in zip(first, second, strict=True)]

        return score


def split_words(raw: pa.Table, params: WordParams) -> Output:
    rejects = Rejects()
    rows = []
    for line in raw.column("line").to_pylist():
        if line == "explode":
            raise StageError("the line 'explode' was read; take it out of the source")
        for word in line.split():
            if len(word) < params.shortest:
                rejects.add(word, "too_short", f"in {line}")
            else:
                rows.append({"word": word, "line": line})
    bad = sum(line == "" for line in raw.column("line").to_pylist())
    return Output(
        {"words": WORDS.table(rows)},
        rejects.table(),
        {"records": raw.num_rows, "bad_records": bad},
    )


def count_words(words: pa.Table) -> Output:
    return Output({"counts": sql("SELECT word, count(*) AS lines FROM words GROUP BY word", words=words)})


def join_lengths(counts: pa.Table, words: pa.Table, total: pa.Table) -> Output:
    assert total.num_rows == 1
    rows = sql(
        "SELECT DISTINCT word, length(word) AS length, lines FROM counts JOIN words USING (word)",
        counts=counts,
        words=words,
    )
    return Output({"lengths": rows})


def sum_counts(counts: pa.Table) -> Output:
    return Output({"total": sql("SELECT 'lines' AS name, sum(lines)::BIGINT AS value FROM counts", counts=counts)})


def make_pairs(lengths: pa.Table) -> Output:
    rows = sql(
        "SELECT word || '/' || length AS pair, word AS first, repeat('x', length) AS second FROM lengths",
        lengths=lengths,
    )
    return Output({"pairs": rows}, metrics={"pairs": rows.num_rows})


def stages(paths: list[str], params: WordParams | None = None, log: str = "") -> tuple[Stage, ...]:
    params = params or WordParams()
    return (
        Stage(
            "toy.words",
            Map(),
            partial(split_words, params=params),
            (WORDS,),
            source=Lines(tuple(paths)),
        ),
        Stage("toy.counts", Map(), count_words, (COUNTS,), inputs=("words",)),
        Stage("toy.total", Whole(), sum_counts, (TOTAL,), inputs=("counts",)),
        Stage(
            "toy.lengths",
            Join(on=(("word",), ("word",))),
            join_lengths,
            (LENGTHS,),
            inputs=("counts", "words"),
            side=("total",),
        ),
        Stage("toy.pairs", Map(), make_pairs, (PAIRS,), inputs=("lengths",)),
        Stage(
            "toy.score",
            Score("pair", "first", "second"),
            None,
            (SCORES,),
            inputs=("pairs",),
            scorer=LengthScorer(log),
        ),
    )


def pipeline(paths: list[str], params: WordParams | None = None, log: str = "", buckets: int = 4) -> Pipeline:
    return Pipeline("toy", stages(paths, params, log), ("scores", "total"), {}, {"lines": "CC0-1.0"}, buckets)


LINES = [
    "the river runs to the sea",
    "a bridge crosses the river",
    "the sea is salt",
    "rivers carry salt to the sea",
    "a stone a leaf a door",
    "the bridge is stone",
    "the sea is salt",
]


def write_lines(folder: Path, groups: list[list[str]]) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, group in enumerate(groups):
        path = folder / f"lines{number}.txt"
        path.write_text("\n".join(group), encoding="utf-8")
        paths.append(str(path))
    return paths
