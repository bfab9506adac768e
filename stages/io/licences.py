"""The licences that records of a source state, as one text of bounded length."""

from __future__ import annotations

from collections.abc import Iterable

from manifests.digest import json_digest

LONGEST = 200
"""Characters of one licence."""
MOST = 12
"""Licences that are named; a source whose records state more of them is not described by a longer list."""
_DIGITS = 12


def together(stated: Iterable[str]) -> str:
    """The licences in order, each once; of many the first, how many more there are, and a digest of all.

    "" where none is stated.
    """
    found = sorted({" ".join(licence.split())[:LONGEST] for licence in stated} - {""})
    if len(found) <= MOST:
        return " | ".join(found)
    return f"{' | '.join(found[:MOST])} | and {len(found) - MOST:,} more (all: {json_digest(found)[:_DIGITS]})"
