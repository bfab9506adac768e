"""Names of builds, and notes of those that have begun: written, read, forgotten, and refused where altered."""

from __future__ import annotations

from pathlib import Path

import pytest

from manifests.manifest import ManifestError
from manifests.marks import Begun, begun, forget, remove_tag, set_tag, tags
from manifests.storage import Storage

VERSION = "0123456789abcdef"
NOTE = Begun(
    "toy", "a1", (("toy.words", "f" * 64), ("toy.counts", "e" * 64)), 6, "2026-01-01T00:00", "2026-01-02T00:00"
)


def test_a_name_is_of_one_build_and_a_build_may_have_several(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    assert tags(root, "toy") == {}
    set_tag(root, "toy", "paper-1", VERSION)
    set_tag(root, "toy", "v2.0", VERSION)
    set_tag(root, "toy", "paper-1", VERSION[::-1])
    assert tags(root, "toy") == {"paper-1": VERSION[::-1], "v2.0": VERSION}
    remove_tag(root, "toy", "v2.0")
    assert tags(root, "toy") == {"paper-1": VERSION[::-1]} and tags(root, "other") == {}
    with pytest.raises(ManifestError, match="no build of toy is called 'v2.0'; the names are paper-1"):
        remove_tag(root, "toy", "v2.0")


@pytest.mark.parametrize("name", ["", "a/b", "../a", ".hidden", "a b", "latest", VERSION, "x" * 41, "ü"])
def test_what_cannot_be_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(ManifestError, match="is no name for a build"):
        set_tag(Storage.at(tmp_path), "toy", name, VERSION)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe", VERSION.encode() * 2])
def test_an_altered_name_is_refused(tmp_path: Path, content: bytes) -> None:
    root = Storage.at(tmp_path)
    root.write_bytes("tags/toy/one", content)
    with pytest.raises(ManifestError, match="expected the 16 digits of a version; remove the file"):
        tags(root, "toy")


def test_a_note_goes_when_all_its_stages_are_published(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    NOTE.write(root)
    assert begun(root) == begun(root, "toy") == [NOTE] and begun(root, "other") == []
    forget(root, "toy", NOTE.stages[:1])
    assert begun(root) == [NOTE]
    forget(root, "toy", [*NOTE.stages, ("toy.total", "d" * 64)])
    assert begun(root) == []


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"dataset": "toy", "id": "b", "stages": [1], "of": 1, "began": "", "seen": ""}']
)
def test_an_altered_note_is_refused(tmp_path: Path, content: bytes) -> None:
    root = Storage.at(tmp_path)
    root.write_bytes("begun/toy/a.json", content)
    with pytest.raises(ManifestError, match="begun/toy/a.json: not a note of a build that has begun"):
        begun(root)
    NOTE.write(root)
    root.write_bytes("begun/toy/a.json", root.read_bytes(NOTE.path).to_pybytes())
    with pytest.raises(ManifestError, match="holds the note of begun/toy/a1.json"):
        begun(root)
