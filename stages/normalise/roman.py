"""Roman numerals, read and written."""

from __future__ import annotations

_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_WRITTEN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")),
    *((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


def value(numeral: str) -> int:
    """What a numeral of capital letters is worth, however it is put together: 4 of "IIII" too."""
    values = [_VALUES[letter] for letter in numeral]
    ahead = [*values[1:], 0]
    return sum(-worth if worth < after else worth for worth, after in zip(values, ahead, strict=True))


def numeral(number: int) -> str:
    """The usual numeral of a number above 0."""
    found, left = [], number
    for worth, letters in _WRITTEN:
        found.append(letters * (left // worth))
        left %= worth
    return "".join(found)
