"""A reasoning graph as SVG: a box per step with its question and answer, an arrow where one asks about the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from stages.core.svg import (
    BOLD,
    PALE,
    PAPER,
    arrow,
    arrow_heads,
    box,
    clean,
    decimal,
    document,
    drift,
    new,
    paper,
    write,
)
from stages.core.text_lines import text_width, wrap

EDGE, ACCENT = "#4a6fa5", "#1a7f37"
FILL, LAST_FILL = "#f4f6f8", "#fff6e0"
_WIDTH, _COLUMN_GAP, _ROW_GAP, _MARGIN = 270, 120, 36, 28
_LINE, _PAD, _HEAD, _SIDE = 18, 10, 24, 12
_ARROW = "arrow"
_SIZE, _TITLE_SIZE, _LINES, _TITLE_LINES = 13.5, 18, 5, 4


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
    heading = wrap(clean(title), (width - 2 * _MARGIN) / BOLD, _TITLE_SIZE, _TITLE_LINES)
    top = 30 + 26 * len(heading)
    boxes = _boxes(graph, columns, top)
    height = max(place.y + place.height for place in boxes) + 48
    svg = new(width, height, title)
    arrow_heads(svg, {_ARROW: EDGE})
    paper(svg)
    for row, words in enumerate(heading):
        write(svg, _MARGIN, 36 + 26 * row, words, size=_TITLE_SIZE, weight="bold")
    for edge in graph["edges"]:
        arrow(svg, *_ends(boxes[edge["from"] - 1], boxes[edge["to"] - 1]), _ARROW, EDGE)
    for step, place in enumerate(boxes, start=1):
        _draw_box(svg, step, place, step == len(boxes))
    # Names last: they must stay readable where two arrows cross.
    for edge in graph["edges"]:
        _name(svg, boxes[edge["from"] - 1], boxes[edge["to"] - 1], f"#{edge['from']}")
    write(svg, _MARGIN, height - 16, clean(f"{graph['shape']}  {graph['graph']}"), size=11, colour=PALE)
    return document(svg)


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
        (wrap(clean(step), width, _SIZE, _LINES), wrap(clean(answer), width / BOLD, _SIZE, 2))
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


def _draw_box(svg: ET.Element, step: int, place: _Box, is_last: bool) -> None:
    box(svg, place.x, place.y, _WIDTH, place.height, LAST_FILL if is_last else FILL)
    write(svg, place.x + _SIDE, place.y + 21, f"Step {step}", size=12, weight="bold", colour=PALE)
    y = place.y + _HEAD + _PAD + 11
    for words in place.question:
        write(svg, place.x + _SIDE, y, words, size=_SIZE)
        y += _LINE
    for words in place.answer:
        write(svg, place.x + _SIDE, y + 6, words, size=_SIZE, weight="bold", colour=ACCENT)
        y += _LINE


def _ends(head: _Box, tail: _Box) -> tuple[tuple[float, float], tuple[float, float]]:
    apart = drift(tail.middle - head.middle)
    return (head.x + _WIDTH, head.middle + apart), (tail.x - 3, tail.middle - apart)


def _name(svg: ET.Element, head: _Box, tail: _Box, words: str) -> None:
    (x1, y1), (x2, y2) = _ends(head, tail)
    x, y, wide = (x1 + x2) / 2, (y1 + y2) / 2, text_width(words, 13) + 10
    label = {"x": decimal(x - wide / 2), "y": decimal(y - 11), "width": decimal(wide), "height": "22", "rx": "6"}
    ET.SubElement(svg, "rect", label | {"fill": PAPER, "stroke": EDGE, "stroke-width": "1.2"})
    write(svg, x, y + 5, words, size=13, weight="bold", colour=EDGE, anchor="middle")
