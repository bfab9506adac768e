"""A number at the start of a text: digits, words, fractions, scales."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from stages.core.overlay import remembered
from stages.normalise.lexicon import lexicon
from stages.normalise.number_words import cardinal, run


class Number(NamedTuple):
    """value; end: where the rest begins; rule: digits, words, fraction or scaled; mantissa: before the scale.

    grouped: the digits have thousands separators.
    """

    value: Fraction
    end: int
    rule: str
    mantissa: Fraction
    scale: int = 0
    grouped: bool = False


_DIGITS = re.compile(
    r"[-+]?(?:\d{1,3}(?:,\d{2})*,\d{3}(?:,\d{3})*(?!\d)|\d{1,3}(?: \d{3}){2,}(?!\d)|\d+)(?:\.\d+)?|[-+]?\.\d+"
)
_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}")
_PARTS = re.compile(r"(?:(\d{1,4}) )?(\d{1,3})/(\d{1,3})(?![\d/])")
# "2 100 m" may be two of a hundred metres.
_SPACED = re.compile(r"[-+]?(?:\d{2,3} \d{3}|\d 000)(?:\.\d+)?(?![\d,]| \d)")
_POWER = re.compile(r"(\d+(?:\.\d+)?) ?[x×] ?10\^(-?\d{1,2})(?!\d)")
_POINT = re.compile(r" point ((?:[a-z]+)(?: [a-z]+){0,9})")
# Beside these a fraction in digits is a day of a month, a score or a rate.
_SAFE = frozenset(
    {(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 8), (3, 8), (5, 8), (7, 8)}
)


# "a third" may be one more; of a hundredth there is no such use.
_ALWAYS_PARTS = 100


AMBIGUOUS_GROUPING = "ambiguous_grouping"


class UnreadableNumberError(ValueError):
    """Something that is written as a number but says none; the message is the refusal's reason."""


def read_number(lower: str, start: int = 0) -> Number | None:
    """The number that begins at a place of a lower-case text; None where none does.

    Raises UnreadableNumberError with the reason where digits are grouped wrongly, and the like.
    """
    head = lower[start : start + 1]
    if head.isdigit() or (head in "-+." and lower[start + 1 : start + 2].isdigit() and head):
        return _scaled(_digits(lower, start), lower)
    if lower.startswith("minus ", start):
        return _negative(read_number(lower, start + 6))
    return _words(lower, start)


def read_spaced(lower: str, start: int = 0) -> Number | None:
    """Two groups of digits with one space ("816 000"), which a unit, currency or scale must show to be one number."""
    found = _SPACED.match(lower, start)
    if found is None:
        return None
    value = Fraction(found[0].replace(" ", ""))
    return _scaled(Number(value, found.end(), "digits", value, grouped=True), lower)


def _negative(number: Number | None) -> Number | None:
    return None if number is None else number._replace(value=-number.value, mantissa=-number.mantissa)


def _digits(lower: str, start: int) -> Number:
    if found := _POWER.match(lower, start):
        value = Fraction(found[1]) * Fraction(10) ** int(found[2])
        return Number(value, found.end(), "power_of_ten", value)
    if found := _PARTS.match(lower, start):
        return _parts(found)
    found = _DIGITS.match(lower, start)
    if found is None:
        raise UnreadableNumberError("bad_number")
    _check_digits(found[0].lstrip("+-"), lower[found.end() :])
    value = Fraction(found[0].replace(",", "").replace(" ", ""))
    return Number(value, found.end(), "digits", value, grouped="," in found[0])


def _check_digits(digits: str, rest: str) -> None:
    whole = digits.partition(".")[0]
    if re.match(r"\.\d", rest) and not re.match(r"(?:\.\d{3})+(?!\d)", rest):
        # An address or a version.
        raise UnreadableNumberError("bad_number")
    if re.match(r"[.,]\d{3}", rest) or ("," in whole and not _GROUPS.fullmatch(whole)):
        raise UnreadableNumberError("bad_grouping")
    if re.match(r",\d{1,2}(?!\d)", rest):
        raise UnreadableNumberError("decimal_comma")
    if re.match(r",\d", rest):
        raise UnreadableNumberError("bad_grouping")
    if re.match(r" \d{3}(?!\d)", rest):
        raise UnreadableNumberError(AMBIGUOUS_GROUPING)
    if len(whole) > 1 and whole.startswith("0"):
        raise UnreadableNumberError("leading_zero")


def _parts(found: re.Match[str]) -> Number:
    whole, upper, under = int(found[1] or 0), int(found[2]), int(found[3])
    if (upper, under) not in _SAFE:
        raise UnreadableNumberError("fraction_or_date")
    value = whole + Fraction(upper, under)
    return Number(value, found.end(), "fraction", value)


@remembered()
def _scales() -> tuple[re.Pattern[str], dict[str, int]]:
    numbers = lexicon().numbers
    spelt = {"hundred": 2, **numbers["scales"], **numbers["more_scales"]}
    letters = numbers["letters"]
    powers = {**spelt, **letters}
    names = "|".join(sorted(spelt, key=len, reverse=True))
    return re.compile(rf"(?:[ -](?:of )?)({names})(?![a-z])| ?({'|'.join(letters)})(?![a-z])"), powers


