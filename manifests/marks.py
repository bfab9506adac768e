"""What people and running builds note beside the manifests: names that builds were given, and builds that have begun.

    tags/{dataset}/{name}       the version of the build that has the name
    begun/{dataset}/{id}.json   the stages that a build has so far, which no build manifest names yet

The second goes when the build is published, or another that has all its stages. What a killed build leaves tells
that it is unfinished, and keeps what it made from being cleared away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from manifests.manifest import ManifestError
from manifests.storage import Storage

TAGS, BEGUN = "tags", "begun"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_VERSION = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Begun:
    """A build that was begun. stages: (name, fingerprint) of those that are there; of: how many it will have.

    began, seen: when it began, and when its last stage was there, in ISO form.
    """

    dataset: str
    id: str
    stages: tuple[tuple[str, str], ...]
    of: int
    began: str
    seen: str

    @property
    def path(self) -> str:
        return f"{BEGUN}/{self.dataset}/{self.id}.json"

    def write(self, root: Storage) -> None:
        root.write_bytes(self.path, json.dumps(asdict(self)).encode())


def begun(root: Storage, dataset: str | None = None) -> list[Begun]:
    """Builds that were begun and are not published, those that run now among them; of one dataset, or of all.

    Raises:
        ManifestError: one of them cannot be read.
    """
    folders = root.folders(BEGUN) if dataset is None else [dataset]
    return [_read(root, path) for name in folders for path in root.files(f"{BEGUN}/{name}") if path.endswith(".json")]


def forget(root: Storage, dataset: str, stages: Iterable[tuple[str, str]]) -> None:
    """Removes the notes of builds that had no other stages than these, which are published now."""
    published = set(stages)
    for one in begun(root, dataset):
        if set(one.stages) <= published:
            root.delete_file(one.path)


def tags(root: Storage, dataset: str) -> dict[str, str]:
    """Versions of builds by the names that they were given."""
    found = {}
    for path in root.files(f"{TAGS}/{dataset}"):
        name = path.rpartition("/")[2]
        version = root.read_bytes(path).to_pybytes().decode(errors="replace").strip()
        if not _NAME.fullmatch(name) or not _VERSION.fullmatch(version):
            raise ManifestError(f"{root.full(path)}: expected the 16 digits of a version; remove the file")
        found[name] = version
    return found


def set_tag(root: Storage, dataset: str, name: str, version: str) -> None:
    """Gives a build a name, which another had till now.

    Raises:
        ManifestError: no such name may be given.
    """
    _check(name)
    root.write_bytes(f"{TAGS}/{dataset}/{name}", f"{version}\n".encode(), durable=True)


def remove_tag(root: Storage, dataset: str, name: str) -> None:
    """Raises ManifestError: there is no such tag."""
    _check(name)
    if name not in tags(root, dataset):
        there = ", ".join(tags(root, dataset)) or "none"
        raise ManifestError(f"no build of {dataset} is called {name!r}; the names are {there}")
    root.delete_file(f"{TAGS}/{dataset}/{name}")


def _check(name: str) -> None:
    if not _NAME.fullmatch(name) or _VERSION.fullmatch(name) or name == "latest":
        raise ManifestError(
            f"{name!r} is no name for a build: 1 to 40 letters, digits and any of . _ -, the first a letter or digit, "
            "and neither `latest` nor a version"
        )


def _read(root: Storage, path: str) -> Begun:
    try:
        data: dict[str, Any] = json.loads(root.read_bytes(path).to_pybytes())
        stages = tuple((str(name), str(fingerprint)) for name, fingerprint in data["stages"])
        found = Begun(data["dataset"], data["id"], stages, int(data["of"]), str(data["began"]), str(data["seen"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ManifestError(f"{root.full(path)}: not a note of a build that has begun ({error}); remove it") from error
    if found.path != path:
        raise ManifestError(f"{root.full(path)}: holds the note of {found.path}; remove it")
    return found
