"""Pieces of SVG pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from stages.core.svg import arrow, arrow_heads, clean, decimal, document, new, write


def test_numbers_have_at_most_one_decimal_and_no_zeros_for_nothing() -> None:
    assert [decimal(value) for value in (10, 10.04, 0.25, 100.0, -3.5)] == ["10", "10", "0.2", "100", "-3.5"]


@given(st.text())
def test_any_text_can_be_written_and_read_back(words: str) -> None:
    svg = new(10, 10, words)
    write(svg, 0, 0, clean(words), size=12)
    found = ET.fromstring(document(svg))  # noqa: S314 (our own document)
    assert [element.text or "" for element in found] == [clean(words)] * 2


def test_an_arrow_bends_between_its_ends_and_names_its_head() -> None:
    svg = new(300, 100, "")
    arrow_heads(svg, {"more": "green"})
    arrow(svg, (0, 10), (100, 50), "more", "green", dashed=True)
    path = svg.findall("path")[0].attrib
    assert path["d"] == "M0 10 C45 10 55 50 100 50"
    assert (path["marker-end"], path["stroke-dasharray"]) == ("url(#more)", "7 4")
    assert [marker.attrib["id"] for marker in svg.iter("marker")] == ["more"]
