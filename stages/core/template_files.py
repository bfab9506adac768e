"""Reads a YAML file below templates/, under files of the user's own that bear its name.

The rule, the same for all files: a file of one's own has the built-in file's version and any of its keys. Where a key
holds a mapping, an entry of one's own stands in place of the built-in one, or beside it; a list, a text or a number is
replaced whole. What it holds has to look like what the built-in file has at the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import templates
from manifests.digest import sha256
from stages.core import strict_yaml
from stages.core.contract import StageError
from stages.core.overlay import current

# Whoever reads a file with this names it in its own.
TEMPLATES = ()

VERSION = "version"
LAID_OVER = (
    *("adjectives.yaml", "mentions.yaml", "sorts.yaml", "lexicons/*.yaml", "screening/*.yaml", "normalise/*.yaml"),
    *("bridges/*.yaml", "soundness/*.yaml", "composition/*.yaml", "contexts/*.yaml"),
)
"""The files that may lie over built-in ones, as patterns; relation templates and roles have loaders of their own."""
_WORDS = ((bool, "true or false"), ((int, float), "a number"), (str, "a text"), (list, "a list"), (dict, "a mapping"))


@dataclass(frozen=True)
class TemplateFile:
    """data: what is read, merged; where, hint: for messages, what to name and how the reader is helped."""

    data: dict[str, Any]
    where: str
    hint: str = ""

    def fault(self, what: str) -> StageError:
        return StageError(f"{self.where}: {what}{self.hint}")


def folder() -> Path:
    """The installed templates."""
    return Path(templates.__file__).resolve().parent


def known() -> list[str]:
    """The names of all files that may lie over built-in ones."""
    base = folder()
    return sorted(path.relative_to(base).as_posix() for pattern in LAID_OVER for path in base.glob(pattern))


def digests(*names: str) -> dict[str, str]:
    """sha256 of built-in files and of those over them, for stages that depend on them."""
    return {name: sha256((folder() / name).read_bytes()) for name in names} | current().digests(names)


def read_template(name: str, file: Path | None = None) -> TemplateFile:
    """A built-in file under those of one's own. file: another file in place of all these.

    Raises StageError: one cannot be read, or does not look like the built-in one; the message names file and key.
    """
    path = file or folder() / name
    hint = "; install the package again"
    try:
        found = _parsed(path.read_bytes(), str(path))
    except OSError as error:
        raise StageError(f"{path}: cannot be read ({error.strerror}){hint}") from error
    # What a file lacks that holds no mapping is for its reader to say.
    found = found if isinstance(found, dict) else {}
    where = str(path)
    for own in () if file else current().of(name):
        where, hint = f"--templates {own.path or own.label}", ""
        data = _parsed(own.content, where)
        if not isinstance(data, dict):
            raise StageError(f"{where}: expected a mapping with version, found {type(data).__name__}")
        if fault := next(_faults(data, found), ""):
            raise StageError(f"{where}: {fault}")
        found = _over(found, data)
    return TemplateFile(found, where, hint)


def _parsed(content: bytes, where: str) -> Any:
    try:
        return strict_yaml.parse(content.decode("utf-8"))
    except ValueError as error:
        raise StageError(f"{where}: {error}; not a readable YAML file") from error


def _over(below: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **below,
        **{key: {**below[key], **value} if isinstance(value, dict) else value for key, value in data.items()},
    }


def _faults(data: Mapping[str, Any], below: Mapping[str, Any]) -> Iterator[str]:
    """What does not fit of a file over another, each with its key."""
    if data.get(VERSION) != below[VERSION] or isinstance(data.get(VERSION), bool):
        yield f"{VERSION}: expected {below[VERSION]}, that of the built-in file, found {data.get(VERSION)!r}"
    for key, value in data.items():
        if key not in below:
            yield f"{key}: unknown key; expected some of {', '.join(below)}"
        else:
            yield from _unlike(str(key), value, [below[key]])


def _unlike(place: str, value: Any, samples: list[Any]) -> Iterator[str]:
    """Where a value looks like none of those that the built-in file has at its place."""
    alike = [sample for sample in samples if _kind(sample) == _kind(value)]
    if samples and not alike:
        wanted = " or ".join(dict.fromkeys(_kind(sample) for sample in samples))
        yield f"{place}: expected {wanted}, found {value!r}"
    elif isinstance(value, list):
        inside = [item for sample in alike for item in sample]
        for number, item in enumerate(value, start=1):
            yield from _unlike(f"{place}, number {number}", item, inside)
    elif isinstance(value, dict):
        for key, item in value.items():
            same = [sample[key] for sample in alike if key in sample]
            yield from _unlike(f"{place}.{key}", item, same or [item for sample in alike for item in sample.values()])
            if _kind(key) != "a text" and all(isinstance(other, str) for sample in alike for other in sample):
                yield f"{place}.{key}: expected a text as a key; quote what YAML reads as something else"


def _kind(value: Any) -> str:
    return next((words for kind, words in _WORDS if isinstance(value, kind)), "nothing")
