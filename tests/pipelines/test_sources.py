"""Sources that change while a build reads them: the build stops with the file's name, and nothing is published."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from manifests.digest import sha256
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import PlannedStage, Runner
from stages.beam.options import BeamOptions
from stages.core.contract import StageError
from tests import toy

SMALL = ["some words in a line", "explode"]


def built(root: Path, pipeline: Pipeline, meanwhile: Callable[[], object]) -> list[str]:
    """The states of a build during which something happens once, between hashing and reading."""
    states: list[str] = []
    told: list[str] = []

    def listen(step: PlannedStage) -> None:
        if step.state == "run" and not told:
            told.append(step.stage.name)
            meanwhile()
        states.append(step.state)

    runner = Runner(Storage.at(root), BeamOptions(workers=1), lambda stage, job: nullcontext())
    runner.build(pipeline, listen)
    return states


def test_a_file_exchanged_between_hashing_and_reading_stops_the_build_with_its_name(tmp_path: Path) -> None:
    (path,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    before = Path(path).read_bytes()
    other = tmp_path / "other"
    other.write_text("entirely other words\n", encoding="utf-8")
    pipeline, root = toy.pipeline((path,)), Storage.at(tmp_path / "root")
    with pytest.raises(StageError, match=rf"stage toy.words: {path} has changed \(.* bytes before, 21 now\) while it"):
        built(tmp_path / "root", pipeline, lambda: other.replace(path))
    assert root.files() == []
    Path(path).write_bytes(before)
    assert "built" in built(tmp_path / "root", pipeline, lambda: None)
    (published,) = [path for path in root.files("stages/toy.words") if path.endswith("manifest.json")]
    assert sha256(before) in root.read_bytes(published).to_pybytes().decode()


def test_a_file_that_is_put_back_in_time_has_still_changed(tmp_path: Path) -> None:
    (path,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    before = Path(path).read_bytes()

    def twice() -> None:
        Path(path).write_bytes(b"entirely other words\n")
        Path(path).write_bytes(before)

    with pytest.raises(StageError, match=f"{path} has changed while it was read"):
        built(tmp_path / "root", toy.pipeline((path,)), twice)
    assert Storage.at(tmp_path / "root").files() == []


def test_a_file_whose_size_and_time_tell_nothing_is_known_by_its_digest(tmp_path: Path) -> None:
    (path,) = toy.write_lines(tmp_path / "in", [toy.LINES])

    def quietly() -> None:
        found = Path(path).stat()
        Path(path).write_bytes(Path(path).read_bytes()[::-1])
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))

    with pytest.raises(StageError, match="stage toy.words: file 0 has another sha256 than before while it was read"):
        built(tmp_path / "root", toy.pipeline((path,)), quietly)
    assert Storage.at(tmp_path / "root").files() == []


@pytest.mark.parametrize("change", ["gone", "bad"])
def test_a_file_that_is_taken_away_or_gets_bad_is_named_and_not_what_that_led_to(tmp_path: Path, change: str) -> None:
    (path,) = toy.write_lines(tmp_path / "in", [toy.LINES])

    def meanwhile() -> None:
        if change == "gone":
            Path(path).unlink()
        else:
            Path(path).write_text("\n".join(SMALL), encoding="utf-8")

    what = f"{path} is gone while" if change == "gone" else f"{path} has changed"
    with pytest.raises(StageError, match=what):
        built(tmp_path / "root", toy.pipeline((path,)), meanwhile)


def test_a_fault_in_a_file_that_has_not_changed_keeps_its_own_words(tmp_path: Path) -> None:
    pipeline = toy.pipeline(toy.write_lines(tmp_path / "in", [SMALL]))
    with pytest.raises(StageError, match="take it out of the source"):
        built(tmp_path / "root", pipeline, lambda: None)


def test_what_is_in_cache_needs_no_file_to_stand_still_afterwards(tmp_path: Path) -> None:
    (path,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    built(tmp_path / "root", toy.pipeline((path,)), lambda: None)
    os.utime(path)
    assert set(built(tmp_path / "root", toy.pipeline((path,)), lambda: None)) == {"cached"}
