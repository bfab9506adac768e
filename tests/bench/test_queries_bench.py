"""Query kernels against plain Python on the same generated input: same result, CPU seconds and peak memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.facts.answer_kinds import AnswerKinds
from stages.facts.statements import facts
from stages.qampari.intersection_parts import parts
from stages.qampari.intersections import intersections
from stages.qampari.overlaps import OverlapParams, overlaps
from stages.qampari.shared_answers import SharedParams, shared
from stages.qampari.simple_queries import KindRelations, simple
from tests.bench import queries_plain
from tests.bench.measure import Measured, measure, report
from tests.bench.queries_input import LIMITS, TYPED, UNTYPED, graph, kept

Tables = tuple[pa.Table, ...]
GRAPH = ("statements", "entities", "articles", "class_ancestors", "class_sorts", "corpus")
KEPT = ("simple_queries", "simple_answers")


def load_tables(folder: Path, names: tuple[str, ...]) -> Tables:
    return tuple(pq.read_table(folder / f"{name}.parquet") for name in names)


def load_rows(folder: Path, names: tuple[str, ...]) -> tuple[list[dict[str, Any]], ...]:
    return tuple(table.to_pylist() for table in load_tables(folder, names))


def simple_by_kernels(*tables: pa.Table) -> Tables:
    found = facts(*tables, kinds=AnswerKinds(TYPED, dict.fromkeys(UNTYPED)), limits=LIMITS).tables
    output = simple(found["facts"], found["pageless_facts"], tables[1], tables[3], limits=LIMITS, kinds=KindRelations())
    return output.tables["queries"], output.tables["query_answers"]


def simple_by_python(*rows: list[dict[str, Any]]) -> tuple[Any, ...]:
    return queries_plain.simple(*rows[:4], UNTYPED, TYPED, LIMITS)


def intersections_by_kernels(queries: pa.Table, answers: pa.Table) -> Tables:
    first = shared(answers, params=SharedParams()).tables
    second = overlaps(first["shared_answers"], first["hot_answers"], params=OverlapParams()).tables
    third = parts(second["overlaps"], queries, answers).tables
    output = intersections(third["pair_parts"], third["pair_proofs"])
    return output.tables["intersection_queries"], output.tables["intersection_answers"]


def intersections_by_python(queries: list[dict[str, Any]], answers: list[dict[str, Any]]) -> tuple[Any, ...]:
    return queries_plain.intersections(
        queries, answers, OverlapParams().min_answers, SharedParams().max_queries_per_answer
    )


def simple_digest(found: tuple[Any, ...]) -> tuple[int, str]:
    return _digest(found[1], ("query", "subject"))


def intersection_digest(found: tuple[Any, ...]) -> tuple[int, str]:
    return _digest(found[1], ("query", "answer", "proofs", "scores"))


def _digest(rows: pa.Table | list[dict[str, Any]], columns: Iterable[str]) -> tuple[int, str]:
    """Number of rows, and a hash of their columns in an order of its own."""
    records = rows.to_pylist() if isinstance(rows, pa.Table) else rows
    lines = sorted(json.dumps([row[name] for name in columns]) for row in records)
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _compare(
    tmp_path: Path,
    make: Callable[[int], dict[str, pa.Table]],
    size: int,
    names: tuple[str, ...],
    ways: tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]],
) -> list[tuple[int, int, Measured, Measured]]:
    kernels, python, digest = ways
    rows = []
    for times in (1, 4, 16):
        folder = tmp_path / str(times)
        folder.mkdir()
        for name, table in make(size * times).items():
            pq.write_table(table, folder / f"{name}.parquet")
        ours = measure(load_tables, kernels, digest, folder, names)
        plain = measure(load_rows, python, digest, folder, names)
        assert ours.result == plain.result
        assert ours.result[0] > 0
        rows.append((times, size * times, ours, plain))
    return rows


@pytest.mark.bench
def test_simple_queries(tmp_path: Path) -> None:
    ways = (simple_by_kernels, simple_by_python, simple_digest)
    print("\n" + report("facts and simple queries, by statements", _compare(tmp_path, graph, 100_000, GRAPH, ways)))


@pytest.mark.bench
def test_intersections(tmp_path: Path) -> None:
    ways = (intersections_by_kernels, intersections_by_python, intersection_digest)
    print("\n" + report("intersections, by answers of kept queries", _compare(tmp_path, kept, 10_000, KEPT, ways)))
