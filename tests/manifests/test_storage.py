"""Storage: paths stay inside, writes are whole or absent, addresses are understood or refused."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from manifests.storage import Stamp, Storage, StorageError, file_sha256, open_input, size, stamp
from tests.tools.servers import serving


@pytest.mark.parametrize(
    "path", ["../x", "a/../../x", "/etc/passwd", "a/..", "..", "a\\..\\b", "a\x00b"], ids=lambda path: repr(path)
)
def test_a_path_that_leaves_the_folder_is_refused_by_every_operation(tmp_path: Path, path: str) -> None:
    root = Storage.at(tmp_path / "root")
    for operation in (
        root.full, root.read_bytes, root.size, root.exists, root.files, root.folders,
        root.open_input, root.delete_file, root.delete_folder, root.sub, lambda p: root.write_bytes(p, b"x"),
    ):  # fmt: skip
        with pytest.raises(StorageError, match="not a path inside"):
            operation(path)
    assert list(tmp_path.iterdir()) == []


def test_names_with_dots_are_not_confused_with_the_way_up(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    root.write_bytes("a..b/..c", b"x")
    assert root.files() == ["a..b/..c"]


@pytest.mark.parametrize("durable", [False, True])
def test_what_is_written_is_read_listed_and_deleted(tmp_path: Path, durable: bool) -> None:
    root = Storage.at(tmp_path / "not" / "there" / "yet")
    assert root.files() == [] and root.folders() == [] and root.size("a") is None
    root.write_bytes("one/two.txt", b"abc", durable=durable)
    root.write_bytes("one/two.txt", b"abcd", durable=durable)
    root.write_bytes("three", b"")
    assert root.files() == ["one/two.txt", "three"] and root.folders() == ["one"]
    assert root.read_bytes("one/two.txt").to_pybytes() == b"abcd"
    assert (root.size("one/two.txt"), root.size("three"), root.size("one")) == (4, 0, None)
    with root.sub("one").open_input("two.txt") as file:
        file.seek(2)
        assert file.read() == b"cd"
    root.delete_file("three")
    root.delete_folder("one")
    root.delete_folder("one")
    assert root.files() == []


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Storage.at(tmp_path)
    root.write_bytes("file", b"old")

    def refuse(path: Path, target: Path) -> None:
        raise PermissionError("refused")

    with monkeypatch.context() as patched, pytest.raises(StorageError, match="file: cannot be written.*choose another"):
        patched.setattr(Path, "replace", refuse)
        root.write_bytes("file", b"new")
    assert root.files() == ["file"] and root.read_bytes("file").to_pybytes() == b"old"


def test_while_a_file_is_written_readers_see_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Storage.at(tmp_path)
    root.write_bytes("file", b"old")
    seen = []
    original = Path.replace

    def look_first(path: Path, target: Path) -> None:
        seen.append((root.read_bytes("file").to_pybytes(), path.read_bytes()))
        original(path, target)

    monkeypatch.setattr(Path, "replace", look_first)
    root.write_bytes("file", b"new")
    assert seen == [(b"old", b"new")]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("ftp://host/folder", "unknown scheme 'ftp'; expected a local path, s3:// or gs://"),
        ("hdfs://host/folder", "unknown scheme 'hdfs'"),
        ("s3://", "not a usable address"),
        ("s3://bucket/prefix?nonsense=1", "not a usable address.*nonsense"),
    ],
)
def test_an_address_that_cannot_be_used_is_named(address: str, words: str) -> None:
    with pytest.raises(StorageError, match=words):
        Storage.at(address)


def test_a_local_path_and_its_uri_are_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Storage.at(tmp_path.as_uri()).base == Storage.at(tmp_path).base == Storage.at(f"{tmp_path}/").base
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Storage.at("x").base == Storage.at("~/x").base == str(tmp_path / "x")
    assert Storage.at("x").is_local and Storage.at(tmp_path.as_uri()).is_local


def test_a_storage_can_be_sent_to_a_worker(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    root.write_bytes("file", b"x")
    assert pickle.loads(pickle.dumps(root)).read_bytes("file").to_pybytes() == b"x"  # noqa: S301


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    for operation in (root.read_bytes, root.open_input):
        with pytest.raises(StorageError, match="gone.txt: no such file"):
            operation("gone.txt")
    for function in (open_input, size):
        with pytest.raises(StorageError, match="gone.txt: no such file; check --source"):
            function(str(tmp_path / "gone.txt"))


def test_the_digest_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"abc" * 1_000_000)
    assert file_sha256(str(path)) == file_sha256(path.as_uri()) == hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(StorageError, match="no such file"):
        file_sha256(str(tmp_path / "none"))


def test_single_files_are_opened_and_measured(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abcdef")
    assert size(str(path)) == size(path.as_uri()) == 6
    with open_input(str(path)) as file:
        file.seek(-2, 2)
        assert file.read() == b"ef"


def test_a_stamp_tells_a_file_from_what_stands_in_its_place_later(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    first = stamp(str(path))
    assert first == stamp(str(path)) and first.bytes == 3
    os.link(path, tmp_path / "backup")
    assert stamp(str(path)) == first
    other = tmp_path / "other"
    other.write_bytes(b"two")
    os.utime(other, ns=(first.modified, first.modified))
    other.replace(path)
    assert stamp(str(path)) != first
    with pytest.raises(StorageError, match="nothing: no such file"):
        stamp(str(tmp_path / "nothing"))


class OneObject(BaseHTTPRequestHandler):
    """Google's store as far as it tells of one object of five bytes, and gives it."""

    def do_GET(self) -> None:
        told = {"name": "a.txt", "bucket": "b", "generation": "17", "etag": "CBE=", "size": "5"}
        told |= {"updated": "2026-01-02T03:04:05.678Z", "timeCreated": "2026-01-02T03:04:05.678Z"}
        answer = b"words" if "alt=media" in self.path else json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *said: object) -> None:
        """Keeps the test's output clean."""


