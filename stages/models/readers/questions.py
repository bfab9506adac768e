"""What kind of thing a question asks for, as far as its words tell."""

from __future__ import annotations

import re

from stages.models.readers.spans import DATE, LONG_NAME, NAME, NAMES, NUMBER, PHRASE, YEAR, stem

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ASKING = ("who", "whom", "whose", "when", "where", "why", "how", "which", "what")
_RELATION = " >> "

# How often each shape answers, where nothing was learnt: rough shares, of which only the order matters.
_NAMED = {NAME: 3.0, NAMES: 4.0, LONG_NAME: 3.0}
_USUAL: dict[str, dict[str, float]] = {
    "who": {NAMES: 6.0, NAME: 2.0, LONG_NAME: 2.0},
    "when": {DATE: 5.0, YEAR: 5.0},
    "where": {NAME: 5.0, NAMES: 3.0, LONG_NAME: 2.0},
    "how many": {NUMBER: 10.0},
    "how much": {NUMBER: 10.0},
    "how long": {NUMBER: 8.0, PHRASE: 2.0},
    "how old": {NUMBER: 10.0},
    "what year": {YEAR: 10.0},
    "what date": {DATE: 10.0},
    "what day": {DATE: 10.0},
    "which": _NAMED,
    "what": {**_NAMED, PHRASE: 6.0, NUMBER: 1.0},
    ">>": {**_NAMED, DATE: 1.0, YEAR: 1.0, PHRASE: 1.0},
    "": {**_NAMED, PHRASE: 4.0, NUMBER: 1.0, DATE: 1.0, YEAR: 1.0},
}


def kinds(question: str) -> tuple[str, ...]:
    """The kinds that a question belongs to, the narrowest first and "" last.

    "X >> performer" is of the kinds ">> performer", ">>" and ""; "in what year was X born" of
    "what year", "what" and "".
    """
    _, arrow, relation = question.rpartition(_RELATION)
    if arrow:
        return f">> {relation.strip().casefold()}", ">>", ""
    words = _WORD.findall(question.casefold())
    asking = next((place for place, word in enumerate(words) if word in _ASKING), None)
    if asking is None:
        return ("",)
    word = {"whom": "who", "whose": "who"}.get(words[asking], words[asking])
    after = next((found for found in words[asking + 1 : asking + 3] if stem(found) or word == "how"), "")
    return (f"{word} {after}", word, "") if after else (word, "")


def usual_shapes(question: str) -> dict[str, float]:
    """The shapes that answer such a question, where nothing was learnt."""
    return next(_USUAL[kind] for kind in kinds(question) if kind in _USUAL)
