"""The whole build on a filesystem that can rename nothing, and on a real S3 server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import pytest
from moto.server import ThreadedMotoServer
from pyarrow import fs

from manifests.diff import diff, load
from manifests.manifest import BuildManifest
from manifests.rows import rows_diff
from manifests.storage import Storage, stamp
from manifests.verify import repair, verify
from pipelines.sources import SourceFiles
from stages.beam.unchanged import check_files
from stages.core.contract import StageError
from stages.io.ranges import FilePart
from tests import toy
from tests.faults import builder


class NoRename(fs.FileSystemHandler):
    """Hands everything to a real filesystem, except what object stores cannot do."""

    def __init__(self, real: fs.FileSystem) -> None:
        self.real = real

    def get_type_name(self) -> str:
        return "norename"

    def normalize_path(self, path):
        return self.real.normalize_path(path)

    def get_file_info(self, paths):
        return self.real.get_file_info(paths)

    def get_file_info_selector(self, selector):
        return self.real.get_file_info(selector)

    def create_dir(self, path, recursive):
        self.real.create_dir(path, recursive=recursive)

    def delete_dir(self, path):
        self.real.delete_dir(path)

    def delete_dir_contents(self, path, missing_dir_ok=False):
        self.real.delete_dir_contents(path, missing_dir_ok=missing_dir_ok)

    def delete_root_dir_contents(self):
        raise NotImplementedError("nothing here deletes a whole store")

    def delete_file(self, path):
        self.real.delete_file(path)

    def move(self, src, dest):
        raise NotImplementedError("this store renames nothing")

    def copy_file(self, src, dest):
        raise NotImplementedError("this store copies nothing in place")

    def open_input_stream(self, path):
        return self.real.open_input_stream(path)

    def open_input_file(self, path):
        return self.real.open_input_file(path)

    def open_output_stream(self, path, metadata):
        return self.real.open_output_stream(path, metadata=metadata)

    def open_append_stream(self, path, metadata):
        raise NotImplementedError("this store appends to nothing")


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], BuildManifest, Path]:
    folder = tmp_path_factory.mktemp("local")
    paths = toy.write_lines(folder / "in", [toy.LINES])
    return paths, builder.build(str(folder / "root"), paths, buckets=2), folder / "root"


def test_no_step_of_a_build_needs_a_rename(local: tuple[list[str], BuildManifest, Path], tmp_path: Path) -> None:
    paths, expected, _ = local
    root = Storage(fs.PyFileSystem(NoRename(fs.LocalFileSystem())), str(tmp_path / "root"))
    manifest = builder.build(root, paths, buckets=2)
    assert builder.digests(manifest) == builder.digests(expected)
    assert verify(root) == []
    assert not [path for path in root.files() if "_spill" in path or "_progress" in path]


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an empty prefix of a bucket on a server of this machine."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patched.setenv(name, "testing")
        patched.setenv("AWS_EC2_METADATA_DISABLED", "true")
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
        server.start()
        host, port = server.get_host_and_port()
        client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1")
        client.create_bucket(Bucket="benchmarks")
        yield f"s3://benchmarks/some/prefix?endpoint_override={host}:{port}&scheme=http&region=us-east-1"
        server.stop()


@pytest.mark.network
def test_a_build_on_s3_equals_one_on_disk_and_is_rebuilt_from_cache(
    s3: str, local: tuple[list[str], BuildManifest, Path]
) -> None:
    paths, expected, root = local
    manifest = builder.build(s3, paths, buckets=2)
    assert builder.digests(manifest) == builder.digests(expected)
    assert verify(Storage.at(s3)) == []
    again = builder.build(s3, paths, buckets=2)
    assert [stage.run for stage in again.stages] == [stage.run for stage in manifest.stages]
    there, store = load(s3)
    here, disk = load(str(root))
    assert diff(there, here).equal and store is not None and disk is not None
    assert rows_diff(store, there.table("words"), disk, here.table("words")).equal


@pytest.mark.network
def test_an_object_put_in_place_of_another_within_a_second_is_noticed_within_the_part(s3: str) -> None:
    root, query = Storage.at(s3), urlsplit(s3).query
    address = f"s3://{root.full('lines')}?{query}"
    root.write_bytes("lines", b"words")
    before = stamp(address)
    assert before == stamp(address) and before.version and before.inode == ""
    check_files("toy.words", FilePart(address, 0, 5), {address: before})
    root.write_bytes("lines", b"sword")
    # As when both are put in one second: times of S3 have no fractions.
    before = replace(before, modified=stamp(address).modified)
    with pytest.raises(StageError, match=r"has changed while it was read \(5 bytes before, 5 now\)"):
        check_files("toy.words", FilePart(address, 0, 5), {address: before})
    with pytest.raises(StageError, match="lines.* has changed while it was read"):
        SourceFiles("toy.words", {address: before}).check()


@pytest.mark.network
def test_damage_on_s3_is_found_and_repaired(s3: str, local: tuple[list[str], BuildManifest, Path]) -> None:
    paths, _, _ = local
    address = s3.replace("some/prefix", "another")
    root = Storage.at(address)
    manifest = builder.build(address, paths, until="toy.words", buckets=2)
    root.write_bytes(manifest.table("words").shards[0].path, b"something else")
    found = verify(root, "toy")
    assert ["14 bytes instead of" in item.problem for item in found] == [True]
    repair(root, found)
    again = builder.build(address, paths, until="toy.words", buckets=2)
    assert verify(root) == [] and again.version == manifest.version


@pytest.mark.network
def test_a_file_of_the_bucket_is_a_manifest_too(s3: str, local: tuple[list[str], BuildManifest, Path]) -> None:
    paths, _, _ = local
    address = s3.replace("some/prefix", "third")
    manifest = builder.build(address, paths, until="toy.words", buckets=2)
    query = urlsplit(s3).query
    loaded, root = load(f"s3://benchmarks/third/builds/toy/{manifest.version}.json?{query}")
    assert loaded.version == manifest.version
    assert root is not None and root.base == "benchmarks/third" and verify(root) == []
