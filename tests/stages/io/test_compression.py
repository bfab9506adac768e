"""Decompression: every format, several streams in a row, cut and damaged files, bombs."""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from pathlib import Path

import pytest
from backports import zstd

from stages.core.alive import taken_in
from stages.io.compression import CorruptInput, TruncatedInput, open_decompressed

PACK = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": zstd.compress,
    "plain": lambda data: data,
}


def read_all(path: Path, step: int = 1000) -> bytes:
    with open_decompressed(str(path)) as file:
        return b"".join(iter(lambda: file.read(step), b""))


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("step", [1, 7, 65536])
def test_gives_back_what_was_packed_from_one_or_more_streams(tmp_path: Path, kind: str, step: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(PACK[kind](b"abc\n" * 300) + PACK[kind](b"second") + PACK[kind](b""))
    assert read_all(path, step) == b"abc\n" * 300 + b"second"


@pytest.mark.parametrize("kind", PACK)
def test_says_how_many_bytes_of_the_part_as_stored_were_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(PACK[kind](bytes((i * i * 7 + i // 3) % 251 for i in range(400_000))))
    end = path.stat().st_size
    taken_in()
    with open_decompressed(str(path), 0, end) as file:
        file.read(1000)
        first = taken_in()
        while file.read(1000):
            pass
    assert 0 < first <= end and first + taken_in() == end
    # Whoever looks into a file without a part to read reads no source.
    assert read_all(path) and taken_in() == 0


@pytest.mark.parametrize("kind", ["gz", "bz2", "zst"])
def test_a_cut_file_gives_what_it_holds_and_then_says_so(tmp_path: Path, kind: str) -> None:
    noise = bytes((i * i * 7 + i // 3) % 251 for i in range(400_000))
    path = tmp_path / "file"
    path.write_bytes(PACK[kind](b"whole stream") + PACK[kind](noise)[:-9])
    got = b""
    with open_decompressed(str(path)) as file, pytest.raises(TruncatedInput):
        while True:
            got += file.read(5000)
    assert got.startswith(b"whole stream")
    assert noise.startswith(got[len(b"whole stream") :])
    if kind != "bz2":  # a bzip2 block decodes whole or not at all
        assert len(got) > 12


@pytest.mark.parametrize("kind", ["gz", "bz2", "zst"])
def test_a_fault_is_raised_again_by_every_later_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(PACK[kind](b"fine") + b"garbage after the end")
    with open_decompressed(str(path)) as file:
        assert file.read(100) == b"fine"
        for _ in range(2):
            with pytest.raises(CorruptInput):
                file.read(100)


def test_gzip_padding_with_zero_bytes_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(b"data") + b"\0" * 512)
    assert read_all(path) == b"data"


@pytest.mark.parametrize("kind", ["gz", "bz2", "zst"])
def test_a_bomb_takes_time_but_no_memory(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(PACK[kind](b"\0" * 200_000_000))
    assert path.stat().st_size < 300_000
    tracemalloc.start()
    with open_decompressed(str(path)) as file:
        total = sum(len(data) for data in iter(lambda: file.read(65536), b""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 200_000_000
    assert peak < 48_000_000


@pytest.mark.parametrize("kind", PACK)
def test_the_beginning_is_that_of_all_streams_however_short_the_first_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(PACK[kind](b"a") + PACK[kind](b"") + PACK[kind](b"bc") + PACK[kind](b"defgh"))
    with open_decompressed(str(path)) as file:
        assert file.head(5) == b"abcde" and file.head(100) == b"fgh" and file.head(5) == b""


def test_the_beginning_before_a_fault_is_given_and_the_fault_after_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(b"fine") + b"garbage after the end")
    with open_decompressed(str(path)) as file:
        assert file.head(100) == b"fine"
        with pytest.raises(CorruptInput):
            file.head(100)
