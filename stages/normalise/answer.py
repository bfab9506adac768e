"""An answer as a date, number, amount, title or plain span, in canonical form, or the reason why not.

Whole texts only: "September 11 attacks" is no date and "Apollo 11" no number. Nothing is
invented: a part that the text leaves open is settled by the passage or refused.
"""

from __future__ import annotations

import re

from stages.core import texts
from stages.core.overlay import remembered
from stages.normalise.amount_forms import number_vocabulary
from stages.normalise.amounts import read_amount
from stages.normalise.clean import MAX_LENGTH, PlainText, clean, digit_scripts, plain
from stages.normalise.date_digits import read_digits
from stages.normalise.date_tokens import vocabulary
from stages.normalise.dates import read_date
from stages.normalise.entities import read_entity
from stages.normalise.lexicon import lexicon
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, NormalisedAnswer, Read, Reading, Undecidable
from stages.normalise.short import read_short
from stages.wikipedia.title_lookup import Titles

_FIRST = re.compile(r"[a-z]+|.")
_CENTURY = re.compile(r"\b(?:which|what) century\b")
_ROMAN = frozenset("IVXLCDM")
_AMOUNTS = frozenset({Kind.NUMBER, Kind.QUANTITY, Kind.MONEY, Kind.PERCENT, Kind.DURATION})


def normalise(
    text: str,
    passage: str | AnswerPassage | None = None,
    titles: Titles | None = None,
    expect: Kind | None = None,
) -> NormalisedAnswer:
    """The kind and canonical forms of an answer.

    passage: what the answer was drawn from; it settles what the answer leaves open.
    titles: the wiki whose pages names are looked up in; without it a name stays a span.
    expect: the kind, where it is known. It only decides between readings of one text, such
    as "1936" (a year or a number) and "2011-12" (a month or a range); it forces nothing.
    """
    cleaned = clean(text)
    if not cleaned:
        return NormalisedAnswer("", Kind.SPAN, refusal="empty")
    around = AnswerPassage(passage) if isinstance(passage, str) else passage
    reading = _bounded(cleaned, around, titles, expect)
    if isinstance(reading, Read):
        return NormalisedAnswer(cleaned, reading.kind, reading.forms)
    if isinstance(reading, Undecidable):
        return NormalisedAnswer(cleaned, reading.kind, refusal=reading.reason)
    return NormalisedAnswer(cleaned, Kind.SPAN, (AnswerForm(cleaned, "as_written"),))


def _bounded(cleaned: str, passage: AnswerPassage | None, titles: Titles | None, expect: Kind | None) -> Reading:
    """The reading as a value or as a title; refused where it goes past the bound on its steps (too_slow)."""
    try:
        reading = _value(cleaned, passage, expect) if len(cleaned) <= MAX_LENGTH else None
        if titles is not None and (expect is Kind.ENTITY or not isinstance(reading, Read)):
            return read_entity(cleaned, titles, passage) or reading
    except texts.Refused as fault:
        return Undecidable(Kind.SPAN, fault.reason)
    return reading


def _value(cleaned: str, passage: AnswerPassage | None, expect: Kind | None) -> Reading:
    if expect is Kind.SPAN or (expect is Kind.ENTITY):
        return None
    text = plain(cleaned)
    if text is None:
        return Undecidable(Kind.NUMBER, "mixed_digits") if digit_scripts(cleaned) > 1 else None
    if not text.text or not _may_begin(text):
        return None
    if expect is Kind.DATE and (read := read_digits(text.text, text.lower, passage, certain=True)):
        return read
    if (read := read_short(text)) is not None:
        return (_century(text, passage) if read.kind is Kind.ORDINAL else None) or read
    if expect in _AMOUNTS:
        return read_amount(text, passage, certain=True)
    dated = read_digits(text.text, text.lower, passage) or read_date(text.lower, passage, text.text)
    return dated if dated is not None else read_amount(text, passage)


def _century(text: PlainText, passage: AnswerPassage | None) -> Reading:
    """A bare ordinal where the question asks for a century: "19th", with the ordinal as a further form."""
    if passage is None or not _CENTURY.search(passage.question.lower()) or "century" in text.lower:
        return None
    dated = read_date(f"{text.lower.removeprefix('the ')} century", passage, f"{text.text} century")
    if not isinstance(dated, Read):
        return None
    return dated._replace(forms=(*dated.forms, AnswerForm(f"{text.text.removeprefix('the ')} century", "as_asked")))


def _may_begin(text: PlainText) -> bool:
    """Whether the first word or mark can begin anything but a name: most answers end here."""
    first = _FIRST.match(text.lower)
    if first is None:
        return False
    word = first[0]
    return (
        not "a" <= word[0] <= "z"
        or word in _beginnings()
        or text.text.startswith(_signs(text.text[0]))
        or _ROMAN.issuperset(text.text)
        or "centur" in text.lower
    )


@remembered()
def _beginnings() -> frozenset[str]:
    """First words of dates, amounts, ordinals and yes or no."""
    numbers = lexicon().numbers
    words = {
        *vocabulary(),
        *number_vocabulary(),
        "minus",
        "number",
        "no",
        "nos",
        "noon",
        "midday",
        "midnight",
        "half",
        "p",
        "pt",
        "t",
        "xxxx",
        "y",
        "q",
    }
    words |= {phrase.split(" ")[0].rstrip(",.") for phrases in numbers["hedges"].values() for phrase in phrases}
    words |= {phrase.split(" ")[0] for phrase in (*numbers["vague"], *numbers["yes"], *numbers["no"])}
    words |= {*numbers["ordinals"].values(), *numbers["zero"], *numbers["times"]}
    words |= {word[:-1] + "ieth" for word in numbers["tens"] if word} | {f"{word}th" for word in numbers["ones"]}
    return frozenset(words)


@remembered()
def _signs(letter: str) -> tuple[str, ...]:
    return tuple(sign for sign in lexicon().before if sign.startswith(letter))


__all__ = ["PlainText", "normalise"]
