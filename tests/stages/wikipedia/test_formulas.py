"""Formulas in one line, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.formulas import plain_formula
from stages.wikipedia.wikitext import clean_wikitext


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("x", "x"),
        ("x^2", "x^2"),
        ("x^{10} + y_1", "x^10 + y_1"),
        (r"\alpha", "α"),
        (r"\alpha\beta", "αβ"),
        (r"E = mc^2", "E = mc^2"),
        (r"\frac{1}{2}", "1/2"),
        (r"\sqrt{2}", "√2"),
        (r"3 \times 10^{8}\,\text{m/s}", None),
        (r"3 \times 10^{8}\,\mathrm{km}", "3 × 10^8 km"),
        (r"\sin x", "sin x"),
        (r"a \le b", "a ≤ b"),
        (r"\frac{a}{b}x", None),
        (r"2\frac{a}{b}", None),
        (r"\frac{a+b}{c}", None),
        (r"\sum_{i=1}^n i", None),
        (r"\begin{matrix}1&2\end{matrix}", None),
        (r"x^{a_{1}}", None),
        (r"\unknown x", None),
        ("x" * 81, None),
        ("", None),
    ],
)
def test_a_formula_is_read_whole_or_not_at_all(written: str, read: str | None) -> None:
    assert plain_formula(written) == read


@given(st.text(alphabet="\\{}^_ ab1+frcsqt", max_size=60))
def test_no_markup_of_a_formula_is_left_in_what_is_read(written: str) -> None:
    read = plain_formula(written)
    assert read is None or not set(read) & set("\\{}")


def test_a_page_shows_short_formulas_and_has_holes_for_others() -> None:
    assert clean_wikitext("The area is <math>\\pi r^2</math> here.") == "The area is πr^2 here."
    assert clean_wikitext("It is {{math|''x''<sup>2</sup>}} or {{tmath|\\alpha}}.") == "It is x² or α."
    assert clean_wikitext("It is {{math|a=b}} here.") == "It is \ufffc here."
    assert clean_wikitext("The sum <math>\\sum_i i</math> is here.") == "The sum \ufffc is here."
