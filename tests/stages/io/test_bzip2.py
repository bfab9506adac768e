"""bzip2 files read in parts that meet at blocks."""

from __future__ import annotations

import bz2
import io
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.io.compression import CorruptInput, Decompressed, InputFault, TruncatedInput


def text(size: int, seed: int = 0) -> bytes:
    """Bytes that do not compress much, so that a few of them make several blocks."""
    return random.Random(seed).randbytes(size)


def opened(packed: bytes, start: int = 0, end: int = 1 << 30) -> Decompressed:
    return Decompressed(io.BytesIO(packed), "bzip2", start, end)


def read_all(reader: Decompressed, step: int = 50_000) -> bytes:
    pieces = []
    while data := reader.read(step):
        assert len(data) <= step
        pieces.append(data)
    return b"".join(pieces)


def own_bytes(packed: bytes, part_bytes: int) -> list[bytes]:
    """What each part calls its own."""
    found = []
    for start in range(0, len(packed), part_bytes):
        reader = opened(packed, start, start + part_bytes)
        data = read_all(reader)
        found.append(data[: reader.own])
    return found


@pytest.mark.parametrize("part_bytes", [1_000, 33_333, 100_000, 10_000_000])
@pytest.mark.parametrize("streams", [1, 3])
def test_parts_together_are_the_whole(part_bytes: int, streams: int) -> None:
    contents = [text(250_000, seed) for seed in range(streams)]
    packed = b"".join(bz2.compress(content, 1) for content in contents)
    parts = own_bytes(packed, part_bytes)
    assert b"".join(parts) == b"".join(contents)
    if part_bytes == 100_000:
        assert sum(map(bool, parts)) > 2


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(max_size=300), max_size=6), st.integers(1, 200))
def test_any_streams_and_any_parts(contents: list[bytes], part_bytes: int) -> None:
    packed = b"".join(map(bz2.compress, contents))
    assert b"".join(own_bytes(packed, part_bytes)) == b"".join(contents)


def test_first_and_no_blocks() -> None:
    packed = bz2.compress(b"x")
    reader = opened(packed, 10, 99)
    assert (reader.first, reader.own, read_all(reader)) == (False, 0, b"")
    # The first part takes the first record, even where no block starts inside it.
    short = opened(packed, 0, 1)
    assert (short.first, read_all(short)) == (True, b"x")
    assert short.own == 0


def test_truncated() -> None:
    packed = bz2.compress(text(250_000), 1)
    reader = opened(packed[:-200])
    got = b""
    with pytest.raises(TruncatedInput):
        while data := reader.read(10_000):
            got += data
    # Level 1 puts just under 100,000 bytes in a block: two of three were whole.
    assert 190_000 < len(got) < 200_000
    assert text(250_000).startswith(got)


def test_damaged_block() -> None:
    packed = bytearray(bz2.compress(text(250_000), 1))
    packed[len(packed) // 2] ^= 0xFF
    reader = opened(bytes(packed))
    with pytest.raises(CorruptInput, match="damaged"):
        read_all(reader)


@pytest.mark.parametrize("cut", [1, 4, 9])
def test_a_stream_whose_own_checksum_is_cut_gives_its_blocks_first(cut: int) -> None:
    reader = opened(bz2.compress(b"some text")[:-cut])
    if cut < 9:
        assert reader.read() == b"some text"
    with pytest.raises(TruncatedInput):
        reader.read()


@pytest.mark.parametrize(
    ("rest", "fault"),
    [(b"garbage", CorruptInput), (b"\0", CorruptInput), (b"BZ", TruncatedInput), (b"BZh91AY", TruncatedInput)],
)
@pytest.mark.parametrize("start", [0, 100_000])
def test_what_follows_the_last_stream_is_another_one_or_a_fault(
    rest: bytes, fault: type[InputFault], start: int
) -> None:
    content = text(250_000)
    packed = bz2.compress(content, 1)
    reader = opened(packed + rest, start)
    got = b""
    with pytest.raises(fault):
        while data := reader.read():
            got += data
    assert got and content.endswith(got)
    with pytest.raises(CorruptInput, match="something else"):
        read_all(opened(packed + b"garbage" + packed, start))


def test_bomb_gives_no_more_than_was_asked_for() -> None:
    packed = bz2.compress(bytes(60_000_000))
    assert len(packed) < 100
    reader = opened(packed)
    assert len(read_all(reader, 1 << 20)) == 60_000_000


@given(st.binary(max_size=300))
def test_any_bytes_end_in_a_fault_at_worst(junk: bytes) -> None:
    packed = bz2.compress(b"some text")[:-3] + junk
    reader = opened(packed)
    try:
        read_all(reader)
    except InputFault as fault:
        assert fault.reason in ("truncated_input", "corrupt_input")


@pytest.mark.slow
def test_real_dump(shared_data: Path) -> None:
    packed = (shared_data / "wikidata/raw/gensim-enwiki-20160501-pages-articles-shortened.xml.bz2").read_bytes()
    parts = own_bytes(packed, 300_000)
    assert b"".join(parts) == bz2.decompress(packed)
    assert sum(map(bool, parts)) > 3


def test_a_block_that_never_ends_is_refused_and_not_kept() -> None:
    """A sound block has 1.2 MB at most; this one goes on for 20."""
    packed = bz2.compress(b"record\n")
    reader = opened(packed[:-12] + bytes(20_000_000) + packed[-12:])
    tracemalloc.start()
    try:
        with pytest.raises(InputFault):
            reader.read()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6_000_000
