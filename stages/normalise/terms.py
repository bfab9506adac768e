"""One amount at the start of a text: a number with its currency, unit or percent sign."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from stages.core.overlay import remembered
from stages.core.steps import Steps
from stages.normalise import evidence
from stages.normalise.clean import PlainText
from stages.normalise.lexicon import Currency, Unit, ValueLexicon, lexicon
from stages.normalise.model import AnswerPassage
from stages.normalise.number_reader import AMBIGUOUS_GROUPING, Number, UnreadableNumberError, read_number, read_spaced

PERCENT = "percent"
MOST_INCHES = 1000
_WORD = r"[^\d\s,()–-][^\d\s,()–]*(?:(?<=[a-z])[23](?!\d))?"
_UNIT = re.compile(rf"( |-|)({_WORD}(?: {_WORD}){{0,3}})")
_MONEY_SCALE = re.compile(r" ?([kmbt])(?![a-z])")


@dataclass(frozen=True, slots=True)
class AmountTerm:
    """number: as read; unit: a unit, PERCENT or nothing; name: the unit as written; end: where the rest begins.

    named: the unit's name is in capitals, as in a title ("127 Hours").
    """

    number: Number
    end: int
    currency: Currency | None = None
    unit: Unit | str | None = None
    name: str = ""
    named: bool = False

    @property
    def value(self) -> Fraction:
        return self.number.value

    @property
    def bare(self) -> bool:
        return self.currency is None and self.unit is None


class AmbiguousUnitError(ValueError):
    """A unit that may be another; the message is the refusal's reason. end: where the unit ends."""

    def __init__(self, end: int) -> None:
        super().__init__("ambiguous_unit")
        self.end = end


def read_term(text: PlainText, start: int, passage: AnswerPassage | None) -> AmountTerm | None:
    """The amount that begins at a place; None where none does.

    Raises UnreadableNumberError and AmbiguousUnitError with a refusal's reason.
    """
    minus = text.text[start : start + 1] == "-" and not text.text[start + 1 : start + 2].isdigit()
    sign, place = _sign_before(text.text, start + minus)
    number = _number(text, place, sign, passage)
    if number is None:
        return None
    if minus:
        if sign is None:
            return None
        number = number._replace(value=-number.value, mantissa=-number.mantissa)
    if sign is not None:
        return _money(text, number, sign)
    term = _with_unit(text, number, passage)
    # An article counts as one only before a unit or a scale.
    return None if term.bare and number.rule == "article" else term


def _number(text: PlainText, place: int, sign: Currency | None, passage: AnswerPassage | None) -> Number | None:
    try:
        return read_number(text.lower, place)
    except UnreadableNumberError as error:
        number = read_spaced(text.lower, place) if str(error) == AMBIGUOUS_GROUPING else None
        if number is None or not (sign or number.scale or not _with_unit(text, number, passage).bare):
            raise
        return number


@remembered()
def _signs() -> re.Pattern[str]:
    signs = sorted(lexicon().before, key=len, reverse=True)
    return re.compile("(" + "|".join(re.escape(sign) for sign in signs) + r")(?: ?(?=[\d.-])| (?=[a-z]))")


def _sign_before(text: str, start: int) -> tuple[Currency | None, int]:
    found = _signs().match(text, start)
    return (lexicon().before[found[1]], found.end()) if found else (None, start)


def _money(text: PlainText, number: Number, sign: Currency) -> AmountTerm:
    if not number.scale and (found := _MONEY_SCALE.match(text.lower, number.end)):
        power = lexicon().numbers["money_only"][found[1]]
        number = number._replace(value=number.value * 10**power, end=found.end(), rule="scaled", scale=power)
    return AmountTerm(number, number.end, sign)


def _with_unit(text: PlainText, number: Number, passage: AnswerPassage | None) -> AmountTerm:
    found = _UNIT.match(text.text, number.end)
    if found is None:
        return AmountTerm(number, number.end)
    glue, words = found[1], found[2]
    steps = Steps(words)
    while words and steps.on():
        term = _named(text, number, glue, words, found.start(2), passage)
        if term is not None:
            return term
        words = words[: words.rfind(" ")] if " " in words else ""
    return AmountTerm(number, number.end)


def _named(
    text: PlainText, number: Number, glue: str, words: str, at: int, passage: AnswerPassage | None
) -> AmountTerm | None:
    table, end = lexicon(), at + len(words)
    bare = words.replace(".", "")
    lower = bare.lower()
    if lower in table.percent:
        return AmountTerm(number, end, unit=PERCENT, name=words)
    if lower in table.pound.names:
        return _pounds(table, number, end, words, passage)
    if currency := table.after.get(lower) or table.after.get(words.lower()):
        return None if _is_coin(text, number) else AmountTerm(number, end, currency, name=words, named=_is_named(words))
    unit = table.symbols.get(words) or table.symbols.get(bare)
    if unit is not None and lower not in table.names:
        return _symbol(number, glue, words, end, unit)
    unit = table.names.get(lower)
    if unit is None or not glue:
        return None
    if (glue == "-" and (unit.counted or text.text[end:])) or (unit.counted and not words.islower()):
        return None
    return AmountTerm(number, end, unit=unit, name=words, named=_is_named(words, unit))


def _is_coin(text: PlainText, number: Number) -> bool:
    """ "half dollar" and "half penny" are coins, "half a dollar" is an amount."""
    return number.value == Fraction(1, 2) and text.lower[: number.end].endswith("half")


def _symbol(number: Number, glue: str, words: str, end: int, unit: Unit) -> AmountTerm | None:
    letter = len(words) == 1 and words.isalpha()
    if letter and not glue and number.value.denominator == 1:
        # "5m" may be metres, minutes or millions, "5K" a race.
        raise AmbiguousUnitError(end)
    if unit.key == "in" and words == "in" and (number.value >= MOST_INCHES or number.rule == "words"):
        # "375,000 in" is the beginning of "375,000 in 2010", and "seven in" of "seven in ten".
        return None
    return None if glue == "-" and words[0].isalpha() and letter else AmountTerm(number, end, unit=unit, name=words)


def _is_named(words: str, unit: Unit | None = None) -> bool:
    """Does the name begin with a capital, and not only where the unit itself has them ("degrees Celsius")?"""
    last = words.rpartition(" ")[2]
    if last.islower() or (len(last) > 1 and last.isupper()):
        return False
    return last[0].isupper() and (unit is None or words not in (unit.one, unit.many))


def _pounds(table: ValueLexicon, number: Number, end: int, words: str, passage: AnswerPassage | None) -> AmountTerm:
    pound = table.pound
    money = any(evidence.mentions(passage, word) for word in pound.money_words)
    mass = any(evidence.mentions(passage, word) for word in pound.mass_words)
    if money == mass:
        raise AmbiguousUnitError(end)
    if money:
        return AmountTerm(number, end, pound.money, name=words)
    return AmountTerm(number, end, unit=pound.mass, name=words)


__all__ = ["PERCENT", "AmbiguousUnitError", "AmountTerm", "UnreadableNumberError", "read_term"]
