"""Zstandard files in frames: read in parts each byte once, and a list of frames that lies is a fault, not a loss."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.io.compression import CorruptInput, open_decompressed
from stages.io.lines import read_lines
from stages.io.ranges import parts_of
from stages.io.zstd_frames import frame_list, frame_starts


def framed(*pieces: bytes) -> bytes:
    frames = [zstd.compress(piece) for piece in pieces]
    return b"".join(frames) + frame_list(
        [(len(frame), len(piece)) for frame, piece in zip(frames, pieces, strict=True)]
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=30), min_size=1, max_size=6), st.integers(1, 120))
def test_parts_cover_each_line_once_even_where_lines_cross_frames(
    tmp_path: Path, pieces: list[bytes], part_bytes: int
) -> None:
    path = tmp_path / "lines.zst"
    pieces = [piece.replace(b"\r", b"") for piece in pieces]
    path.write_bytes(framed(*pieces))
    got = [line for part in parts_of(str(path), part_bytes) for line in read_lines(part, 1000)]
    assert [line.data for line in got] == b"".join(pieces).split(b"\n")
    assert [line.ended for line in got] == [True] * (len(got) - 1) + [False]


def test_a_list_says_where_frames_begin() -> None:
    one, two = zstd.compress(b"x" * 100), zstd.compress(b"")
    data = framed(b"x" * 100, b"")
    assert frame_starts(io.BytesIO(data)) == [0, len(one), len(one) + len(two)]
    # Whoever knows nothing of lists reads the same.
    assert zstd.decompress(data) == b"x" * 100


def test_a_list_with_checksums_is_read() -> None:
    frame = zstd.compress(b"abc")
    entries = len(frame).to_bytes(4, "little") + (3).to_bytes(4, "little") + b"sums"
    foot = (1).to_bytes(4, "little") + b"\x80" + 0x8F92EAB1.to_bytes(4, "little")
    head = 0x184D2A5E.to_bytes(4, "little") + len(entries + foot).to_bytes(4, "little")
    assert frame_starts(io.BytesIO(frame + head + entries + foot)) == [0, len(frame)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        zstd.compress(b"abc"),
        # One byte of the list is missing, and one too many before it.
        framed(b"abc")[:-1],
        b"x" + framed(b"abc"),
        # More frames than the file has bytes; none; a flag that nobody knows.
        framed(b"abc")[:-9] + b"\xff\xff\xff\xff\x00" + framed(b"abc")[-4:],
        framed(),
        framed(b"abc")[:-5] + b"\x04" + framed(b"abc")[-4:],
    ],
)
def test_what_does_not_add_up_is_no_list(data: bytes) -> None:
    assert frame_starts(io.BytesIO(data)) == []


def test_without_a_list_a_file_is_one_part(tmp_path: Path) -> None:
    (tmp_path / "one.zst").write_bytes(zstd.compress(b"a\n" * 500) + zstd.compress(b"b\n" * 500))
    assert len(parts_of(str(tmp_path / "one.zst"), 10)) == 1
    with open_decompressed(str(tmp_path / "one.zst")) as file:
        assert file.head(3000) == b"a\n" * 500 + b"b\n" * 500


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_list_that_lies_about_a_frame_is_a_fault_in_whole_and_in_part(tmp_path: Path, shift: int) -> None:
    one, two = zstd.compress(b"a\n" * 50), zstd.compress(b"b\n" * 50)
    path = tmp_path / "lying.zst"
    path.write_bytes(one + two + frame_list([(len(one) + shift, 100), (len(two) - shift, 100)]))
    with open_decompressed(str(path)) as file, pytest.raises(CorruptInput):
        while file.read():
            pass
    errors = [line.error for part in parts_of(str(path), len(one)) for line in read_lines(part) if line.error]
    assert errors and all(error.startswith("corrupt_input") for error in errors)


def test_a_damaged_frame_is_a_fault_after_what_was_sound(tmp_path: Path) -> None:
    path = tmp_path / "damaged.zst"
    data = bytearray(framed(b"a\n" * 50, bytes(range(256)) * 4))
    starts = frame_starts(io.BytesIO(data))
    data[starts[1] + 5 : starts[1] + 9] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    with open_decompressed(str(path)) as file:
        assert file.read(1000) == b"a\n" * 50
        with pytest.raises(CorruptInput):
            while file.read():
                pass


def test_a_frame_that_unpacks_to_much_comes_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zst"
    path.write_bytes(framed(b"\0" * 50_000_000))
    with open_decompressed(str(path)) as file:
        sizes = [len(piece) for piece in iter(lambda: file.read(1 << 16), b"")]
    assert sum(sizes) == 50_000_000 and max(sizes) <= 1 << 16
