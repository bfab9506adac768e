"""Roman numerals there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.normalise.roman import numeral, value


@pytest.mark.parametrize(("number", "written"), [(4, "IV"), (8, "VIII"), (52, "LII"), (99, "XCIX"), (1944, "MCMXLIV")])
def test_numerals_by_hand(number: int, written: str) -> None:
    assert (numeral(number), value(written)) == (written, number)


def test_unusual_numerals_are_read_too() -> None:
    assert (value("IIII"), value("XXXX")) == (4, 40)


@given(st.integers(1, 3999))
def test_what_is_written_is_read(number: int) -> None:
    assert value(numeral(number)) == number
