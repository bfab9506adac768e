"""Several sources of one schema read as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from stages.core.contract import Source


@dataclass(frozen=True)
class Several:
    """Reads each source's parts in turn; its parts are (number of the source, part)."""

    sources: tuple[Source, ...]
    schema: pa.Schema

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for source in self.sources for path in source.paths)

    def parts(self) -> list[tuple[int, Any]]:
        return [(number, part) for number, source in enumerate(self.sources) for part in source.parts()]

    def read(self, part: tuple[int, Any]) -> Iterator[pa.Table]:
        number, inner = part
        return self.sources[number].read(inner)

    def identity(self) -> Mapping[str, str]:
        """The digests of all sources' files; a key names the kind of source, not a path."""
        return {key: digest for source in self.sources for key, digest in _named(source)}

    def licences(self) -> Mapping[str, str]:
        return {name: licence for source in self.sources for name, licence in source.licences().items()}


def _named(source: Source) -> Iterator[tuple[str, str]]:
    for key, digest in source.identity().items():
        yield f"{type(source).__name__} {key}", digest
