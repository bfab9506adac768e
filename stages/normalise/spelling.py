"""Numbers as they are written: exact decimals, grouped digits, words."""

from __future__ import annotations

from fractions import Fraction

from stages.normalise.lexicon import lexicon

LARGEST_SPELT = 10**15
# Nothing is written with more decimals than this; a longer fraction stays a fraction.
MAX_DECIMALS = 40


def decimal(value: Fraction) -> str:
    """The number in digits: exact decimals where they end, else a fraction in lowest terms ("2/3")."""
    if value.denominator == 1:
        return str(value.numerator)
    places = _places(value.denominator)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def grouped(value: Fraction) -> str | None:
    """A whole number of five and more digits with commas, or four ("1,200"); None for others."""
    if value.denominator != 1 or abs(value) < 1000:
        return None
    return f"{value.numerator:,}"


def words(value: Fraction) -> str | None:
    """A whole number in words ("one hundred and five"); None for fractions and numbers beyond 10^15."""
    if value.denominator != 1 or abs(value) >= LARGEST_SPELT:
        return None
    number = abs(value.numerator)
    spelt = _spell(number) if number else lexicon().numbers["ones"][0]
    return f"minus {spelt}" if value < 0 else spelt


def ordinal(number: int) -> str:
    """3rd, 11th, 22nd."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def ordinal_words(number: int) -> str | None:
    """twenty-first."""
    spelt = words(Fraction(number))
    if spelt is None:
        return None
    cut = max(spelt.rfind(" "), spelt.rfind("-")) + 1
    last = spelt[cut:]
    special = lexicon().numbers["ordinals"].get(last)
    return spelt[:cut] + (special or (last[:-1] + "ieth" if last.endswith("y") else last + "th"))


def _places(denominator: int) -> int | None:
    """How many decimals a fraction with this denominator has; None where they never end, or are too many."""
    return next((places for places in range(MAX_DECIMALS + 1) if 10**places % denominator == 0), None)


def _spell(number: int) -> str:
    table = lexicon().numbers
    parts: list[str] = []
    for name, power in sorted(table["scales"].items(), key=lambda item: -item[1]):
        count, number = divmod(number, 10**power)
        if count:
            parts.append(f"{_spell_hundreds(count, False)} {name}")
    if number:
        parts.append(_spell_hundreds(number, bool(parts)))
    return " ".join(parts)


def _spell_hundreds(number: int, inside: bool) -> str:
    table = lexicon().numbers
    hundreds, rest = divmod(number, 100)
    head = f"{table['ones'][hundreds]} hundred" if hundreds else ""
    if not rest:
        return head
    tens, ones = divmod(rest, 10)
    tail = table["ones"][rest] if rest < 20 else table["tens"][tens] + (f"-{table['ones'][ones]}" if ones else "")
    return f"{head} and {tail}" if head else f"and {tail}" if inside else tail
