"""English names of months, ordinals and spans of years, and its small words, the same whatever the locale."""

from __future__ import annotations

import re

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SHORT_MONTHS = tuple(name[:3] for name in MONTHS)
_FUNCTION = """
a about after all also although among an and any are as at be because been before being between both but by can could
did do does during each either for from had has have he her his how i if in into is it its may me might more most much
must my no not of off on once only or other our out over she should since so some than that the their them then there
these they this those through to under until up upon was we were what when where whether which while who whom whose
why will with within without would you your
"""
FUNCTION_WORDS = frozenset(_FUNCTION.split())
"""Words that have a part in a sentence, but name nothing; lower case. Some ask for more of them, and add their own."""
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    *("twentieth", "twenty-first"),
)
_DECADE = re.compile(r"(\d{3})X")
# A decade before our era has no prefix of digits in common: -0048/-0039 is 49 to 40 BC.
_DECADE_BEFORE = re.compile(r"-\d{4}/(-?\d{4})")
_LONGER = re.compile(r"(-?)(?:(\d{2})XX|(\d)XXX)")
_ERAS = ("BC", "BCE", "B.C.")


def ordinal(number: int) -> str:
    """ "1st", "22nd", "113th"."""
    ending = "th" if 11 <= number % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def span_names(value: str) -> list[str]:
    """What a decade, century or millennium is called, the usual name first; none for any other value.

    value: as `stages.wikidata.values` writes it: 196X, 19XX (the 20th century), 1XXX, -04XX, -0048/-0039.
    """
    if match := _DECADE.fullmatch(value):
        start = int(match[1]) * 10
        return [f"{start}s", f"{start}'s"] if start >= 100 else [f"{start}s AD", f"AD {start}s"]
    if match := _DECADE_BEFORE.fullmatch(value):
        start = (1 - int(match[1])) // 10 * 10
        return [f"{start}s {era}" for era in _ERAS]
    if match := _LONGER.fullmatch(value):
        kind = "century" if match[2] else "millennium"
        number = int(match[2] or match[3]) + 1
        words = _ORDINALS[number - 1 : number]
        names = [f"{form} {kind}" for form in (ordinal(number), *words)]
        return [f"{name} {era}" for name in names for era in _ERAS] if match[1] else names
    return []