def _scaled(number: Number, lower: str) -> Number:
    """With "million" behind it, perhaps twice ("2 thousand million"), and "dozen"."""
    pattern, powers = _scales()
    if found := pattern.match(lower, number.end):
        power = powers[found[1] or found[2]]
        scale = number.scale + power
        return number._replace(value=number.value * 10**power, end=found.end(), rule="scaled", scale=scale)
    if found := _dozens().match(lower, number.end):
        value = number.value * lexicon().numbers["dozen"][found[1]]
        return number._replace(value=value, end=found.end(), rule="dozen")
    if (lower.startswith(" and a ", number.end) or lower.startswith(" and ", number.end)) and (
        more := _and_part(lower, number.end)
    ):
        part, end = more
        return _scaled(number._replace(value=number.value + part, end=end, rule="fraction"), lower)
    return number


@remembered()
def _dozens() -> re.Pattern[str]:
    return re.compile(f" ({'|'.join(lexicon().numbers['dozen'])})(?![a-z])")


def _words(lower: str, start: int) -> Number | None:
    if found := _fraction_words().match(lower, start):
        return _fraction(found, lower)
    if lower.startswith(("a ", "an "), start):
        return _one(lower, start)
    found = run().match(lower, start)
    if found is None:
        return None
    text, end = found[0], found.end()
    number = cardinal(text.replace(",", ""))
    if number is None and " and " in text:
        # "three and three quarters": the last words belong to the fraction.
        text = text[: text.rindex(" and ")]
        end = start + len(text)
        number = cardinal(text) if _and_part(lower, end) else None
    if number is None:
        raise UnreadableNumberError("several_numbers" if _several(found[0]) else "bad_number")
    value = Fraction(number)
    scale = _last_scale(text)
    return _with_decimals(Number(value, end, "words", value / 10**scale, scale), lower)


def _last_scale(text: str) -> int:
    """The power of ten of the scale that words end with: "three million" is 3 at scale 6."""
    count, _, last = text.rpartition(" ")
    return _scales()[1].get(last, 0) if count else 0


def _several(text: str) -> bool:
    """ "two and three"."""
    return len(parts := re.split(", | and ", text)) > 1 and all(cardinal(part) is not None for part in parts)


def _one(lower: str, start: int) -> Number | None:
    """ "a million", "a dozen"; before a unit the article counts as one, which the caller checks."""
    if (found := run().match(lower, start)) and (number := cardinal(found[0])) is not None:
        return Number(Fraction(number), found.end(), "words", Fraction(number))
    end = start + (2 if lower[start + 1] == " " else 3)
    one = Number(Fraction(1), end - 1, "article", Fraction(1))
    return _scaled(one, lower)


def _with_decimals(number: Number, lower: str) -> Number:
    if found := _POINT.match(lower, number.end):
        digits, end = "", found.start(1)
        for word in found[1].split(" "):
            digit = cardinal(word)
            if digit is None or digit > 9:
                break
            digits, end = digits + str(digit), end + len(word) + 1
        if digits:
            value = number.value + Fraction(f"0.{digits}")
            return _scaled(Number(value, end - 1, "words", value), lower)
    return _scaled(number, lower)


@remembered()
def _denominators() -> dict[str, int]:
    return {word: number for number, words in lexicon().numbers["fractions"].items() for word in words}


@remembered()
def _fraction_words() -> re.Pattern[str]:
    """ "half", "half a", "two thirds", "three-quarters", "a hundredth"; "one and a half" is no such start."""
    names = "|".join(sorted(_denominators(), key=len, reverse=True))
    counts = "|".join(lexicon().numbers["ones"][1:10])
    small = "|".join(word for word, number in _denominators().items() if number >= _ALWAYS_PARTS and word[-1] != "s")
    return re.compile(
        rf"(?:({counts})[ -])({names})(?![a-z])(?: of)?(?= an? |$| [a-z])|(half)(?![a-z])"
        rf"|an? ({small})(?![a-z])"
    )


def _fraction(found: re.Match[str], lower: str) -> Number | None:
    if found[3]:
        value, end = Fraction(1, 2), found.end()
    elif found[4]:
        value, end = Fraction(1, _denominators()[found[4]]), found.end()
    else:
        upper, under = cardinal(found[1]) or 1, _denominators()[found[2]]
        plural = found[2].endswith("s") or found[2] == "halves"
        if plural != (upper > 1) or (upper >= under and upper != 1):
            return None
        value, end = Fraction(upper, under), found.end(2)
    # "half a million", "half an hour": the article belongs to what is halved.
    article = re.match(r"(?: of)? an?(?= )", lower[end:])
    end += article.end() if article else 0
    return _scaled(Number(value, end, "fraction", value), lower)


def is_fraction(lower: str) -> bool:
    """Whether a lower-case text is a fraction in words as a whole: "one hundredth", but not "two hundredth"."""
    found = _fraction_words().match(lower)
    number = _fraction(found, lower) if found is not None else None
    return number is not None and number.end == len(lower)


def _and_part(lower: str, end: int) -> tuple[Fraction, int] | None:
    """ "and a half", "and three quarters" behind a whole number."""
    pattern = _and_parts()
    found = pattern.match(lower, end)
    if found is None:
        return None
    upper = 1 if found[1] in ("a", "an") else cardinal(found[1]) or 1
    if found[2].endswith("s") != (upper > 1) or upper >= _denominators()[found[2]]:
        return None
    return Fraction(upper, _denominators()[found[2]]), found.end()


@remembered()
def _and_parts() -> re.Pattern[str]:
    names = "|".join(sorted(_denominators(), key=len, reverse=True))
    counts = "|".join(["an?", *lexicon().numbers["ones"][1:10]])
    return re.compile(rf" and ({counts})[ -]({names})(?![a-z])")
