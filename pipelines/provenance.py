"""What a build and its release say of where they come from: what the user calls them, which files they were made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import PurePosixPath
from typing import Any

import yaml

from manifests.manifest import BuildManifest, StageManifest, dumps, loads
from manifests.storage import file_sha256, stamp
from stages.core.contract import Stage, StageError

BUILD, CITATION = "build.json", "CITATION.cff"
"""The files of a release that say what it was made from, and how it is cited."""
ABOUT = ("name", "version", "licence", "citation", "authors")
"""What a build file may say of the dataset that comes of it; several authors stand between semicolons."""
SOURCES, PROGRAM = "sources", "benchwright"


def source_files(stages: Sequence[Stage], published: Sequence[StageManifest]) -> list[dict[str, Any]]:
    """{name, bytes, modified, sha256, stage} of each file that the stages read, in their order."""
    return [
        found
        for stage, manifest in zip(stages, published, strict=False)
        if stage.source is not None
        for found in _files_of(stage.name, list(map(str, stage.source.paths)), manifest.inputs)
    ]


def _files_of(stage: str, paths: Sequence[str], digests: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for path in paths:
        state = stamp(path)
        yield {
            "name": PurePosixPath(path).name,
            "bytes": state.bytes,
            "modified": datetime.fromtimestamp(state.modified / 1e9, UTC).isoformat(timespec="seconds"),
            # The one file of a source need not be hashed again.
            "sha256": next(iter(digests.values())) if len(paths) == len(digests) == 1 else file_sha256(path),
            "stage": stage,
        }


def papers(manifest: BuildManifest, title: str) -> dict[str, str]:
    """The files of a release that say where it comes from, by name. title: of the dataset.

    The build's manifest stands there with its files' names, sizes, dates and digests, without the machine it was made
    on and without the shards that a release does not have.
    """
    told = {name: manifest.run[name] for name in ("finished", SOURCES) if name in manifest.run}
    pinned = manifest.pinned() | {"run": {**told, PROGRAM: metadata.version("benchwright")}}
    return {BUILD: dumps(pinned).decode(), CITATION: citation(manifest, title)}


def citation(manifest: BuildManifest, title: str) -> str:
    """CITATION.cff: what the build file says, and who made the release where nobody is named: anonymous."""
    about = manifest.about
    authors = [{"name": name.strip()} for name in about.get("authors", "").split(";") if name.strip()]
    software = {"type": "software", "title": "Benchwright", "version": metadata.version("benchwright")}
    said = {
        "cff-version": "1.2.0",
        "message": about.get("citation", "If you use this dataset, please cite it as below."),
        "type": "dataset",
        "title": about.get("name", title),
        "authors": authors or [{"name": "anonymous"}],
        "version": about.get("version", manifest.version),
        **({"license": about["licence"]} if "licence" in about else {}),
        "identifiers": [{"type": "other", "value": manifest.version, "description": "version of the build"}],
        "references": [{**software, "authors": [{"name": "Benchwright"}]}],
    }
    return yaml.safe_dump(said, sort_keys=False, allow_unicode=True, width=120)


def described(manifest: BuildManifest, title: str) -> str:
    """A release's first lines: what the build file says of it, or else what the dataset is."""
    about = manifest.about
    said = [
        f"Version {about['version']}." if "version" in about else "",
        f"Licence: {about['licence']}." if "licence" in about else "",
        f"By {about['authors']}." if "authors" in about else "",
        f"Cite it as: {about['citation']}" if "citation" in about else "",
    ]
    # The title tells what the paper's own dataset is about.
    first = f"{about['name']}, in the form of {title.partition(':')[0]}." if "name" in about else f"{title}."
    return "\n\n".join(filter(None, (first, " ".join(filter(None, said)))))


def read_release(text: bytes, where: str) -> BuildManifest:
    """The build of a release, as its file BUILD says it; ManifestError where that was altered or is none."""
    return BuildManifest.from_dict(loads(text, where), where)


def differing(manifest: BuildManifest, paths: Sequence[str]) -> list[str]:
    """What some files are that a build was not made from, and which of its own are not among them."""
    wanted = {str(found["sha256"]): str(found["name"]) for found in manifest.run.get(SOURCES, ())}
    given = {file_sha256(path): path for path in paths}
    return [
        *(f"{path} is no file of the build" for digest, path in given.items() if digest not in wanted),
        *(f"{name} (sha256 {digest[:12]}) is missing" for digest, name in wanted.items() if digest not in given),
    ]


def checked_about(said: Mapping[str, Any], where: str) -> dict[str, str]:
    """The entries of ABOUT as texts.

    Raises StageError: one is neither a text nor a number, nor a list of texts.
    """
    found = {}
    for name in ABOUT:
        value = said.get(name)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = "; ".join(value)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
            raise StageError(f"{where}: {name}: expected a text, found {value!r}")
        found[name] = " ".join(str(value).split())
    return found
