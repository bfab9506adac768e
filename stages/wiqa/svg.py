"""An influence graph as a picture: SVG, each node at the place of its role, edges green (+) or red (-)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from stages.core.svg import (
    BOLD,
    PALE,
    PAPER,
    arrow,
    arrow_heads,
    bends,
    box,
    clean,
    dashes,
    decimal,
    document,
    drift,
    new,
    paper,
    write,
)
from stages.core.text_lines import wrap
from stages.wiqa.graph import EDGES, NODES, InfluenceGraph, edge_sign

# Column and row of each node's centre; rows may be fractions.
PLACES = {
    "Z": (0, 1.0),
    "V": (0, 2.0),
    "U": (1, 0.0),
    "X": (1, 1.5),
    "Y": (2, 0.75),
    "W": (2, 2.25),
    "A": (3, 0.75),
    "D": (3, 2.25),
}
ROLES = {
    "Z": "leads to the change",
    "V": "works against the change",
    "X": "the change",
    "U": "works against the effect",
    "Y": "what it brings about",
    "W": "what it holds back",
    "A": "outcome: more",
    "D": "outcome: less",
}
PLUS, MINUS = "#1a7f37", "#c62828"
FILLS = {"Z": "#f4f6f8", "V": "#f4f6f8", "U": "#f4f6f8", "X": "#e8f0fe", "Y": "#e8f0fe", "W": "#e8f0fe"}
OUTCOME_FILL = "#fff6e0"

_WIDTH, _COLUMN_GAP, _ROW_GAP, _MARGIN = 248, 100, 34, 28
_LINE, _PAD, _HEAD, _SIDE, _BULLET = 18, 10, 24, 12, 12
_SIZE, _TITLE_SIZE, _LINES = 13.5, 20, 4


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    height: float
    lines: Sequence[tuple[float, str]]

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def draw(graph: InfluenceGraph, title: str) -> str:
    """The SVG document; `title` is the paragraph's prompt. Texts are data: they are wrapped, cut and escaped."""
    boxes, bottom = _layout(graph)
    width = 2 * _MARGIN + 4 * _WIDTH + 3 * _COLUMN_GAP
    height = bottom + 46
    svg = new(width, height, title)
    arrow_heads(svg, {_marker(sign): _colour(sign) for sign in (1, -1)})
    paper(svg)
    heading = wrap(clean(title), (width - 2 * _MARGIN) / BOLD, _TITLE_SIZE, 1)[0]
    write(svg, _MARGIN, 42, heading, size=_TITLE_SIZE, weight="bold")
    edges = [(source, target, edge_sign(source, target, graph.y_affects)) for source, target in EDGES]
    drawn = [(s, t, sign) for s, t, sign in edges if sign is not None and s in boxes and t in boxes]
    for source, target, sign in drawn:
        arrow(svg, *_ends(boxes, source, target), _marker(sign), _colour(sign), dashed=sign < 0)
    for node, place in boxes.items():
        _box(svg, node, place)
    # Signs last: they must stay readable where two edges cross.
    for source, target, sign in drawn:
        _sign(svg, boxes, source, target, sign)
    _legend(svg, height - 22)
    return document(svg)


def _layout(graph: InfluenceGraph) -> tuple[dict[str, _Box], float]:
    """A box per node that the graph has, and the lower end of the lowest."""
    lines = {node: _wrapped(graph.groundings[node]) for node in NODES if graph.has(node)}
    heights = {node: _HEAD + _LINE * len(own) + 2 * _PAD for node, own in lines.items()}
    top, step = 72.0, max(heights.values(), default=60) + _ROW_GAP
    # A row of V, Z and U is as high as the highest box, so nothing overlaps whatever is missing.
    used = [PLACES[node][1] for node in lines]
    first = min(used, default=0.0)
    boxes = {}
    for node, own in lines.items():
        column, row = PLACES[node]
        centre = top + (row - first) * step + max(heights.values()) / 2
        x = _MARGIN + column * (_WIDTH + _COLUMN_GAP)
        boxes[node] = _Box(x, centre - heights[node] / 2, heights[node], own)
    return boxes, max((place.y + place.height for place in boxes.values()), default=top)


def _wrapped(texts: Sequence[str]) -> list[tuple[float, str]]:
    """(indentation, line) for all texts of a node; of several each gets a bullet."""
    indent = _BULLET if len(texts) > 1 else 0
    found: list[tuple[float, str]] = []
    for text in texts:
        lines = wrap(clean(text), _WIDTH - 2 * _SIDE - indent, _SIZE, _LINES)
        if indent:
            found.append((0, f"• {lines[0]}"))
            found += [(indent, line) for line in lines[1:]]
        else:
            found += [(0, line) for line in lines]
    return found


def _box(svg: ET.Element, node: str, place: _Box) -> None:
    box(svg, place.x, place.y, _WIDTH, place.height, FILLS.get(node, OUTCOME_FILL))
    write(svg, place.x + _SIDE, place.y + 21, node, size=15, weight="bold")
    write(svg, place.x + 36, place.y + 21, ROLES[node], size=11.5, colour=PALE)
    for row, (indent, line) in enumerate(place.lines):
        write(svg, place.x + _SIDE + indent, place.y + _HEAD + _PAD + 11 + row * _LINE, line, size=_SIZE)


def _ends(boxes: Mapping[str, _Box], source: str, target: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where an edge leaves one box and enters another, on their facing sides."""
    start, end = boxes[source], boxes[target]
    apart = drift(end.middle - start.middle)
    return (start.x + _WIDTH, start.middle + apart), (end.x - 3, end.middle - apart)


def _sign(svg: ET.Element, boxes: Mapping[str, _Box], source: str, target: str, sign: int) -> None:
    (x1, y1), (x2, y2) = _ends(boxes, source, target)
    at = 0.27
    x, y = _bezier(at, x1, *bends(x1, x2), x2), _bezier(at, y1, y1, y2, y2)
    circle = {
        "cx": decimal(x),
        "cy": decimal(y),
        "r": "9",
        "fill": PAPER,
        "stroke": _colour(sign),
        "stroke-width": "1.6",
    }
    ET.SubElement(svg, "circle", circle)
    write(svg, x, y + 5, _mark(sign), size=15, weight="bold", colour=_colour(sign), anchor="middle")


def _bezier(at: float, a: float, b: float, c: float, d: float) -> float:
    rest = 1 - at
    return rest**3 * a + 3 * rest**2 * at * b + 3 * rest * at**2 * c + at**3 * d


def _legend(svg: ET.Element, y: float) -> None:
    for x, sign, words in ((_MARGIN, 1, "makes it happen more"), (_MARGIN + 230, -1, "makes it happen less")):
        ends = {"x1": decimal(x), "y1": decimal(y - 4), "x2": decimal(x + 40), "y2": decimal(y - 4)}
        look = {"stroke": _colour(sign), "stroke-width": "2.2"}
        ET.SubElement(svg, "line", ends | look | dashes(sign < 0))
        write(svg, x + 50, y, f"{_mark(sign)} {words}", size=12.5, colour=PALE)


def _marker(sign: int) -> str:
    return "more" if sign > 0 else "less"


def _colour(sign: int) -> str:
    return PLUS if sign > 0 else MINUS


def _mark(sign: int) -> str:
    return "+" if sign > 0 else "\u2212"
