"""Builds that are interrupted or fail around the moment of publishing."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from manifests.manifest import StageManifest
from manifests.registry import publish_stage
from manifests.storage import Storage
from manifests.verify import verify
from pipelines import runner
from stages.beam import executor
from stages.core.contract import StageError
from tests import toy
from tests.faults import builder


def test_an_interrupt_just_after_publishing_takes_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, paths = tmp_path / "root", toy.write_lines(tmp_path / "in", [toy.LINES])

    def publish_and_stop(storage: Storage, manifest: StageManifest) -> NoReturn:
        publish_stage(storage, manifest)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(runner, "publish_stage", publish_and_stop)
        builder.build(str(root), paths, until="toy.words")
    assert verify(Storage.at(root)) == []
    assert [path for path in Storage.at(root).files() if path.endswith("manifest.json")] != []
    with monkeypatch.context() as patched:
        patched.setattr(executor, "execute", lambda *_: pytest.fail("the stage was published already"))
        builder.build(str(root), paths, until="toy.words")


def test_an_interrupt_before_publishing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, paths = tmp_path / "root", toy.write_lines(tmp_path / "in", [toy.LINES])

    def stop(storage: Storage, manifest: StageManifest) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(runner, "publish_stage", stop)
        builder.build(str(root), paths, until="toy.words")
    assert Storage.at(root).files() == []


def test_a_clean_up_that_fails_hides_no_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = toy.write_lines(tmp_path / "in", [["explode"]])

    def refuse(storage: Storage, path: str) -> NoReturn:
        raise PermissionError("refused")

    monkeypatch.setattr(Storage, "delete_folder", refuse)
    with pytest.raises(StageError, match="take it out of the source") as caught:
        builder.build(str(tmp_path / "root"), paths, until="toy.words")
    (note,) = caught.value.__notes__
    assert note.endswith("could not be removed (refused); `benchwright clean` does it")
