"""A reasoning graph as SVG: a box per step with its question and answer, an arrow where one asks about the other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from stages.influence.text_lines import text_width, wrap

INK, PALE, PAPER, EDGE, ACCENT = "#1f2933", "#52606d", "#ffffff", "#4a6fa5", "#1a7f37"
FILL, LAST_FILL = "#f4f6f8", "#fff6e0"
_WIDTH, _COLUMN_GAP, _ROW_GAP, _MARGIN = 270, 120, 36, 28
_LINE, _PAD, _HEAD, _SIDE = 18, 10, 24, 12
_SIZE, _TITLE_SIZE, _LINES, _TITLE_LINES = 13.5, 18, 5, 4
_UNUSABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class _Box:
    """A step in its place. question, answer: lines."""

    x: float
    y: float
    height: float
    question: Sequence[str]
    answer: Sequence[str]

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def draw(graph: Mapping[str, Any], title: str) -> str:
    """The SVG document of a row of COMPOSED_HOPS; title: its question in words.

    Texts are data: they are wrapped, cut and escaped.
    """
    columns = _columns(len(graph["hops"]), graph["edges"])
    width = 2 * _MARGIN + (max(columns) + 1) * (_WIDTH + _COLUMN_GAP) - _COLUMN_GAP
    heading = wrap(_clean(title), (width - 2 * _MARGIN) / 1.12, _TITLE_SIZE, _TITLE_LINES)
    top = 30 + 26 * len(heading)
    boxes = _boxes(graph, columns, top)
    height = max(box.y + box.height for box in boxes) + 48
    svg = ET.Element("svg", _frame(width, height))
    ET.SubElement(svg, "title").text = _clean(title)
    _marker(svg)
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": PAPER})
    for number, line in enumerate(heading):
        _text(svg, _MARGIN, 36 + 26 * number, line, size=_TITLE_SIZE, weight="bold")
    for edge in graph["edges"]:
        _arrow(svg, boxes[edge["from"] - 1], boxes[edge["to"] - 1])
    for number, box in enumerate(boxes, start=1):
        _draw_box(svg, number, box, number == len(boxes))
    # Names last: they must stay readable where two arrows cross.
    for edge in graph["edges"]:
        _name(svg, boxes[edge["from"] - 1], boxes[edge["to"] - 1], f"#{edge['from']}")
    _text(svg, _MARGIN, height - 16, _clean(f"{graph['shape']}  {graph['graph']}"), size=11, colour=PALE)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(svg, encoding="unicode") + "\n"


def _columns(count: int, edges: Sequence[Mapping[str, int]]) -> list[int]:
    """The column of each step: as far from the last one as there are steps between."""
    after = dict.fromkeys(range(1, count + 1), 0)
    for number in range(count, 0, -1):
        for edge in edges:
            if edge["from"] == number:
                after[number] = max(after[number], after[edge["to"]] + 1)
    most = max(after.values())
    return [most - after[number] for number in range(1, count + 1)]


def _boxes(graph: Mapping[str, Any], columns: Sequence[int], top: float) -> list[_Box]:
    width = _WIDTH - 2 * _SIDE
    texts = [
        (wrap(_clean(step), width, _SIZE, _LINES), wrap(_clean(answer), width / 1.12, _SIZE, 2))
        for step, answer in zip(graph["question_steps"], graph["hop_answers"], strict=True)
    ]
    heights = [_HEAD + _LINE * (len(question) + len(answer)) + 2 * _PAD + 6 for question, answer in texts]
    full = _tallest(columns, heights)
    boxes = []
    for number, (column, height) in enumerate(zip(columns, heights, strict=True)):
        own = [heights[other] for other, place in enumerate(columns) if place == column]
        above = [heights[other] for other, place in enumerate(columns[:number]) if place == column]
        start = top + (full - sum(own) - _ROW_GAP * (len(own) - 1)) / 2
        y = start + sum(above) + _ROW_GAP * len(above)
        boxes.append(_Box(_MARGIN + column * (_WIDTH + _COLUMN_GAP), y, height, *texts[number]))
    return boxes


def _tallest(columns: Sequence[int], heights: Sequence[float]) -> float:
    sums: dict[int, float] = {}
    for column, height in zip(columns, heights, strict=True):
        sums[column] = sums.get(column, -_ROW_GAP) + height + _ROW_GAP
    return max(sums.values())


def _draw_box(svg: ET.Element, number: int, box: _Box, is_last: bool) -> None:
    shape = {"x": _n(box.x), "y": _n(box.y), "width": _n(_WIDTH), "height": _n(box.height), "rx": "9"}
    fill = LAST_FILL if is_last else FILL
    ET.SubElement(svg, "rect", shape | {"fill": fill, "stroke": "#9aa5b1", "stroke-width": "1.2"})
    _text(svg, box.x + _SIDE, box.y + 21, f"Step {number}", size=12, weight="bold", colour=PALE)
    y = box.y + _HEAD + _PAD + 11
    for line in box.question:
        _text(svg, box.x + _SIDE, y, line, size=_SIZE)
        y += _LINE
    for line in box.answer:
        _text(svg, box.x + _SIDE, y + 6, line, size=_SIZE, weight="bold", colour=ACCENT)
        y += _LINE


def _ends(head: _Box, tail: _Box) -> tuple[float, float, float, float]:
    drift = max(-18.0, min(18.0, (tail.middle - head.middle) / 8))
    return head.x + _WIDTH, head.middle + drift, tail.x - 3, tail.middle - drift


def _arrow(svg: ET.Element, head: _Box, tail: _Box) -> None:
    x1, y1, x2, y2 = _ends(head, tail)
    bend = (x2 - x1) * 0.45
    path = f"M{_n(x1)} {_n(y1)} C{_n(x1 + bend)} {_n(y1)} {_n(x2 - bend)} {_n(y2)} {_n(x2)} {_n(y2)}"
    look = {"fill": "none", "stroke": EDGE, "stroke-width": "2.2", "marker-end": "url(#arrow)"}
    ET.SubElement(svg, "path", {"d": path} | look)


def _name(svg: ET.Element, head: _Box, tail: _Box, words: str) -> None:
    x1, y1, x2, y2 = _ends(head, tail)
    x, y, wide = (x1 + x2) / 2, (y1 + y2) / 2, text_width(words, 13) + 10
    label = {"x": _n(x - wide / 2), "y": _n(y - 11), "width": _n(wide), "height": "22", "rx": "6"}
    ET.SubElement(svg, "rect", label | {"fill": PAPER, "stroke": EDGE, "stroke-width": "1.2"})
    _text(svg, x, y + 5, words, size=13, weight="bold", colour=EDGE, anchor="middle")


def _frame(width: float, height: float) -> dict[str, str]:
    return {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {_n(width)} {_n(height)}",
        "width": _n(width),
        "height": _n(height),
        "role": "img",
        "font-family": "Helvetica, Arial, 'DejaVu Sans', sans-serif",
    }


def _marker(svg: ET.Element) -> None:
    defs = ET.SubElement(svg, "defs")
    size = {"markerWidth": "9", "markerHeight": "9", "refX": "8", "refY": "4.5", "orient": "auto"}
    marker = ET.SubElement(defs, "marker", {"id": "arrow", "markerUnits": "userSpaceOnUse"} | size)
    ET.SubElement(marker, "path", {"d": "M0 0 L9 4.5 L0 9 z", "fill": EDGE})


def _text(
    svg: ET.Element,
    x: float,
    y: float,
    words: str,
    *,
    size: float,
    weight: str = "normal",
    colour: str = INK,
    anchor: str = "start",
) -> None:
    look = {"font-size": _n(size), "font-weight": weight, "fill": colour, "text-anchor": anchor}
    ET.SubElement(svg, "text", {"x": _n(x), "y": _n(y)} | look).text = words


def _clean(text: str) -> str:
    """XML has no way to write most control characters, and a picture has no use for them."""
    return _UNUSABLE.sub("\ufffd", " ".join(text.split()))


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
