"""Short whole texts: yes and no, ordinals, Roman numerals, amounts in their canonical form."""

from __future__ import annotations

import re

from stages.core.overlay import remembered
from stages.normalise import roman
from stages.normalise.clean import PlainText
from stages.normalise.lexicon import lexicon
from stages.normalise.model import AnswerForm, Kind, Read, Reading, Undecidable
from stages.normalise.number_reader import is_fraction
from stages.normalise.number_words import ordinal_number
from stages.normalise.spelling import ordinal, ordinal_words

_ORDINAL = re.compile(r"(?:the )?(\d{1,3}(?:,\d{3})+|[1-9]\d{0,14})(st|nd|rd|th)")
_PERIOD = r"P(?=\w)(?:[\d.]+[YMWD])*(?:T(?:[\d.]+[HMS])+)?"
# One part of a hundred thousand, or the place behind 99,999 others; a hyphen would tell.
_PART_OR_PLACE = re.compile(r"(?:an?|one) hundred (?:thousand|million|billion)th")
_DURATION = re.compile(rf"[~><≥≤]?{_PERIOD}(?:–{_PERIOD})?")
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
# Shorter ones, and those with other letters, are initials and words as often as numbers.
_SAFE_ROMAN = re.compile(r"(?!XXX$)[IVX]{3,}")


def read_short(text: PlainText) -> Reading:
    """One of the kinds above; None where the text is none of them."""
    if (said := _said().get(text.lower.replace(",", ""))) is not None:
        return Read(Kind.YES_NO, (AnswerForm(said, "yes_or_no"),))
    if text.text.isupper() and _ROMAN.fullmatch(text.text) and len(text.text) > 1:
        return _roman(text.text)
    if text.text[0] in "P~><≥≤" and "P" in text.text[:2] and _DURATION.fullmatch(text.text):
        return Read(Kind.DURATION, (AnswerForm(text.text, "as_formatted"),))
    return _ordinal(text.lower)


@remembered()
def _said() -> dict[str, str]:
    numbers = lexicon().numbers
    return {phrase: word for word in ("yes", "no") for phrase in numbers[word]}


def _ordinal(lower: str) -> Reading:
    if found := _ORDINAL.fullmatch(lower):
        number = int(found[1].replace(",", ""))
        if ordinal(number) != found[1].replace(",", "") + found[2]:
            return Undecidable(Kind.ORDINAL, "bad_ordinal")
        return _forms(number, "ordinal_digits")
    if is_fraction(lower):
        return None
    if _PART_OR_PLACE.fullmatch(lower):
        return Undecidable(Kind.ORDINAL, "fraction_or_ordinal")
    number_said = ordinal_number(lower.removeprefix("the "))
    return None if not number_said else _forms(number_said, "ordinal_words")


def _forms(number: int, rule: str) -> Read:
    spelt = ordinal_words(number)
    forms = [AnswerForm(ordinal(number), rule)]
    if spelt:
        # Without the article "one hundredth" is a part.
        told = is_fraction(spelt) or _PART_OR_PLACE.fullmatch(spelt)
        forms.append(AnswerForm(f"the {spelt}" if told else spelt, "words"))
    return Read(Kind.ORDINAL, tuple(forms))


def _roman(text: str) -> Reading:
    if not _SAFE_ROMAN.fullmatch(text):
        return Undecidable(Kind.NUMBER, "roman_or_letters")
    return Read(Kind.NUMBER, (AnswerForm(str(roman.value(text)), "roman"),))
