"""Whole texts that are numbers, quantities, money, shares or spans of time, alone or as a range."""

from __future__ import annotations

import re
from dataclasses import replace

from stages.core.overlay import remembered
from stages.normalise import amount_forms, evidence, usage
from stages.normalise.amount_ranges import read_range
from stages.normalise.clean import PlainText
from stages.normalise.compounds import disagree, read_compound
from stages.normalise.lexicon import Unit, lexicon
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Read, Reading, Undecidable
from stages.normalise.number_reader import read_number
from stages.normalise.terms import AmbiguousUnitError, AmountTerm, UnreadableNumberError, read_term

_TO = re.compile(r" ?[–-] ?| (?:to|through) ")
_AND = re.compile(r" and ")
_RATE = re.compile(r" (?:an?|per|each|every) [a-z]+")
_AGE = re.compile(r" (?:old|of age)")
_FROM_NOW = re.compile(r" (?:ago|later|earlier|before|after|from now|hence)")
_BRACKETS = re.compile(r"([^()]+) \(([^()]+)\)")
_LIST = re.compile(r"(?:,? and|,? or|,) ")
_SHARE = re.compile(r"(\S.*?) (?:in every|in|out of) (\S.*)")
_RATIO = re.compile(r"\d+(?:-to-|:| to one\b|-to-one\b)(?:\d+)?")
_NUMBERED = re.compile(r"(?:no\.? ?|nos\.? |number |# ?|№ ?)(?=\d)|number (?=[a-z])")
_YEAR = re.compile(r"1\d{3}|20\d{2}|2100")
_SPACED = re.compile(r"[-+]?\d{1,3} \d{3}")
_DIGITS_ONLY = re.compile(r"[-+]?\d[\d.,/]*")


def read_amount(text: PlainText, passage: AnswerPassage | None, certain: bool = False) -> Reading:
    """An amount; Refused with the reason where one part cannot be told; None where the text is none.

    certain: the text is known to be an amount, so that "2–4" is no score and "over 2000" no year.
    """
    try:
        return _read(text, passage, certain)
    except UnreadableNumberError as error:
        reason = str(error)
        return Undecidable(Kind.NUMBER, reason) if _sound(text, reason) else None
    except AmbiguousUnitError as error:
        whole = error.end == len(text.text) or _TO.match(text.lower, error.end)
        return Undecidable(Kind.QUANTITY, str(error)) if whole else None


def _sound(text: PlainText, reason: str) -> bool:
    """A refusal is only for texts that are a number as a whole: "36 Pell Street" has no reason to refuse."""
    if reason == "scale_of_range":
        return True
    if reason in ("bad_number", "several_numbers"):
        return not text.lower[-1:].isdigit() and _only_number_words(text.lower)
    return (_SPACED if reason == "ambiguous_grouping" else _DIGITS_ONLY).fullmatch(text.lower) is not None


def _only_number_words(lower: str) -> bool:
    known = amount_forms.number_vocabulary()
    return all(word in known for word in re.split(r"[ ,-]+", lower))


def _read(text: PlainText, passage: AnswerPassage | None, certain: bool = False) -> Reading:
    if found := _BRACKETS.fullmatch(text.text):
        return _converted(text, found, passage)
    if text.lower in _vague():
        return Undecidable(Kind.NUMBER, "vague")
    if (times := lexicon().numbers["times"].get(text.lower)) is not None:
        if not text.text.islower():
            return Undecidable(Kind.QUANTITY, "may_be_a_name")
        return _read(PlainText(counted := f"{times} times", counted), passage)
    if found := _NUMBERED.match(text.lower):
        return _numbered(text, found.end(), passage)
    if _RATIO.fullmatch(text.lower) or _is_share(text.lower):
        return Undecidable(Kind.NUMBER, "ratio")
    sign, start = _hedge(text.lower)
    if text.lower.startswith("between ", start):
        return _between(text, start + len("between "), sign, passage, certain)
    spanned = text.lower.startswith("from ", start)
    low_at = start + len("from ") if spanned else start
    low = read_term(text, low_at, passage)
    if low is None:
        return None
    rest = text.lower[low.end :]
    if not rest and not spanned:
        if (
            sign
            and not certain
            and low.bare
            and _YEAR.fullmatch(text.lower[low_at:])
            and not usage.counts(passage, text.lower[low_at:])
        ):
            return Undecidable(Kind.NUMBER, "year_or_number")
        return _one(text, low, sign, passage)
    if dash := _TO.match(text.lower, low.end):
        high = read_term(text, dash.end(), passage)
        if high is not None and high.end == len(text.text):
            return read_range(text, low, high, sign, passage, certain)
    return None if spanned else _more(text, low, sign, rest, passage)


def _is_share(lower: str) -> bool:
    """ "one in five", "4 out of 5": how many of how many, which is no number of either."""
    found = _SHARE.fullmatch(lower)
    if found is None or (" in every " not in lower and " out of " not in lower and _YEAR.fullmatch(found[2])):
        return False
    return all(_is_number(part) for part in found.groups())


