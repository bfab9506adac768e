"""What a walk has not found: nothing at all is an error that says what to change, a part of it a note."""

from __future__ import annotations

from collections.abc import Sequence

from stages.live.addresses import LiveError, shown
from stages.live.entities import Walk

_FEW = 5
CHANGE = "change classes, where or seeds of the --recipe"


def lacking(walk: Walk) -> list[str]:
    """Notes about entities of a finished walk that the endpoint does not know, or of which no question can be made.

    Raises:
        LiveError: there is no entity, or none with a statement of the properties.
    """
    address, main = shown(walk.endpoint.service.address), walk.main
    if not main:
        raise LiveError(f"{address}: there are no {walk.recipe.entities}; {CHANGE}, or its years")
    unknown = [name for name in main if not walk.found[name].is_something()]
    if len(unknown) == len(main):
        raise LiveError(f"{address}: says nothing of {few(unknown)}; {CHANGE}")
    notes = [f"The endpoint says nothing of {len(unknown):,} of {len(main):,} entities: {few(unknown)}."]
    known = [name for name in main if walk.found[name].is_something()]
    silent = [name for name in known if not any(walk.found[name].claims.get(key) for key in walk.properties)]
    if len(silent) == len(known):
        raise LiveError(
            f"{address}: none of {len(known):,} entities ({few(known)}) has a statement of the properties "
            f"{few(walk.properties)}, so that there is nothing to ask about; name others under properties of the "
            "--recipe, or other entities"
        )
    notes.append(f"{len(silent):,} of {len(known):,} entities have no statement of the properties: {few(silent)}.")
    return [note for note, names in zip(notes, (unknown, silent), strict=True) if names]


def few(names: Sequence[str]) -> str:
    """The first of some names, for a message."""
    return ", ".join(names[:_FEW]) + (", ..." if len(names) > _FEW else "")
