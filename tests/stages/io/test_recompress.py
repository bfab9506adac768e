"""Recompressing: the same content in frames, whatever a broken-off run has left."""

from __future__ import annotations

import bz2
import gzip
import io
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.io.compression import open_decompressed
from stages.io.ranges import parts_of
from stages.io.recompress import UNFINISHED, one_workers, recompress
from stages.io.zstd_frames import frame_starts

CONTENT = b"".join(b"%d: some line of the file\n" % number for number in range(400))


def content_of(path: Path) -> bytes:
    with open_decompressed(str(path)) as file:
        return b"".join(iter(lambda: file.read(1000), b""))


@pytest.fixture
def given_gz(tmp_path: Path) -> Path:
    path = tmp_path / "in.gz"
    path.write_bytes(gzip.compress(CONTENT))
    return path


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd.compress, bytes])
@pytest.mark.parametrize("content", [CONTENT, b"", b"x"])
def test_the_content_is_the_same_in_frames_that_are_read_apart(tmp_path: Path, pack, content: bytes) -> None:
    (tmp_path / "in").write_bytes(pack(content))
    out = tmp_path / "out.zst"
    told: list[int] = []
    assert recompress(str(tmp_path / "in"), out, told.append, frame_bytes=1000) == max(1, -(-len(content) // 1000))
    assert content_of(out) == content and zstd.decompress(out.read_bytes()) == content
    assert sum(told) == len(content)
    assert len(parts_of(str(out), 100)) == -(-out.stat().st_size // 100)
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(UNFINISHED)] == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_a_broken_off_run_left_the_next_one_writes_the_same(tmp_path: Path, given_gz: Path, data) -> None:
    whole, out = tmp_path / "whole.zst", tmp_path / "out.zst"
    whole.unlink(missing_ok=True)
    out.unlink(missing_ok=True)
    recompress(str(given_gz), whole, frame_bytes=1000)
    left = bytearray(whole.read_bytes()[: data.draw(st.integers(0, whole.stat().st_size))])
    if left and data.draw(st.booleans()):
        left[data.draw(st.integers(0, len(left) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    out.with_name(out.name + UNFINISHED).write_bytes(left)
    recompress(str(given_gz), out, frame_bytes=1000)
    assert content_of(out) == CONTENT


def test_frames_that_are_there_are_not_made_again(
    tmp_path: Path, given_gz: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stages.io import recompress as module

    whole, out = tmp_path / "whole.zst", tmp_path / "out.zst"
    frames = recompress(str(given_gz), whole, frame_bytes=1000)
    starts = frame_starts(io.BytesIO(whole.read_bytes()))
    out.with_name(out.name + UNFINISHED).write_bytes(whole.read_bytes()[: starts[7] + 3])
    made: list[int] = []
    plain = module._compressed

    def counted(piece: bytes) -> bytes:
        made.append(len(piece))
        return plain(piece)

    monkeypatch.setattr(module, "_compressed", counted)
    assert recompress(str(given_gz), out, frame_bytes=1000) == frames
    assert len(made) == frames - 7 and out.read_bytes() == whole.read_bytes()


def test_frames_of_another_file_are_made_anew(tmp_path: Path, given_gz: Path) -> None:
    (tmp_path / "other.gz").write_bytes(gzip.compress(CONTENT[:2500] + b"!" + CONTENT[2501:]))
    recompress(str(tmp_path / "other.gz"), tmp_path / "other.zst", frame_bytes=1000)
    out = tmp_path / "out.zst"
    (tmp_path / "other.zst").replace(out.with_name(out.name + UNFINISHED))
    recompress(str(given_gz), out, frame_bytes=1000)
    assert content_of(out) == CONTENT


def test_a_file_that_ends_early_is_an_error_and_what_was_made_stays(tmp_path: Path, given_gz: Path) -> None:
    data = given_gz.read_bytes()
    given_gz.write_bytes(data[: len(data) * 3 // 4])
    out = tmp_path / "out.zst"
    with pytest.raises(StageError, match=r"in.gz: the file ends inside a compressed stream; fetch it anew"):
        recompress(str(given_gz), out, frame_bytes=100)
    assert not out.exists() and out.with_name(out.name + UNFINISHED).stat().st_size > 0
    given_gz.write_bytes(data)
    recompress(str(given_gz), out, frame_bytes=100)
    assert content_of(out) == CONTENT


def test_nothing_is_written_over(tmp_path: Path, given_gz: Path) -> None:
    (tmp_path / "out.zst").write_bytes(b"mine")
    with pytest.raises(StageError, match=r"out.zst: is there already"):
        recompress(str(given_gz), tmp_path / "out.zst")
    assert (tmp_path / "out.zst").read_bytes() == b"mine"


def test_large_files_that_one_worker_reads_are_named(tmp_path: Path, given_gz: Path) -> None:
    recompress(str(given_gz), tmp_path / "out.zst")
    (tmp_path / "one.zst").write_bytes(zstd.compress(CONTENT))
    (tmp_path / "a.bz2").write_bytes(bz2.compress(CONTENT))
    (tmp_path / "plain").write_bytes(CONTENT)
    uris = [str(tmp_path / name) for name in ("a.bz2", "in.gz", "one.zst", "out.zst", "plain")]
    assert one_workers(uris, large=10) == [str(tmp_path / "in.gz"), str(tmp_path / "one.zst")]
    assert one_workers(uris) == [] and one_workers(uris, large=given_gz.stat().st_size) == []