@pytest.mark.network
def test_the_stamp_of_an_object_of_google_has_its_generation() -> None:
    with serving(OneObject) as server:
        place = server.removeprefix("http://")
        found = stamp(f"gs://anonymous@b/a.txt?endpoint_override={place}&scheme=http&retry_limit_seconds=5")
    assert found == Stamp(5, 1_767_323_045_678_000_000, version="17")


def test_links_to_folders_are_listed_but_not_followed_and_of_a_link_only_the_link_goes(tmp_path: Path) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / "file").write_bytes(b"theirs")
    root = Storage.at(tmp_path / "root")
    root.write_bytes("own/file", b"ours")
    for path in ("link", "own/link"):
        Path(root.full(path)).symlink_to(others)
    Path(root.full("own/round")).symlink_to(root.base)
    assert root.folders() == ["link", "own"] and root.folders(links=False) == ["own"]
    assert root.files() == ["own/file"] and root.files("link") == ["link/file"]
    assert root.changed("own") is not None and root.changed("nothing") is None
    root.delete_folder("own")
    root.delete_folder("link")
    assert root.folders() == [] and (others / "file").read_bytes() == b"theirs"
    Path(root.full("file")).symlink_to(others / "file")
    root.delete_file("file")
    assert (others / "file").read_bytes() == b"theirs" and root.files() == []


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    root = Storage.at(tmp_path)
    assert root.files() == [] and root.size("pipe") is None and root.is_blocked("pipe")
    for operation in (root.read_bytes, root.open_input):
        with pytest.raises(StorageError, match="pipe: not a file"):
            operation("pipe")
    with pytest.raises(StorageError, match="pipe: not a regular file; a pipe can be read only once"):
        open_input(str(tmp_path / "pipe"))


def test_names_that_no_path_can_have_are_left_out_and_among_sources_refused(tmp_path: Path) -> None:
    for name in (b"a\\b", b"\xff"):
        os.mkdir(os.fsencode(tmp_path) + b"/" + name)  # noqa: PTH102 (bytes)
    (tmp_path / "fine").mkdir()
    root = Storage.at(tmp_path)
    assert root.folders() == ["fine"] and root.files() == [] and root.names() == []
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.xml")).touch()
    with pytest.raises(StorageError, match=r"the name of the file b'caf\\xe9.xml' is not UTF-8; rename it"):
        root.names()


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_may_not_be_removed_is_named_with_its_folder(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted", "file")

    monkeypatch.setattr(shutil, "rmtree", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    root = Storage.at(tmp_path)
    remove, path = (root.delete_file, "folder/file") if what == "file" else (root.delete_folder, "folder")
    with pytest.raises(StorageError) as caught:
        remove(path)
    assert str(caught.value) == (
        f"{tmp_path}/{path}: cannot be removed (Operation not permitted); check who may write there"
    )
