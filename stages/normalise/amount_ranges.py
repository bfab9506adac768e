"""Ranges of amounts, kept as ranges: "$13-21 million", "900 m to 2 km"."""

from __future__ import annotations

import re
from dataclasses import replace

from stages.normalise import amount_forms, evidence
from stages.normalise.clean import PlainText
from stages.normalise.compounds import size
from stages.normalise.lexicon import Unit
from stages.normalise.model import AnswerPassage, Kind, Reading, Undecidable
from stages.normalise.terms import AmountTerm, UnreadableNumberError

_SCORE = re.compile(r"(\d{1,3}) ?[–-] ?(\d{1,3})")
_HUNDRED = 2


def read_range(
    text: PlainText, low: AmountTerm, high: AmountTerm, sign: str, passage: AnswerPassage | None, certain: bool
) -> Reading:
    """Two amounts of one measure as a range; the first takes scale and unit from the second where it has none.

    Raises UnreadableNumberError where the second one's scale may not be the first one's.
    """
    if not certain and low.bare and high.bare and (reason := _score(text.lower, passage)):
        return Undecidable(Kind.NUMBER, reason)
    if "words" in (low.number.rule, high.number.rule) and text.text[low.end] == "-":
        # "7-Eleven"; ranges in words are written out.
        return None
    alike = _like(low, high)
    if alike is None:
        return None
    if not _same_measure(alike, high):
        return None
    if size(alike) >= size(high):
        return Undecidable(amount_forms.kind_of(high), "not_ascending")
    return amount_forms.interval(alike, high, sign, passage)


def _score(lower: str, passage: AnswerPassage | None) -> str | None:
    """Two small numbers with a dash are as often a score, unless the passage writes the range out."""
    found = _SCORE.fullmatch(lower)
    if found is None:
        return None
    low, high = found.groups()
    forms = (f"{low} to {high}", f"between {low} and {high}", f"from {low} to {high}")
    return None if any(evidence.mentions(passage, form) for form in forms) else "range_or_score"


def _like(low: AmountTerm, high: AmountTerm) -> AmountTerm | None:
    """The first end with the sign, scale and unit that only the second one has."""
    if low.currency is None and high.currency is not None and low.unit is None:
        low = replace(low, currency=high.currency)
    elif low.currency is not None and high.currency is None and high.unit is None:
        return _scaled_like(low, high)
    elif low.unit is None and high.unit is not None and low.currency is None:
        low = replace(low, unit=high.unit, name=high.name)
    return _scaled_like(low, high)


def _scaled_like(low: AmountTerm, high: AmountTerm) -> AmountTerm | None:
    """ "13-21 million" has both ends in millions; "500,000 to 1 million" has not."""
    number = low.number
    if not high.number.scale or number.scale or number.value >= 1000:
        return low
    if high.number.scale == _HUNDRED:
        if number.value >= 10**_HUNDRED:
            return low
        # "five to one hundred", but "two to three hundred".
        raise UnreadableNumberError("scale_of_range")
    if number.mantissa >= high.number.mantissa:
        return None
    scaled = number._replace(value=number.value * 10**high.number.scale, scale=high.number.scale)
    return replace(low, number=scaled)


def _same_measure(low: AmountTerm, high: AmountTerm) -> bool:
    if low.currency != high.currency:
        return low.currency is not None and high.bare
    if isinstance(low.unit, Unit) and isinstance(high.unit, Unit):
        return low.unit == high.unit or (low.unit.of is not None and low.unit.of == high.unit.of)
    return low.unit == high.unit
