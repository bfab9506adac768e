"""Removing what broken-off builds left: only what no manifest names, and only what is old."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from manifests.manifest import ManifestError
from manifests.storage import Storage
from manifests.verify import verify
from pipelines.housekeeping import remove_unused
from tests import toy
from tests.faults import builder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    builder.build(str(root), toy.write_lines(tmp_path / "in", [toy.LINES]), until="toy.counts")
    return root


def left_behind(root: Path, name: str = "0123456789ab") -> Path:
    stage = next((root / "stages" / "toy.words").iterdir())
    attempt = stage / name
    (attempt / "words").mkdir(parents=True)
    (attempt / "words" / "00000.parquet").write_bytes(b"cut off")
    return attempt


def test_an_attempt_that_no_manifest_names_goes_and_all_else_stays(root: Path) -> None:
    attempt, storage = left_behind(root), Storage.at(root)
    assert remove_unused(storage, hours=1) == []
    assert attempt.exists()
    relative = str(attempt.relative_to(root))
    assert remove_unused(storage, hours=0, dry_run=True) == [relative] and attempt.exists()
    assert remove_unused(storage, hours=0) == [relative] and not attempt.exists()
    assert remove_unused(storage, hours=0) == []
    assert verify(storage) == []


def test_an_empty_folder_of_an_attempt_is_old(root: Path) -> None:
    attempt = left_behind(root)
    shutil.rmtree(attempt / "words")
    assert remove_unused(Storage.at(root), hours=100) == [str(attempt.relative_to(root))]


def test_what_only_a_build_names_stays(root: Path) -> None:
    # Where two builders met, the stage's manifest names one attempt, and the other's build its own.
    storage = Storage.at(root)
    manifest = next((root / "stages" / "toy.words").glob("*/manifest.json"))
    manifest.unlink()
    assert remove_unused(storage, hours=0) == []
    assert verify(storage) == []


def test_nothing_goes_where_a_manifest_cannot_be_read(root: Path) -> None:
    attempt = left_behind(root)
    (root / "builds" / "toy" / "latest.json").write_text("{")
    with pytest.raises(ManifestError, match=r"latest\.json"):
        remove_unused(Storage.at(root), hours=0)
    assert attempt.exists()


@pytest.mark.parametrize("hours", [-1.0, float("nan"), float("inf"), 1e300])
def test_an_age_that_is_none_is_refused(root: Path, hours: float) -> None:
    with pytest.raises(ValueError, match="expected from 0 to 1,000,000"):
        remove_unused(Storage.at(root), hours)
