"""Template files of the user's own, out of the folders that --templates names: relation files, and files that lie over
built-in ones by their name below templates/."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stages.core import template_files
from stages.core.overlay import Overlay, OwnFile
from stages.io.detect import RELATIONS, SourceError, files_of

_OPTION = "--templates"


@dataclass(frozen=True)
class OwnTemplates:
    """relations: paths of relation files and role lexicons, folder after folder; overlay: all others."""

    relations: tuple[str, ...] = ()
    overlay: Overlay = field(default_factory=Overlay)


def own_templates(dataset: str, reads: Collection[str], given: Sequence[str]) -> OwnTemplates:
    """The files of some folders, later ones over earlier ones; a file may be named itself.

    reads: the kinds of files that the dataset reads; every file that bears no built-in one's name is a relation file
        where relation templates are among them.

    Raises:
        SourceError: a path is empty or missing, or a file is none that the dataset knows; the message names those.
    """
    if not all(given):
        raise SourceError(f"{_OPTION}: an empty path; name a file or a folder of templates")
    known = template_files.known()
    relations: list[str] = []
    own: list[OwnFile] = []
    for layer, folder in enumerate(dict.fromkeys(given), start=1):
        for name, path in _files(folder):
            if name in known:
                own.append(_read(name, path, layer))
            elif RELATIONS in reads and _is_relations(name):
                relations.append(path)
            else:
                raise _unknown(dataset, reads, known, path)
    return OwnTemplates(tuple(dict.fromkeys(relations)), Overlay(tuple(own)))


def _is_relations(name: str) -> bool:
    return name.removeprefix(f"{RELATIONS}/").count("/") == 0 and name.endswith((".yaml", ".yml"))


def _files(folder: str) -> Iterator[tuple[str, str]]:
    """(name below the folder, path) of its files and of those in its folders, sorted; none that is hidden."""
    base = Path(folder)
    if not base.is_dir():
        yield from ((Path(path).name, path) for path in files_of([folder], _OPTION))
        return
    inside = [path for path in sorted(base.rglob("*")) if path.is_file()]
    names = [path.relative_to(base) for path in inside]
    shown = [name for name in names if not any(part.startswith(".") for part in name.parts)]
    if not shown:
        raise SourceError(f"{_OPTION} {folder}: the folder holds no files")
    yield from ((name.as_posix(), f"{folder.rstrip('/')}/{name.as_posix()}") for name in shown)


def _read(name: str, path: str, layer: int) -> OwnFile:
    try:
        return OwnFile(name, Path(path).read_bytes(), layer, path)
    except OSError as error:
        raise SourceError(f"{_OPTION} {path}: cannot be read ({error.strerror})") from error


def _unknown(dataset: str, reads: Collection[str], known: Sequence[str], path: str) -> SourceError:
    others = [name for name in known if name.endswith(f"/{Path(path).name}")]
    if others:
        told = f"it would lie over {' or '.join(others)} in a folder of that name"
    elif RELATIONS in reads:
        told = "expected relation files (.yaml), roles.yaml or the name of a built-in file"
    else:
        told = f"{dataset} reads no relation templates, and there is no built-in file of that name"
    return SourceError(f"{_OPTION} {path}: {told}; known: {', '.join(known)}")
