"""Formats of sources that other packages read: entry points of the group `benchwright.sources`.

A package names a `Format`: `sheet = "clubs.sheet:FORMAT"`. Files that no reader of this project takes are shown to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata

from stages.core.contract import Source, StageError

ENTRY_POINTS = "benchwright.sources"


@dataclass(frozen=True)
class Format:
    """kind: what its files hold, "pages" or "wikidata"; reads: whether a file that begins with some bytes, unpacked,
    is one; source: the records of some paths, raw pages (`stages.wikipedia.raw`) or entities as a dump has them."""

    kind: str
    reads: Callable[[bytes], bool]
    source: Callable[[tuple[str, ...]], Source]


def formats() -> Mapping[str, Format]:
    """All that is registered, by name.

    Raises StageError: what a package names cannot be loaded, or is no Format.
    """
    return {found.name: _load(found) for found in sorted(metadata.entry_points(group=ENTRY_POINTS), key=_name)}


def _name(found: metadata.EntryPoint) -> str:
    return found.name


def _load(found: metadata.EntryPoint) -> Format:
    try:
        loaded = found.load()
    except (ImportError, AttributeError) as error:
        raise StageError(f"{found.value}, which is registered as source {found.name!r}: {error}") from error
    if not isinstance(loaded, Format) or loaded.kind not in ("pages", "wikidata"):
        raise StageError(
            f"{found.value}, which is registered as source {found.name!r}: expected a Format of "
            "stages.io.formats, of the kind pages or wikidata"
        )
    return loaded
