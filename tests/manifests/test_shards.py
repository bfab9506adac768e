"""A shard's bytes are those that were published, or whoever reads them is told what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from manifests.manifest import ManifestError, Table
from manifests.shards import AlteredShardError, check_shards, shard_bytes, shard_rows
from manifests.storage import Storage
from tests.manifests.made import ROWS, build, publish, stage

MADE = [{"id": f"Q{n}", "part": 0, "value": n, "names": [], "score": 0.5} for n in range(3)]


def published(root: Storage) -> Table:
    return publish(root, MADE, ROWS, 1)


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "not a file": pipe,
    "5 bytes instead of {}": lambda path: path.write_bytes(b"words"),
    "its bytes have another sha256 than the manifest says": flipped,
}


def test_rows_of_a_whole_shard_are_read_and_columns_in_the_order_asked_for(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    (shard,) = published(root).shards
    assert shard_bytes(root, shard).size == shard.bytes
    assert shard_rows(root, shard).to_pylist() == MADE
    assert shard_rows(root, shard, ["value", "id"]).to_pylist() == [{"value": n, "id": f"Q{n}"} for n in range(3)]


@pytest.mark.parametrize("problem", DAMAGES)
def test_another_file_is_refused_and_what_is_wrong_is_said(problem: str, tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    table = published(root)
    (shard,) = table.shards
    DAMAGES[problem](tmp_path / shard.path)
    with pytest.raises(AlteredShardError) as caught:
        shard_rows(root, shard)
    said = problem.format(shard.bytes)
    assert caught.value.problem == said
    assert str(caught.value) == (
        f"{tmp_path}/{shard.path}: {said}; `benchwright verify --repair` drops the stage, "
        "and the next build makes it anew"
    )
    with pytest.raises(ManifestError, match="verify --repair"):
        check_shards(root, build(stage("made.rows", [table])))
