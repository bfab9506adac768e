"""The files that a stage reads, watched from before they are hashed until its result is published.

A manifest that named the digest of one file beside the rows of another would be taken from cache for ever. So whatever
happens to a file in between (a download that still runs, somebody who puts a newer dump in its place) stops the build.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from manifests.storage import Stamp, StorageError, stamp
from stages.core.contract import Stage, StageError


@dataclass(frozen=True)
class SourceFiles:
    """The input files of a stage as they were when it was first looked at. stamps: by path or address."""

    stage: str = ""
    stamps: Mapping[str, Stamp] = field(default_factory=dict)

    @classmethod
    def of(cls, stage: Stage) -> SourceFiles:
        """Raises StorageError: a file does not exist."""
        paths = stage.source.paths if stage.source is not None else ()
        return cls(stage.name, {str(path): stamp(str(path)) for path in paths})

    def changed(self) -> str:
        """The first file that is not what it was, and what happened to it; "" where all are."""
        for path, before in self.stamps.items():
            try:
                now = stamp(path)
            except (StorageError, OSError):
                return f"{path} is gone"
            if now != before:
                grown = "" if now.bytes == before.bytes else f" ({before.bytes:,} bytes before, {now.bytes:,} now)"
                return f"{path} has changed{grown}"
        return ""

    def check(self) -> None:
        """Raises StageError naming the first file that is not what it was."""
        if what := self.changed():
            raise self.error(what)

    def check_content(self, stage: Stage, inputs: Mapping[str, str]) -> None:
        """As `check`, and hashes all again. inputs: the stage's digests by name, as they were before it was read.

        A network's filesystem may tell sizes and times that are no longer true.
        """
        self.check()
        if stage.source is None:
            return
        now = stage.source.identity()
        if differing := sorted(name for name, digest in now.items() if inputs.get(name) != digest):
            raise self.error(f"{', '.join(differing)} has another sha256 than before")
        self.check()

    def error(self, what: str) -> StageError:
        return StageError(
            f"stage {self.stage}: {what} while it was read, so nothing was published; wait until no download or copy "
            "writes to it, then build again"
        )
