"""Wikidata records to rows: the kernel against `json` and dictionaries.

The input is the built-in sample, repeated, its records widened to what a full dump holds
beside what is read: names in further languages, and references.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pytest

from pipelines.samples import sample_files
from stages.core.contract import Output
from stages.io.json_files import RECORDS
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.source import WikidataDump
from tests.bench import wikidata_plain
from tests.bench.measure import measure, report

REPEATS = 4
BATCH_LINES = 400
LANGUAGES = 40
# What both ways leave out; records with any other reject are no part of the input.
_SOUND = {"deprecated", "not_preferred", "ended", "no_value", "some_value"}
Counts = dict[str, int]


def kernel(lines: list[bytes]) -> Output:
    table = pa.table([pa.array(lines, pa.large_binary()), pa.nulls(len(lines), pa.string())], schema=RECORDS)
    return parse(table, params=ParseParams())


def sound_lines() -> list[bytes]:
    (path,) = [path for path in sample_files("world") if path.endswith(".json")]
    lines = [line.rstrip(b",") for line in Path(path).read_bytes().splitlines() if len(line) > 2]
    return [line for line in lines if _is_sound(kernel([line]))]


def _is_sound(output: Output) -> bool:
    return output.tables["entities"].num_rows == 1 and set(output.rejects["reason"].to_pylist()) <= _SOUND


def widened(line: bytes) -> bytes:
    """The record with labels and descriptions in 40 more languages, and a reference at each statement."""
    record = json.loads(line)
    for number in range(LANGUAGES):
        language = f"x-{number}"
        record["labels"][language] = {"language": language, "value": f"{record['id']} as {language} calls it"}
        record["descriptions"][language] = {"language": language, "value": f"what {language} says of {record['id']}"}
    for statements in record["claims"].values():
        for statement in statements:
            snak = {"snaktype": "value", "hash": "0" * 40} | statement["mainsnak"]
            statement["references"] = [{"hash": "0" * 40, "snaks": {"P248": [snak]}, "snaks-order": ["P248"]}]
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()


def path_of(path: str) -> tuple[str]:
    return (path,)


def by_kernel(path: str) -> Counts:
    source = WikidataDump((path,))
    counts: Counter[str] = Counter()
    for part in source.parts():
        for batch in source.read(part):
            counts.update({name: table.num_rows for name, table in parse(batch, params=ParseParams()).tables.items()})
    return dict(counts)


def by_python(path: str) -> Counts:
    counts: Counter[str] = Counter()
    with Path(path).open("rb") as file:
        while lines := list(islice(file, BATCH_LINES)):
            counts.update({name: len(rows) for name, rows in wikidata_plain.parse(lines).items()})
    return dict(counts)


@pytest.mark.bench
def test_parse(tmp_path: Path) -> None:
    lines = [widened(line) for line in sound_lines()]
    ours, plain = kernel(lines).tables, wikidata_plain.parse(lines)
    assert {name: in_order(table.to_pylist()) for name, table in ours.items()} == {
        name: in_order(found) for name, found in plain.items()
    }
    rows = []
    for times in (1, 4, 16):
        path = tmp_path / f"{times}.json"
        path.write_bytes(b"".join(line + b",\n" for _ in range(REPEATS * times) for line in lines))
        kernels = measure(path_of, by_kernel, dict, str(path))
        python = measure(path_of, by_python, dict, str(path))
        assert kernels.result == python.result
        rows.append((times, len(lines) * REPEATS * times, kernels, python))
    print("\n" + report("wikidata.parse, by records of 7 kB (the built-in sample's, widened and repeated)", rows))


def in_order(rows: list[wikidata_plain.Row]) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in rows)
