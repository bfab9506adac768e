"""Influence graphs to questions: the kernel against plain Python, and the whole chain of kernels shard by shard.

1x is the released benchmark: 2,107 graphs over 379 paragraphs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.core.shards import split
from stages.wiqa.balancing import BalanceParams, balance, chosen
from stages.wiqa.changes import PoolParams, changes, pool
from stages.wiqa.explanations import explanations
from stages.wiqa.no_effect import NoEffectParams, no_effect
from stages.wiqa.path_questions import questions
from stages.wiqa.polarity import load_lexicon
from stages.wiqa.release.records import choices
from stages.wiqa.sizes import sizes
from stages.wiqa.splits import TopicSplitParams, topic_splits
from tests.bench import influence_plain
from tests.bench.influence_input import graphs
from tests.bench.measure import Measured, measure, multiples, report

_COLUMNS = ("para_id", "change", "effect", "label", "hops")


def load_table(path: Path) -> tuple[pa.Table]:
    return (pq.read_table(path),)


def load_rows(path: Path) -> tuple[list[dict[str, Any]]]:
    return (pq.read_table(path).to_pylist(),)


def load_path(path: Path) -> tuple[Path]:
    return (path,)


def by_kernel(table: pa.Table) -> pa.Table:
    return questions(table).tables["path_questions"]


def digest(found: pa.Table | list[dict[str, Any]]) -> tuple[int, str]:
    rows = found.to_pylist() if isinstance(found, pa.Table) else found
    lines = sorted(json.dumps([row[name] for name in _COLUMNS]) for row in rows)
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


@pytest.mark.bench
def test_path_questions(tmp_path: Path) -> None:
    rows = []
    for times in (1, 4, 16):
        path = tmp_path / f"{times}.parquet"
        table = graphs(times)
        pq.write_table(table, path)
        ours = measure(load_table, by_kernel, digest, path)
        plain = measure(load_rows, influence_plain.questions, digest, path)
        assert ours.result == plain.result
        rows.append((times, table.num_rows, ours, plain))
    print("\n" + report("path questions, by graphs", rows))


def shards(folder: Path, name: str) -> Iterator[pa.Table]:
    for path in sorted(folder.glob(f"{name}-*.parquet")):
        yield pq.read_table(path)


def whole(folder: Path, name: str) -> pa.Table:
    return pa.concat_tables(list(shards(folder, name)))


def build(folder: Path) -> dict[str, float]:
    """Every kernel from graphs to records, as the executor calls them: one shard in memory, results in files."""

    def keep(number: int, tables: dict[str, pa.Table]) -> None:
        for name, table in tables.items():
            pq.write_table(table, folder / f"{name}-{number:05}.parquet", compression="zstd")

    for number, part in enumerate(shards(folder, "graphs")):
        asked = questions(part).tables
        keep(number, dict(asked) | dict(sizes(part, asked["path_strata"]).tables))
    splits = topic_splits(whole(folder, "topic_sizes"), params=TopicSplitParams()).tables["topic_splits"]
    for number, part in enumerate(shards(folder, "graphs")):
        keep(number, dict(changes(part, splits, params=PoolParams()).tables))
    borrowed = pool(whole(folder, "change_candidates"), params=PoolParams()).tables["change_pool"]
    for number, part in enumerate(shards(folder, "graphs")):
        keep(number, dict(no_effect(part, splits, borrowed, params=NoEffectParams()).tables))
    # No limit but the proportions: the number of questions grows with the number of graphs.
    params = BalanceParams(train=None, dev=None, test=None)
    output = balance(whole(folder, "path_strata"), whole(folder, "no_effect_strata"), splits, params=params)
    quotas = split(output.tables["question_quotas"], ("para_id",), len(list(folder.glob("graphs-*"))))
    lexicon = load_lexicon()
    names = ("graphs", "path_questions", "no_effect_questions")
    for number, (part, paths, foreign) in enumerate(zip(*(shards(folder, name) for name in names), strict=True)):
        taken = chosen(paths, foreign, quotas[number], params=params).tables["chosen_questions"]
        keep(number, dict(choices(taken, part).tables) | dict(explanations(taken, part, lexicon=lexicon).tables))
    return dict(output.metrics)


def counted(metrics: dict[str, float]) -> int:
    return int(sum(metrics[f"{name}_taken"] for name in ("train", "dev", "test")))


@pytest.mark.bench
def test_whole_chain(tmp_path: Path) -> None:
    lines = [f"{'input':>6} {'graphs':>9} {'questions':>10} {'CPU s':>7} {'MB':>6}  (graphs to records, all kernels)"]
    found: list[Measured] = []
    for times in multiples(1, 4, 16):
        folder = tmp_path / str(times)
        folder.mkdir()
        table = graphs(times)
        # As many graphs a shard, whatever the size of the input: that is what `build.buckets` is for.
        for number, part in split(table, ("para_id",), 4 * times).items():
            pq.write_table(part, folder / f"graphs-{number:05}.parquet")
        found.append(measure(load_path, build, counted, folder))
        ours = found[-1]
        lines.append(f"{f'{times}x':>6} {table.num_rows:>9,} {ours.result:>10,} {ours.cpu:>7.2f} {ours.peak:>6.0f}")
    print("\n" + "\n".join(lines))
