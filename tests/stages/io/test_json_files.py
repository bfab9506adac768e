"""Dump files of every compression and layout, sound, cut and hostile."""

from __future__ import annotations

import bz2
import gzip
import json
import pickle
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from manifests.storage import StorageError
from stages.core.contract import StageError
from stages.io.json_files import RECORDS, DumpPart
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.source import WikidataDump

Entity = dict[str, object]

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": lambda data: bz2.compress(data, 1),
    "zstd": zstd.compress,
    "members": lambda data: gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :]),
    "streams": lambda data: bz2.compress(data[: len(data) // 3]) + bz2.compress(data[len(data) // 3 :]),
    "frames": lambda data: zstd.compress(data[: len(data) // 2]) + zstd.compress(data[len(data) // 2 :]),
}


def _lines(entities: list[Entity]) -> list[str]:
    return [json.dumps(entity, ensure_ascii=False) for entity in entities]


LAYOUTS: dict[str, Callable[[list[Entity]], str]] = {
    "dump": lambda entities: "[\n" + ",\n".join(_lines(entities)) + "\n]\n",
    "windows": lambda entities: "[\r\n" + ",\r\n".join(_lines(entities)) + "\r\n]\r\n",
    "lines": lambda entities: "".join(line + "\n" for line in _lines(entities)),
    "unended": lambda entities: "\n".join(_lines(entities)),
    "tight": lambda entities: "[" + ",\n".join(_lines(entities)) + "]",
    "blank": lambda entities: "\ufeff[\n\n" + ",\n\n".join(_lines(entities)) + "\n\n]",
    "one_line": lambda entities: json.dumps(entities),
    "pretty": lambda entities: json.dumps(entities, indent=2, ensure_ascii=False),
    "pretty_objects": lambda entities: "\n".join(json.dumps(entity, indent=1) for entity in entities),
    "answer": lambda entities: json.dumps({"success": 1, "entities": {str(each["id"]): each for each in entities}}),
    "pretty_answer": lambda entities: json.dumps(
        {"entities": {str(each["id"]): each for each in entities}, "success": 1}, indent=4
    ),
}


def entity(number: int, label: str = "name", parents: tuple[int, ...] = ()) -> Entity:
    claims = [
        {
            "mainsnak": {
                "snaktype": "value",
                "property": "P279",
                "datavalue": {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": f"Q{parent}"}},
            },
            "rank": "normal",
        }
        for parent in parents
    ]
    labels = {"en": {"language": "en", "value": label}}
    return {"id": f"Q{number}", "type": "item", "labels": labels, "claims": {"P279": claims} if claims else []}


def read(source: WikidataDump) -> pa.Table:
    return pa.concat_tables([RECORDS.empty_table(), *(table for part in source.parts() for table in source.read(part))])


def errors(source: WikidataDump) -> list[str]:
    return [error for error in read(source)["error"].to_pylist() if error is not None]


def rows(source: WikidataDump) -> dict[str, list[tuple[object, ...]]]:
    """Every table of a parse, rejects included, in an order that does not depend on the input's."""
    output = parse(read(source), params=ParseParams())
    tables = {**output.tables, "rejects": output.rejects}
    return {
        name: sorted(map(repr, table.to_pylist()))  # type: ignore[misc]
        for name, table in tables.items()
    }


@pytest.fixture
def entities() -> list[Entity]:
    numbers = random.Random(5)
    label = 'µ ‘x’ {["\\]} ' * 3
    return [entity(number, f"{label}{numbers.random()}", (number + 1, number + 2)) for number in range(1, 1500)]


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_file_gives_the_same_rows(tmp_path: Path, entities: list[Entity], layout: str, compression: str) -> None:
    plain = tmp_path / "plain.json"
    plain.write_text(LAYOUTS["dump"](entities))
    path = tmp_path / "dump"
    path.write_bytes(COMPRESS[compression](LAYOUTS[layout](entities).encode()))
    source = WikidataDump((str(path),), part_bytes=20_000, batch_bytes=50_000)
    assert rows(source) == rows(WikidataDump((str(plain),)))
    assert errors(source) == []


def test_split_formats_have_several_parts(tmp_path: Path, entities: list[Entity]) -> None:
    counts = {}
    for name in ("plain", "bzip2", "gzip", "zstd"):
        path = tmp_path / name
        path.write_bytes(COMPRESS[name](LAYOUTS["dump"](entities).encode()))
        source = WikidataDump((str(path),), part_bytes=20_000)
        counts[name] = [sum(table.num_rows for table in source.read(part)) for part in source.parts()]
        assert sum(counts[name]) == len(entities)
    assert len(list(filter(None, counts["plain"]))) > 5
    assert len(list(filter(None, counts["bzip2"]))) > 1
    assert [len(counts["gzip"]), len(counts["zstd"])] == [1, 1]


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.integers(1, 99), st.text(max_size=20), max_size=8),
    st.sampled_from(sorted(LAYOUTS)),
    st.sampled_from(sorted(COMPRESS)),
    st.integers(1, 400),
    st.integers(0, 8),
    st.randoms(use_true_random=False),
)
def test_layout_compression_split_and_order_do_not_matter(
    labels: dict[int, str], layout: str, compression: str, part_bytes: int, cut: int, shuffle: random.Random
) -> None:
    listed = [entity(number, label, (number + 1,)) for number, label in labels.items()]
    shuffled = shuffle.sample(listed, len(listed))
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{name}" for name in ("all", "first", "second")]
        Path(paths[0]).write_text(LAYOUTS["dump"](listed))
        for path, some in zip(paths[1:], (shuffled[:cut], shuffled[cut:]), strict=True):
            Path(path).write_bytes(COMPRESS[compression](LAYOUTS[layout](some).encode("utf-8")))
        split = WikidataDump((paths[2], paths[1]), part_bytes=part_bytes, batch_bytes=100)
        assert rows(split) == rows(WikidataDump((paths[0],)))


def test_batches(tmp_path: Path, entities: list[Entity]) -> None:
    path = tmp_path / "dump.json"
    path.write_text(LAYOUTS["dump"](entities))
    source = WikidataDump((str(path),), batch_bytes=10_000)
    (part,) = source.parts()
    assert pickle.loads(pickle.dumps(part)) == part  # noqa: S301
    tables = list(source.read(part))
    assert len(tables) > 20
    assert all(table.schema == source.schema for table in tables)
    sizes = [sum(len(data) for data in table["data"].to_pylist()) for table in tables]
    assert all(10_000 <= size < 11_000 for size in sizes[:-1])


def test_identity_is_of_the_content_alone(tmp_path: Path) -> None:
    for name, text in (("a", "one"), ("b", "two"), ("c", "one")):
        (tmp_path / name).write_text(text)
    a, b, c = (str(tmp_path / name) for name in "abc")
    assert WikidataDump((a, b)).identity() == WikidataDump((b, c)).identity()
    assert WikidataDump((a, b)).identity() != WikidataDump((a,)).identity()
    # sha256 of "one".
    assert WikidataDump((a,)).identity() == {
        "wikidata:0": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    }


def test_licences() -> None:
    assert WikidataDump(("x",)).licences() == {"Wikidata": "CC0-1.0"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nowhere.json"):
        WikidataDump((str(tmp_path / "nowhere.json"),)).parts()


def test_no_file_at_all() -> None:
    with pytest.raises(StageError, match="--source"):
        WikidataDump(())
    with pytest.raises(StageError, match="at least 1"):
        WikidataDump(("x",), part_bytes=0)


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "zstd"])
@pytest.mark.parametrize("layout", ["dump", "pretty"])
def test_a_cut_file_gives_what_was_readable(
    tmp_path: Path, entities: list[Entity], layout: str, compression: str
) -> None:
    packed = COMPRESS[compression](LAYOUTS[layout](entities).encode())
    path = tmp_path / "cut"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    table = read(WikidataDump((str(path),)))
    found = [data for data in table["data"].to_pylist() if data is not None]
    assert 300 < len(found) < len(entities)
    assert [json.loads(data) for data in found] == entities[: len(found)]
    (error,) = [error for error in table["error"].to_pylist() if error]
    assert error.startswith("truncated_input: ")


@pytest.mark.parametrize("compression", ["plain", "gzip", "bzip2", "zstd"])
@pytest.mark.parametrize("end", [",\n", ",\r\n", ",", "\n", "", ",\n\n"])
def test_a_list_that_is_cut_between_two_records_is_told(
    tmp_path: Path, entities: list[Entity], end: str, compression: str
) -> None:
    path = tmp_path / "cut"
    path.write_bytes(COMPRESS[compression](("[\n" + ",\n".join(_lines(entities)[:300]) + end).encode()))
    for part_bytes in (1000, 1 << 30):
        table = read(WikidataDump((str(path),), part_bytes=part_bytes))
        found = table["data"].to_pylist()
        assert [json.loads(data) for data in found[:-1]] == entities[:300]
        assert table["error"].to_pylist() == [None] * 300 + [
            "truncated_input: the list that the file begins with has no end"
        ]


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "zstd"])
def test_a_damaged_file_gives_an_error(tmp_path: Path, entities: list[Entity], compression: str) -> None:
    packed = bytearray(COMPRESS[compression](LAYOUTS["dump"](entities).encode()))
    for at in range(len(packed) // 2, len(packed) // 2 + 40):
        packed[at] ^= 0x5A
    path = tmp_path / "damaged"
    path.write_bytes(bytes(packed))
    (error,) = errors(WikidataDump((str(path),)))
    assert error.startswith("corrupt_input: ")


@pytest.mark.parametrize(
    "data",
    [b"", b"[\n]\n", gzip.compress(b""), bz2.compress(b""), zstd.compress(b"")],
    ids=["nothing", "array", "gzip", "bzip2", "zstd"],
)
def test_empty_files(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "empty"
    path.write_bytes(data)
    assert read(WikidataDump((str(path),))).num_rows == 0


def test_a_huge_line_is_an_error_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    long_label = json.dumps(entity(2, "x" * 50_000))
    path.write_text("\n".join(["[", json.dumps(entity(1)) + ",", long_label + ",", json.dumps(entity(3)), "]"]))
    source = WikidataDump((str(path),), max_record_bytes=10_000)
    table = read(source)
    assert [json.loads(data)["id"] for data in table["data"].to_pylist() if data] == ["Q1", "Q3"]
    (error,) = errors(source)
    assert error.startswith("oversized_line: 50")


# The peak of the process's own memory map: the peak that getrusage tells is inherited from the parent.
_BOMB_READER = """
import pathlib, sys
from stages.wikidata.source import WikidataDump
def peak():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
source = WikidataDump((sys.argv[1],), max_record_bytes=1_000_000)
before = peak()
found = [error for part in source.parts() for table in source.read(part) for error in table["error"].to_pylist()]
print(peak() - before)
print(*found, sep="\\n")
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
@pytest.mark.parametrize(
    ("compression", "head"), [("gzip", b'{"a":"'), ("gzip", b'[{"a":"'), ("bzip2", b""), ("zstd", b'{"a":"')]
)
def test_a_bomb_fills_no_memory(tmp_path: Path, repo: Path, compression: str, head: bytes) -> None:
    # 200 MB of one character in a fifth of a megabyte; what is kept is bounded by one megabyte.
    packed = COMPRESS[compression](head + b"x" * 200_000_000)
    path = tmp_path / "bomb"
    path.write_bytes(packed)
    assert len(packed) < 250_000
    command = [sys.executable, "-c", _BOMB_READER, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=repo)
    assert run.returncode == 0, run.stderr
    kilobytes, *found = run.stdout.splitlines()
    assert int(kilobytes) < 100_000
    assert len(found) == 1
    assert found[0].split(":")[0] in ("oversized_line", "truncated_input")


@pytest.mark.slow
def test_real_dump_in_every_compression(shared_data: Path, tmp_path: Path) -> None:
    data = gzip.decompress((shared_data / "wikidata/entities.json.gz").read_bytes())
    data = data[: data.rindex(b"\n", 0, 12_000_000)]
    expected = sorted(line.rstrip(b",") for line in data.split(b"\n")[1:])
    data += b"\n]"
    for name, compress in COMPRESS.items():
        path = tmp_path / name
        path.write_bytes(compress(data))
        found = read(WikidataDump((str(path),), part_bytes=250_000))
        assert sorted(found["data"].to_pylist()) == expected
        assert found["error"].null_count == found.num_rows


def test_documents_are_one_part(tmp_path: Path, entities: list[Entity]) -> None:
    path = tmp_path / "pretty.json"
    path.write_text(LAYOUTS["pretty"](entities))
    (part,) = WikidataDump((str(path),), part_bytes=1000).parts()
    assert part.document
    assert part == DumpPart(part.file, document=True)
    assert (part.file.start, part.file.end) == (0, path.stat().st_size)
