"""One code everywhere: what the builder runs travels with a job, and a worker that runs something else refuses.

A worker on another machine may have another wheel or other libraries, and a source file may change
between the start of a build and that of a worker: rows would be published as those of code that
has not made them.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from stages.core.code import code_of, libraries_of
from stages.core.contract import StageError

_SHOWN = 3
_DIGITS = 12


@dataclass(frozen=True)
class Code:
    """What a stage's result depends on, as the process that made this found it.

    roots: modules by which all is reached. modules: digest per module of this project.
    libraries: version per distribution.
    """

    roots: tuple[str, ...]
    modules: tuple[tuple[str, str], ...]
    libraries: tuple[tuple[str, str], ...]

    @staticmethod
    def of(roots: Iterable[str]) -> Code:
        names = tuple(sorted(roots))
        return Code(names, tuple(code_of(names).items()), tuple(libraries_of(names).items()))


@cache
def check(builder: Code) -> None:
    """Raises StageError where this process runs other code than the builder, once found in each process."""
    here = Code.of(builder.roots)
    if here != builder:
        found = [*_differences(builder.modules, here.modules), *_differences(builder.libraries, here.libraries)]
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise StageError(
            f"the worker on {socket.gethostname()} does not run the builder's code: {'; '.join(found[:_SHOWN])}{more}; "
            "install the same wheel and libraries on both, and build again"
        )


def _differences(builder: Iterable[tuple[str, str]], worker: Iterable[tuple[str, str]]) -> Iterator[str]:
    told, found = dict(builder), dict(worker)
    for name in sorted({*told, *found}):
        if told.get(name) != found.get(name):
            yield f"{name} is {_said(found, name)} there and {_said(told, name)} at the builder"


def _said(known: Mapping[str, str], name: str) -> str:
    return known[name][:_DIGITS] if name in known else "absent"
