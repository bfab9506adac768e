"""Reasoning graphs as pictures."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from stages.musique.graphs.drawing import draw
from stages.musique.graphs.shapes import SHAPES, Shape
from tests.stages.musique.composition.world import graph

SVG = "{http://www.w3.org/2000/svg}"


def picture(shape: Shape, text: str = "Who wrote it?") -> ET.Element:
    answers = [f"Answer {number}" for number in range(1, shape.level + 1)]
    row = graph(shape.name, [text] * shape.level, answers)
    return ET.fromstring(draw(row, "What is it?"))  # noqa: S314 (our own document)


def boxes(svg: ET.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each step's box."""
    rects = [rect.attrib for rect in svg.iter(f"{SVG}rect") if rect.attrib.get("rx") == "9"]
    sides = [[float(rect[name]) for name in ("x", "y", "width", "height")] for rect in rects]
    return [(x, y, x + width, y + height) for x, y, width, height in sides]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("text", ["Who?", "a long question of many words " * 20, "x" * 300])
def test_every_step_has_a_box_and_none_overlaps_another(shape: Shape, text: str) -> None:
    svg = picture(shape, text)
    found = boxes(svg)
    assert len(found) == shape.level
    assert len([path for path in svg.iter(f"{SVG}path") if "marker-end" in path.attrib]) == len(shape.edges)
    for one, other in combinations(found, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    width, height = float(svg.attrib["width"]), float(svg.attrib["height"])
    assert all(box[0] >= 0 and box[2] <= width and box[3] <= height for box in found)
    for head, tail in shape.edges:
        assert found[head - 1][2] < found[tail - 1][0]


def test_texts_are_escaped_and_control_characters_replaced() -> None:
    row = graph("2hop", ["<script> & #", "a\x00b #1"], ["<b>", "c"])
    drawn = draw(row, 'a "title" <i>')
    assert "<script>" not in drawn
    assert "\x00" not in drawn
    texts = "".join(ET.fromstring(drawn).itertext())  # noqa: S314 (our own document)
    assert "<script> & #" in texts
    assert "2hop__h:1_h:2" in texts
