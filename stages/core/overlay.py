"""Template files of the user's own over the built-in ones: which there are while something is read or runs.

`using` sets them for what is called within it, in this thread. A stage keeps those of the time it was made and calls
its kernel under them (`stages.core.contract`), in whatever process that is. What is made of template files
once and kept is kept for each set apart (`remembered`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from manifests.digest import json_digest, sha256

OWN = "own"
"""The folder of a file of one's own, in messages and digests; of a second one and so on with its number."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class OwnFile:
    """name: below templates/, as that of the built-in file; layer: of its folder, from 1 up; path: for messages."""

    name: str
    content: bytes
    layer: int = 1
    path: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """What digests call it: "own/sorts.yaml", "own2/sorts.yaml"."""
        return f"{OWN}{self.layer if self.layer > 1 else ''}/{self.name}"


@dataclass(frozen=True)
class Overlay:
    """files: of one's own, each over those before it. digest: of them all."""

    files: tuple[OwnFile, ...] = ()
    digest: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        told = [[file.label, sha256(file.content)] for file in self.files]
        object.__setattr__(self, "digest", json_digest(told))

    def of(self, name: str) -> list[OwnFile]:
        """The files over a built-in one, the lowest first."""
        return [file for file in self.files if file.name == name]

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """sha256 of each file that lies over one of these, by its label."""
        wanted = set(names)
        return {file.label: sha256(file.content) for file in self.files if file.name in wanted}


_current: ContextVar[Overlay] = ContextVar("overlay", default=Overlay())  # noqa: B039


def current() -> Overlay:
    """The files of one's own that hold here."""
    return _current.get()


@contextmanager
def using(overlay: Overlay) -> Iterator[None]:
    token = _current.set(overlay)
    try:
        yield
    finally:
        _current.reset(token)


def remembered(maxsize: int | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keeps what a function of template files gives, for each set of files of one's own apart.

    maxsize: results that are kept; None keeps all.
    """

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize)
        def kept(_: str, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            return kept(_current.get().digest, *args, **kwargs)  # type: ignore[arg-type]

        return call

    return keep
