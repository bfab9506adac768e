from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import StorageError
from stages.core.contract import StageError
from stages.musique.hop_sources.source import HopFiles, is_tab_separated
from tests.stages.musique.single_hops.files import NEUTRAL, ZERO_SHOT, read, write


def test_lines_are_read_in_parts_and_bad_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    line = ZERO_SHOT.removesuffix("\tLennon")
    path.write_bytes(b"\n".join([line.encode(), b"a\tb\tc\td\t\xff", line.replace("Imagine", "Help").encode()]))
    whole = read(path)
    assert whole[1] == {"bad_encoding": 1}
    assert sorted(row["question"] for row in read(path, part_bytes=40)[0]) == [
        "Help >> performer",
        "Imagine >> performer",
    ]
    assert read(path, max_record_bytes=50)[1] == {"oversized_line": 2, "bad_encoding": 1}


def test_a_file_that_ends_early_gives_what_came_before(tmp_path: Path) -> None:
    packed = gzip.compress(
        "\n".join(json.dumps(NEUTRAL | {"id": str(n), "question": f"{n}?"}) for n in range(2000)).encode()
    )
    path = tmp_path / "n.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    found, reasons = read(path)
    assert 0 < len(found) < 2000
    assert reasons["truncated_input"] == 1


@pytest.mark.parametrize("part_bytes", [20, 1 << 20])
@pytest.mark.parametrize("lost", [1, 2, 20, 40])
def test_a_file_of_records_that_is_cut_says_so(lost: int, part_bytes: int, tmp_path: Path) -> None:
    path = write(tmp_path / "n.jsonl", *(NEUTRAL | {"id": str(number)} for number in range(3)))
    path.write_bytes(path.read_bytes()[:-lost])
    found, reasons = read(path, part_bytes=part_bytes)
    assert (len(found), reasons) == (2, {"truncated_input": 1})


@pytest.mark.parametrize("part_bytes", [20, 1 << 20])
@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ("p", "truncated_input"),
        ("p\tWho?\tHelp", "truncated_input"),
        ("p\tWho?\tHelp\tIt was sung by Jo", "truncated_input"),
        ("p\tWho?\tHelp\tIt was sung by Jo\t ", "truncated_input"),
        ("p\tWho?\tHelp\tIt was sung by Jo.\n", "unanswerable"),
        ("p\tWho?\n", "bad_line"),
        ("p\tWho?\tHelp\tIt was sung by Jo.\tJo", None),
    ],
)
def test_a_file_of_lines_that_is_cut_says_so(last: str, reason: str | None, part_bytes: int, tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text(f"{ZERO_SHOT}\n{last}", encoding="utf-8")
    found, reasons = read(path, part_bytes=part_bytes)
    assert (len(found), reasons) == ((2, {reason: 1}) if reason else (3, {}))


def test_a_line_that_is_cut_inside_a_letter_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_bytes(f"{ZERO_SHOT}\np\tWho?\tZürich\tZürich is a ü".encode()[:-1])
    assert read(path)[1] == {"truncated_input": 1}
    path.write_bytes(path.read_bytes() + b"\n")
    assert read(path)[1] == {"bad_encoding": 1}


def test_what_is_read_depends_on_neither_order_nor_parts(tmp_path: Path) -> None:
    records = [
        json.dumps(NEUTRAL | {"id": str(number), "question": f"Song {number} >> performer"}) for number in range(50)
    ]
    one = write(tmp_path / "a.jsonl", *records)
    two = tmp_path / "b.jsonl.bz2"
    two.write_bytes(bz2.compress("\n".join(reversed(records)).encode()))

    def ordered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return sorted(rows, key=lambda row: row["content"])

    assert ordered(read(one, part_bytes=500)[0]) == ordered(read(two)[0])
    assert HopFiles((str(one),)).identity() != HopFiles((str(two),)).identity()


def test_files_have_to_be_named() -> None:
    with pytest.raises(StageError, match="no file given; name at least one with --source"):
        HopFiles(())


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none\.jsonl"):
        HopFiles((str(tmp_path / "none.jsonl"),)).parts()


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\tb\tc\td", True),
        (b"\xef\xbb\xbf\n a\tb\tc\td\te\n{}", True),
        # A line without answers still has four cells; fewer are of another format.
        (b"a\tb\tc\nd\te\tf\tg", False),
        (b'{"a":\t\t\t1}', False),
        (b"[\t\t\t]", False),
        (b"", False),
    ],
)
def test_lines_of_cells_are_told_from_json(tmp_path: Path, content: bytes, lines: bool) -> None:
    plain, packed = tmp_path / "f", tmp_path / "f.gz"
    plain.write_bytes(content)
    packed.write_bytes(gzip.compress(content))
    assert [is_tab_separated(str(path)) for path in (plain, packed)] == [lines, lines]


def test_a_file_that_is_not_what_its_name_says_is_no_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv.gz", ZERO_SHOT)
    path.write_bytes(gzip.compress(ZERO_SHOT.encode())[:12])
    assert not is_tab_separated(str(path))
    assert set(read(path)[1]) == {"truncated_input"}


def test_files_of_both_kinds_are_read_together(tmp_path: Path) -> None:
    lines = write(tmp_path / "b.tsv", ZERO_SHOT)
    records = write(tmp_path / "a.jsonl", NEUTRAL)
    found, reasons = read(lines, records)
    assert reasons == {}
    assert [row["source"] for row in found] == ["my-set", "zero-shot-re", "zero-shot-re"]
    source = HopFiles((str(lines), str(records)), licence="CC0-1.0")
    assert source.licences() == {"single hops": "CC0-1.0"}
    assert sorted(source.identity().values()) == sorted(
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (lines, records)
    )


@given(
    st.lists(
        st.lists(st.text(alphabet="ab ", min_size=1, max_size=4), min_size=4, max_size=6), min_size=1, max_size=12
    ),
    st.integers(1, 60),
)
def test_each_line_is_read_once_however_the_file_is_cut(rows: list[list[str]], part_bytes: int) -> None:
    rows[0][0] = "first"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.tsv"
        path.write_bytes(b"".join(b"\t".join(cell.encode() for cell in cells) + b"\n" for cells in rows))
        source = HopFiles((str(path),), part_bytes=part_bytes)
        tables = [table for part in source.parts() for table in source.read(part)]
    found = [msgspec.json.decode(data)["tab_separated"] for table in tables for data in table["data"].to_pylist()]
    # A line of blanks only is a blank line.
    assert found == [cells for cells in rows if "".join(cells).strip()]
    assert all(table.schema == source.schema for table in tables)
