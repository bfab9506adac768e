"""The licences that records of a source state, as one text of bounded length, made in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable

from manifests.digest import json_digest

LONGEST = 200
"""Characters of one licence."""
MOST = 12
"""Licences that are named; a source whose records state more of them is not described by a longer list."""
MOST_COUNTED = 50_000
"""Licences that are told apart while they are counted."""
_DIGITS = 12


def together(stated: Iterable[str], listed: str = "") -> str:
    """The licences in order, each once; of many the first, how many more there are, and a digest of all.

    Of more than MOST_COUNTED the first so many count, whatever order they come in. "" where none is stated.
    listed: where all of them stand.
    """
    found, more = _first(stated)
    if len(found) <= MOST:
        return " | ".join(found)
    rest = f"and {'at least ' * more}{len(found) - MOST + more:,} more"
    return f"{' | '.join(found[:MOST])} | {rest} (all: {f'{listed}, ' * bool(listed)}{json_digest(found)[:_DIGITS]})"


def _first(stated: Iterable[str]) -> tuple[list[str], bool]:
    """The first MOST_COUNTED distinct licences in order, and whether there are more."""
    found: set[str] = set()
    more = False
    for licence in stated:
        found.add(" ".join(licence.split())[:LONGEST])
        if len(found) > 2 * MOST_COUNTED:
            found, more = set(sorted(found - {""})[:MOST_COUNTED]), True
    ordered = sorted(found - {""})
    return ordered[:MOST_COUNTED], more or len(ordered) > MOST_COUNTED
