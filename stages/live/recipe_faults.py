"""What to say of a recipe whose values have another form than expected: where, what stands there, an example."""

from __future__ import annotations

import re

_MOST_LETTERS = 60
_PLACE = re.compile(r"at `\$([^`]*+)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[([0-9]+)\]")
_LACKS = re.compile(r"missing required field `(\w+)`")
_WHOLE = "keys with values, such as the lines version: 1 and classes: [Q11424]"
_WANTED = {
    "version": "1",
    "about": "a text, such as Films of the 1990s",
    "classes": "a list of ids, such as [Q11424]",
    "where": "a list of conditions, such as [{property: P577, from: 1990, until: 1999}]",
    "where: property": "an id, such as P577",
    "where: from": "a year, such as 1990",
    "where: until": "a year, such as 1999",
    "where: value": "an id, such as Q142",
    "seeds": "a list of ids, such as [Q44578]",
    "properties": "a list of ids, such as [P57, P161]",
    "hops": "a whole number, such as 1",
    "titles": "a list of titles, such as [Pulp Fiction]; one that is a number or a date stands in quotes",
    "limits": "keys with numbers, such as {entities: 500}",
}
_NUMBER = "a whole number, such as 500"


def misfit(given: object, said: str) -> str:
    """The fault of a recipe in words. said: msgspec's message about it, which ends with the place, if there is one."""
    if given is None:
        return f"nothing stands in it; expected {_WHOLE}"
    place = _PLACE.search(said)
    value, names = given, []
    for name, number in _STEP.findall(place.group(1) if place else ""):
        if name:
            names.append(name)
            value = value.get(name) if isinstance(value, dict) else None
        else:
            value = value[int(number)] if isinstance(value, list) else None
    if lacks := _LACKS.search(said):
        key = ": ".join((*names, lacks.group(1)))
        return f"{key}: missing; expected {_wanted(key)}"
    key = ": ".join(names)
    return f"{key + ': ' if key else ''}{_shown(value)}; expected {_wanted(key)}"


def _wanted(key: str) -> str:
    return _WANTED.get(key, _NUMBER if key.startswith("limits: ") else _WHOLE)


def _shown(value: object) -> str:
    """A value as YAML would have it, near enough for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, (list, dict)) and not value:
        return "an empty list" if isinstance(value, list) else "no keys"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}..."
