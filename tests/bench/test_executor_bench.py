"""The executor's join against dictionaries and against Beam record by record, from shards to shards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.join_input import publish
from tests.bench.join_ways import by_executor, by_python, by_records, digest, load
from tests.bench.measure import Measured, measure

ROWS = 100_000
BUCKETS = 8


@pytest.mark.bench
def test_join(tmp_path: Path) -> None:
    """As many rows a bucket, whatever the size of the input: that is what `build.buckets` is for."""
    lines = [
        "executor: join of two tables, from shards to shards",
        f"{'input':>6} {'rows':>12} {'buckets':>8} {'executor s':>11} {'python s':>9} {'ratio':>6} {'records s':>10}"
        f" {'MB':>6} {'MB python':>10} {'MB records':>11}",
    ]
    for times in (1, 4, 16):
        folder = tmp_path / str(times)
        folder.mkdir()
        tables = publish(folder, ROWS * times, BUCKETS * times)
        where = (folder, tables, BUCKETS * times)
        ours, plain = (measure(load, way, digest, *where) for way in (by_executor, by_python))
        records = measure(load, by_records, digest, *where) if times == 1 else None
        assert ours.result == plain.result and (records is None or records.result == ours.result)
        lines.append(_line(times, BUCKETS * times, ours, plain, records))
    print("\n" + "\n".join(lines))


def _line(times: int, buckets: int, ours: Measured, plain: Measured, records: Measured | None) -> str:
    cpu, peak = (f"{records.cpu:.2f}", f"{records.peak:.0f}") if records else ("", "")
    return (
        f"{f'{times}x':>6} {f'2 x {ROWS * times:,}':>12} {buckets:>8} {ours.cpu:>11.2f} {plain.cpu:>9.2f}"
        f" {plain.cpu / ours.cpu:>6.2f} {cpu:>10} {ours.peak:>6.0f} {plain.peak:>10.0f} {peak:>11}"
    )
