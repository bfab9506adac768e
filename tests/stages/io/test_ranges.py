"""Parts of files: every line is read by exactly one part, however the file is cut."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.io.lines import Line, read_lines
from stages.io.ranges import parts_of


def lines_in_parts(path: Path, part_bytes: int, max_bytes: int = 1000) -> list[list[Line]]:
    return [list(read_lines(part, max_bytes)) for part in parts_of(str(path), part_bytes)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=12).map(lambda b: b.translate(None, b"\n\r"))), st.integers(1, 40), st.booleans())
def test_plain_parts_cover_each_line_once(
    tmp_path: Path, content: list[bytes], part_bytes: int, final_break: bool
) -> None:
    path = tmp_path / "lines"
    # The first byte is fixed, or the lines found may happen to be a compressed file's first bytes.
    data = b"\n".join([b"a", *content]) + (b"\n" if final_break else b"")
    path.write_bytes(data)
    got = [line for part in lines_in_parts(path, part_bytes) for line in part]
    assert [line.data for line in got] == data.split(b"\n")
    assert [line.ended for line in got] == [True] * (len(got) - 1) + [False]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=30), min_size=1, max_size=6), st.integers(1, 120))
def test_bzip2_parts_cover_each_line_once_even_where_lines_cross_streams(
    tmp_path: Path, pieces: list[bytes], part_bytes: int
) -> None:
    path = tmp_path / "lines.bz2"
    pieces = [piece.replace(b"\r", b"") for piece in pieces]
    path.write_bytes(b"".join(bz2.compress(piece) for piece in pieces))
    got = [line for part in lines_in_parts(path, part_bytes) for line in part]
    assert [line.data for line in got] == b"".join(pieces).split(b"\n")
    assert [line.ended for line in got] == [True] * (len(got) - 1) + [False]


def test_gzip_is_one_part_and_plain_is_split(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(range(256)) * 10))
    (tmp_path / "a.txt").write_bytes(b"x" * 100)
    assert len(parts_of(str(tmp_path / "a.gz"), 10)) == 1
    assert [(part.start, part.end) for part in parts_of(str(tmp_path / "a.txt"), 40)] == [(0, 40), (40, 80), (80, 100)]


def test_an_empty_file_is_one_part_with_its_end_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    assert lines_in_parts(tmp_path / "empty", 10) == [[Line(b"", ended=False)]]


def test_an_oversized_line_is_an_error_and_the_next_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"short\n" + b"x" * 3_000_000 + b"\nnext\r\n")
    [[first, long, last, end]] = lines_in_parts(path, 10_000_000)
    assert end == Line(b"", ended=False)
    assert (first.data, last.data, last.error) == (b"short", b"next", None)
    assert long == Line(b"x" * 200, "oversized_line: 3000000 bytes, the limit is 1000")


@pytest.mark.parametrize("cut", [1, 20])
def test_a_cut_gzip_file_ends_with_an_error(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\nthree")[:-cut])
    [lines] = lines_in_parts(path, 10)
    assert lines[-1].error == "truncated_input: the file ends inside a compressed stream"
    assert [line.data for line in lines[:-1]] == ([b"one", b"two"] if cut == 1 else [])
