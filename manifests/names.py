"""What to say of a name that is not there: what was probably meant, or what there is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_FEW = 12


def alternatives(name: str, known: Iterable[str], lister: str) -> str:
    """The end of a message about a name that is none of the known ones; few are listed in the order given.

    lister: a command that names them all, for where they are too many and none is near.
    """
    names = list(dict.fromkeys(known))
    near = difflib.get_close_matches(name, names, n=3)
    if near:
        return f"did you mean {' or '.join(near)}? {lister} names all {len(names):,}"
    if len(names) <= _FEW:
        return f"there are {', '.join(names) or 'none'}"
    return f"{lister} names all {len(names):,}"
