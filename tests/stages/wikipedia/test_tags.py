"""Comments and tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.tags import strip_tags
from tests.stages.wikipedia.marks import seen


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a<!-- x -->b<!-- never closed c", "ab"),
        ('Fact.<ref name="a">{{cite}}</ref> More.<ref name="a" /> End<ref/>.', "Fact. More. End."),
        ("<REF>x</Ref>y", "y"),
        ("a <b>bold</b> <span style='x'>s</span> x<sub>2</sub>", "a bold s x2"),
        ("one<br/>two<br>three", "one two three"),
        ("<gallery>\nFile:a.jpg\n</gallery>x", "x"),
        ("<script>alert(1)</script>x<style>p{}</style>", "x"),
        (
            "for <math>\\sqrt[3]{n}</math> and <math>x^{a_{2}}</math>",
            "for ‹math› and ‹math›",
        ),
        ("<math>E = 5</math>", "E &#61; 5"),
        ("<nowiki>[[x]]</nowiki>", "&#91;&#91;x&#93;&#93;"),
        ("1 < 2 and 3 > 2, <john@example.org>", "1 < 2 and 3 > 2, <john@example.org>"),
        ("<ref>never closed, left out", " ‹ref›"),
        ("a<ref name=x>b\nc\n\nd<ref>e</ref>f", "a ‹ref›\n\ndf"),
        ('a<ref name="b\n| c\n\nd <refuge> </ref e', "a ‹ref›\n| c\n\nd <refuge>  e"),
        ("a<ref>b\n}}\nc", "a ‹ref›\n}}\nc"),
        ("a<ref>b</ref c\n* d<ref/>", "a ‹ref›\n* d"),
        ("a<math>b\n\nc <math>d</math>", "a ‹math›\n\nc d"),
        ("a <math>b\n\nc <s>d", "a  ‹math›\n\nc d"),
        ("10<sup>24</sup> km<sup>2</sup>, Ca<sup>2+</sup>, 1<sup>st</sup>", "10^24 km², Ca²⁺, 1st"),
        ("<score>c d e</score>", "‹score›"),
        ("<div>a</div>b", "\n\na\n\nb"),
    ],
)
def test_what_is_left(markup: str, text: str) -> None:
    assert seen(strip_tags(markup)) == text


def test_what_a_piece_of_a_page_opens_may_end_in_another() -> None:
    assert strip_tags("Hot 100<ref> It is a song.", piece=True) == "Hot 100 It is a song."
    assert strip_tags("Hot 100<ref>a note</ref>. It is a song.", piece=True) == "Hot 100. It is a song."


@given(st.text(alphabet="abc \n.,'[]{}|", max_size=50))
def test_text_without_tags_is_untouched(text: str) -> None:
    assert strip_tags(text) == text
