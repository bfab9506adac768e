"""Whether a file of a source is still the one that the build began with, asked before and after each of its parts.

The builder asks once more at the end, and hashes; this ends a build within a part, and not after hours of work on a
file that is no longer there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from manifests.storage import Stamp, StorageError, stamp
from stages.core.contract import StageError


def check_files(stage: str, part: Any, stamps: Mapping[str, Stamp]) -> None:
    """Raises StageError naming the first file that is another one. stamps: of the source's files, by path or address.

    A part that does not say of which file it is one is one of any.
    """
    for path in {*_texts(part)} & stamps.keys() or stamps:
        before = stamps[path]
        try:
            now = stamp(path)
        except (StorageError, OSError) as error:
            raise StageError(f"stage {stage}: {path} is gone while it was read, so nothing was published") from error
        # The same file may have other numbers on another machine that shares the disk.
        if replace(now, inode="") != replace(before, inode=""):
            raise StageError(
                f"stage {stage}: {path} has changed while it was read ({before.bytes:,} bytes before, {now.bytes:,} "
                "now), so nothing was published; wait until no download or copy writes to it, then build again"
            )


def _texts(part: Any) -> Iterator[str]:
    """The texts in a part, however deep."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _texts(inner)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _texts(getattr(part, field.name))
