"""Amounts in several units: one behind the other, or a conversion in brackets."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from stages.core.steps import Steps
from stages.normalise import amount_forms
from stages.normalise.clean import PlainText
from stages.normalise.lexicon import Unit
from stages.normalise.model import AnswerPassage, Undecidable
from stages.normalise.terms import AmountTerm, read_term

_NEXT = re.compile(r",? and |,? ?")


def read_compound(
    text: PlainText, first: AmountTerm, passage: AnswerPassage | None
) -> list[AmountTerm] | Undecidable | None:
    """ "5 ft 11 in", "1 hour and 30 minutes": units of one dimension, each smaller than the one before."""
    terms = [first]
    steps = Steps(text.text)
    while terms[-1].end < len(text.text) and steps.on():
        found = _NEXT.match(text.lower, terms[-1].end)
        term = read_term(text, found.end() if found else terms[-1].end, passage)
        if term is None or not isinstance(term.unit, Unit) or term.unit.counted or term.unit == first.unit:
            return None
        terms.append(term)
    return terms if _descending(terms) else Undecidable(amount_forms.kind_of(terms[0]), "bad_compound")


def _descending(terms: list[AmountTerm]) -> bool:
    return all(_fits(big, small) for big, small in pairwise(terms))


def _fits(big: AmountTerm, small: AmountTerm) -> bool:
    first, second = big.unit, small.unit
    if not (isinstance(first, Unit) and isinstance(second, Unit)) or big.value.denominator != 1 or small.value < 0:
        return False
    if first.iso and second.iso and first.of != second.of:
        # Years and months before weeks and days: no fixed number of one makes the other.
        return first.of == "years"
    if first.of is None or first.of != second.of or first.factor is None or second.factor is None:
        return False
    return small.value * second.factor < first.factor


def disagree(first: PlainText, second: PlainText) -> bool:
    """Whether two single amounts of one dimension differ by more than rounding to two digits can make."""
    terms = [read_term(text, 0, None) for text in (first, second)]
    whole = [term for term, text in zip(terms, (first, second), strict=True) if term and term.end == len(text.text)]
    if len(whole) < 2:
        return False
    ours, theirs = (term.unit.of if isinstance(term.unit, Unit) else None for term in whole)
    if ours is None or ours != theirs:
        return ours != theirs
    return abs(size(whole[0]) - size(whole[1])) * 20 > abs(size(whole[0]))


def size(term: AmountTerm) -> Fraction:
    """In the base unit of its dimension, where it has one."""
    factor = term.unit.factor if isinstance(term.unit, Unit) else None
    return term.value * factor if factor is not None else term.value
