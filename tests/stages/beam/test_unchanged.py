"""A file that changes while it is read is noticed within the part that is read."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from manifests.storage import Stamp, stamp
from stages.beam.unchanged import check_files
from stages.core.contract import StageError
from stages.io.json_files import DumpPart
from stages.io.ranges import FilePart


@pytest.fixture
def stamps(tmp_path: Path) -> dict[str, Stamp]:
    for name in "ab":
        (tmp_path / name).write_text("words")
    return {str(tmp_path / name): stamp(str(tmp_path / name)) for name in "ab"}


def test_a_part_is_asked_about_its_own_file_and_one_that_names_none_about_all(stamps: dict[str, Stamp]) -> None:
    a, b = stamps
    Path(b).write_text("other words")
    for part in (FilePart(a, 0, 5), DumpPart(FilePart(a, 0, 5)), (3, DumpPart(FilePart(a, 0, 5))), a):
        check_files("toy.words", part, stamps)
    check_files("toy.words", FilePart(a, 0, 5), {})
    for part in (FilePart(b, 0, 5), (1, DumpPart(FilePart(b, 0, 5))), 7):
        with pytest.raises(StageError) as caught:
            check_files("toy.words", part, stamps)
        assert str(caught.value) == (
            f"stage toy.words: {b} has changed while it was read (5 bytes before, 11 now), so nothing was published; "
            "wait until no download or copy writes to it, then build again"
        )


def test_a_file_of_equal_size_is_known_by_its_time_and_one_that_is_gone_is_named(stamps: dict[str, Stamp]) -> None:
    a, b = stamps
    os.utime(a, ns=(0, 0))
    with pytest.raises(StageError, match=f"{a} has changed"):
        check_files("toy.words", a, stamps)
    Path(b).unlink()
    with pytest.raises(StageError, match=f"{b} is gone while it was read"):
        check_files("toy.words", b, stamps)


def test_a_file_of_equal_size_and_time_is_known_by_its_version(stamps: dict[str, Stamp]) -> None:
    a, b = stamps
    stamps[b] = replace(stamps[b], version="earlier")
    check_files("toy.words", a, stamps)
    with pytest.raises(StageError, match=f"{b} has changed while it was read"):
        check_files("toy.words", b, stamps)


def test_the_number_of_a_file_on_another_machine_does_not_count(stamps: dict[str, Stamp]) -> None:
    check_files("toy.words", 0, {path: Stamp(one.bytes, one.modified, "9:9") for path, one in stamps.items()})
