"""Questions in words, for messages: a query or a form is nothing that a user has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_FEW = 3
_MOST_LETTERS = 60


def some(names: Sequence[str]) -> str:
    """The first of some names, and how many there are where that is not all."""
    first = ", ".join(map(_short, names[:_FEW]))
    return first if len(names) <= _FEW else f"{first}, ... ({len(names):,} in all)"


def of_wiki(values: Mapping[str, str]) -> str:
    """What a form asks a wiki for."""
    if "titles" in values:
        return f"the pages {some(values['titles'].split('|'))}"
    if "srsearch" in values:
        return f"what a search finds for {_short(values['srsearch'])!r}"
    if "meta" in values:
        return "what the wiki says of itself"
    return "an answer"


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[:_MOST_LETTERS]}..."
