"""What files spell in a way of their own: titles as addresses hold them, entities of HTML, a sentence's full stop."""

from __future__ import annotations

import re
from urllib.parse import unquote

from stages.musique.single_hops.forms import RELATION_SIGN, relation_sides

_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
# Numbers of kings, wars and popes look like initials.
_NUMBERS = frozenset("IVX")
# Those with a full stop inside ("U.S.", "a.m.") are told by it.
_ABBREVIATED = re.compile(
    r"jr|sr|dr|mr|mrs|ms|prof|rev|hon|gov|sen|rep|gen|col|lt|capt|sgt|st|mt|ft|inc|ltd|co|corp|bros|pty|dept|univ|no|vol"
    r"|ave|blvd|rd|etc|al|vs|ca|cf|eds?|est|approx|esq|mass|calif|conn|fla|mich|minn|okla|penn|tenn",
    re.I,
)


def title(value: object) -> object:
    """A title as it reads: "Marxism%E2%80%93Leninism" and "Super_Bowl_50" as an address writes them; others as is.

    Escapes that are no UTF-8 are left ("100%25" is "100%", "5%ff" stays).
    """
    if not isinstance(value, str):
        return value
    return (_unquoted(value) if _ESCAPE.search(value) else value).replace("_", " ")


def _unquoted(value: str) -> str:
    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError:
        return value


def without_full_stop(text: str) -> str:
    """A name or an answer without the full stop of its sentence ("World War I."); "U.S." and "Jr." keep theirs."""
    rest = text.removesuffix(".").rstrip()
    if rest == text or not rest or rest.endswith("."):
        return text
    last = rest.split()[-1]
    abbreviated = "." in last or _ABBREVIATED.fullmatch(last)
    initial = len(last) == 1 and last.isalpha() and last not in _NUMBERS
    return text if abbreviated or initial else rest


def asked(question: str) -> str:
    """A question; of a relation, without a full stop behind its subject."""
    sides = relation_sides(question)
    return question if sides is None else f"{without_full_stop(sides[0])} {RELATION_SIGN} {sides[1]}"