def _is_number(lower: str) -> bool:
    number = read_number(lower)
    return number is not None and number.end == len(lower) and number.rule != "article"


def _between(text: PlainText, start: int, sign: str, passage: AnswerPassage | None, certain: bool) -> Reading:
    """ "between one hundred and five and two hundred": the one "and" that has an amount on either side parts them."""
    found = list[Reading]()
    for word in _AND.finditer(text.lower, start):
        low = _whole(PlainText(text.text[: word.start()], text.lower[: word.start()]), start, passage)
        high = _whole(text, word.end(), passage)
        if low is not None and high is not None:
            found.append(read_range(text, low, high, sign, passage, certain))
    readings = [reading for reading in found if reading is not None]
    return readings[0] if len(readings) == 1 else None


def _whole(text: PlainText, start: int, passage: AnswerPassage | None) -> AmountTerm | None:
    """The amount from a place to the end of a text; None where more stands there, or no amount."""
    try:
        term = read_term(text, start, passage)
    except (UnreadableNumberError, AmbiguousUnitError):
        return None
    return term if term is not None and term.end == len(text.text) else None


@remembered()
def _vague() -> frozenset[str]:
    return frozenset(lexicon().numbers["vague"])


@remembered()
def _hedges() -> tuple[re.Pattern[str], dict[str, str]]:
    table = {phrase: sign for sign, phrases in lexicon().numbers["hedges"].items() for phrase in phrases}
    names = sorted(table, key=len, reverse=True)
    words = "|".join(re.escape(name) for name in names if name[-1].isalpha() or name[-1] == ".")
    marks = "|".join(re.escape(name) for name in names if not (name[-1].isalpha() or name[-1] == "."))
    return re.compile(rf"({words}) |({marks}) ?|(c\.|ca\.)(?=\d)"), table


def _hedge(lower: str) -> tuple[str, int]:
    pattern, table = _hedges()
    found = pattern.match(lower)
    return (table[found[1] or found[2] or found[3]], found.end()) if found else ("", 0)


def _numbered(text: PlainText, start: int, passage: AnswerPassage | None) -> Reading:
    """ "No. 46"; with capitals "Number One" is a name."""
    term = read_term(text, start, None)
    if term is None or term.end != len(text.text) or not term.bare or term.value.denominator != 1:
        return None
    if text.lower[start].isalpha() and text.text[start].isupper():
        return Undecidable(Kind.NUMBER, "may_be_a_name")
    return amount_forms.number(replace(term, name=""), "", passage, rule="numbered")


def _one(text: PlainText, term: AmountTerm, sign: str, passage: AnswerPassage | None) -> Reading:
    if term.named and not _lower_in(text, term, passage):
        return Undecidable(amount_forms.kind_of(term), "may_be_a_name")
    return amount_forms.single(term, sign, passage)


def _lower_in(text: PlainText, term: AmountTerm, passage: AnswerPassage | None) -> bool:
    """Does the passage write the same amount in small letters, so that it is no title?"""
    return evidence.mentions(passage, text.lower) and text.lower in (passage.text if passage else "")


def _more(text: PlainText, low: AmountTerm, sign: str, rest: str, passage: AnswerPassage | None) -> Reading:
    """What stands behind a first amount: an age, a rate, smaller units, another list item, a conversion."""
    if _AGE.fullmatch(rest) and isinstance(low.unit, Unit) and low.unit.iso:
        return amount_forms.single(low, sign, passage, rule="age")
    if low.currency is not None and _RATE.fullmatch(rest):
        return Undecidable(Kind.MONEY, "rate")
    if _FROM_NOW.fullmatch(rest) and isinstance(low.unit, Unit) and low.unit.iso:
        return Undecidable(Kind.DATE, "relative_date")
    if isinstance(low.unit, Unit):
        compound = read_compound(text, low, passage)
        if compound is not None:
            return compound if isinstance(compound, Undecidable) else amount_forms.compound(compound, sign, passage)
    if found := _LIST.match(rest):
        second = read_term(text, low.end + found.end(), passage)
        if second is not None and second.end == len(text.text):
            return Undecidable(amount_forms.kind_of(second), "several_numbers")
    return None


def _converted(text: PlainText, found: re.Match[str], passage: AnswerPassage | None) -> Reading:
    """ "119 m (390 ft)": the second amount is the first one in another unit, rounded."""
    first, second = (_read(PlainText(found[part], text.lower[slice(*found.span(part))]), passage) for part in (1, 2))
    if not (isinstance(first, Read) and isinstance(second, Read)) or {first.kind, second.kind} != {Kind.QUANTITY}:
        return first if isinstance(first, Undecidable) and isinstance(second, Read) else None
    if disagree(PlainText(found[1], found[1].lower()), PlainText(found[2], found[2].lower())):
        return Undecidable(Kind.QUANTITY, "conversion_disagrees")
    return Read(first.kind, (*first.forms, AnswerForm(second.forms[0].text, "conversion_as_written")))
