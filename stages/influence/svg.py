"""An influence graph as a picture: SVG, each node at the place of its role, edges green (+) or red (-)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from stages.influence.graph import EDGES, NODES, Graph, edge_sign
from stages.influence.text_lines import wrap

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
PLUS, MINUS, INK, PALE, PAPER = "#1a7f37", "#c62828", "#1f2933", "#52606d", "#ffffff"
FILLS = {"Z": "#f4f6f8", "V": "#f4f6f8", "U": "#f4f6f8", "X": "#e8f0fe", "Y": "#e8f0fe", "W": "#e8f0fe"}
OUTCOME_FILL = "#fff6e0"

_WIDTH, _COLUMN_GAP, _ROW_GAP, _MARGIN = 248, 100, 34, 28
_LINE, _PAD, _HEAD, _SIDE, _BULLET = 18, 10, 24, 12, 12
_SIZE, _TITLE_SIZE, _LINES = 13.5, 20, 4
_UNUSABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    height: float
    lines: Sequence[tuple[float, str]]

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def draw(graph: Graph, title: str) -> str:
    """The SVG document; `title` is the paragraph's prompt. Texts are data: they are wrapped, cut and escaped."""
    boxes, bottom = _layout(graph)
    width = 2 * _MARGIN + 4 * _WIDTH + 3 * _COLUMN_GAP
    height = bottom + 46
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_n(width)} {_n(height)}",
            "width": _n(width),
            "height": _n(height),
            "role": "img",
            "font-family": "Helvetica, Arial, 'DejaVu Sans', sans-serif",
        },
    )
    ET.SubElement(svg, "title").text = _clean(title)
    _markers(svg)
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": PAPER})
    # Bold type is about a tenth wider.
    heading = wrap(_clean(title), (width - 2 * _MARGIN) / 1.12, _TITLE_SIZE, 1)[0]
    _text(svg, _MARGIN, 42, heading, size=_TITLE_SIZE, weight="bold")
    edges = [(source, target, edge_sign(source, target, graph.y_affects)) for source, target in EDGES]
    drawn = [(s, t, sign) for s, t, sign in edges if sign is not None and s in boxes and t in boxes]
    for source, target, sign in drawn:
        _line(svg, boxes, source, target, sign)
    for node, box in boxes.items():
        _box(svg, node, box)
    # Signs last: they must stay readable where two edges cross.
    for source, target, sign in drawn:
        _sign(svg, boxes, source, target, sign)
    _legend(svg, height - 22)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(svg, encoding="unicode") + "\n"


def _layout(graph: Graph) -> tuple[dict[str, _Box], float]:
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
    return boxes, max((box.y + box.height for box in boxes.values()), default=top)


def _wrapped(texts: Sequence[str]) -> list[tuple[float, str]]:
    """(indentation, line) for all texts of a node; of several each gets a bullet."""
    indent = _BULLET if len(texts) > 1 else 0
    found: list[tuple[float, str]] = []
    for text in texts:
        lines = wrap(_clean(text), _WIDTH - 2 * _SIDE - indent, _SIZE, _LINES)
        if indent:
            found.append((0, f"• {lines[0]}"))
            found += [(indent, line) for line in lines[1:]]
        else:
            found += [(0, line) for line in lines]
    return found


def _box(svg: ET.Element, node: str, box: _Box) -> None:
    fill = FILLS.get(node, OUTCOME_FILL)
    shape = {"x": _n(box.x), "y": _n(box.y), "width": _n(_WIDTH), "height": _n(box.height), "rx": "9"}
    ET.SubElement(svg, "rect", shape | {"fill": fill, "stroke": "#9aa5b1", "stroke-width": "1.2"})
    _text(svg, box.x + _SIDE, box.y + 21, node, size=15, weight="bold")
    _text(svg, box.x + 36, box.y + 21, ROLES[node], size=11.5, colour=PALE)
    for number, (indent, line) in enumerate(box.lines):
        _text(svg, box.x + _SIDE + indent, box.y + _HEAD + _PAD + 11 + number * _LINE, line, size=_SIZE)


def _ends(boxes: Mapping[str, _Box], source: str, target: str) -> tuple[float, float, float, float]:
    """Where an edge leaves one box and enters another, on their facing sides."""
    start, end = boxes[source], boxes[target]
    y1, y2 = start.middle, end.middle
    # Edges that go up leave and arrive a little apart from those that go down.
    drift = max(-18.0, min(18.0, (y2 - y1) / 8))
    return start.x + _WIDTH, y1 + drift, end.x - 3, y2 - drift


def _line(svg: ET.Element, boxes: Mapping[str, _Box], source: str, target: str, sign: int) -> None:
    x1, y1, x2, y2 = _ends(boxes, source, target)
    bend = (x2 - x1) * 0.45
    path = f"M{_n(x1)} {_n(y1)} C{_n(x1 + bend)} {_n(y1)} {_n(x2 - bend)} {_n(y2)} {_n(x2)} {_n(y2)}"
    colour = PLUS if sign > 0 else MINUS
    look = {"fill": "none", "stroke": colour, "stroke-width": "2.2", "marker-end": f"url(#{_marker(sign)})"}
    ET.SubElement(svg, "path", {"d": path} | look | ({} if sign > 0 else {"stroke-dasharray": "7 4"}))


def _sign(svg: ET.Element, boxes: Mapping[str, _Box], source: str, target: str, sign: int) -> None:
    x1, y1, x2, y2 = _ends(boxes, source, target)
    at = 0.27
    bend = (x2 - x1) * 0.45
    x = _bezier(at, x1, x1 + bend, x2 - bend, x2)
    y = _bezier(at, y1, y1, y2, y2)
    colour = PLUS if sign > 0 else MINUS
    circle = {"cx": _n(x), "cy": _n(y), "r": "9", "fill": PAPER, "stroke": colour, "stroke-width": "1.6"}
    ET.SubElement(svg, "circle", circle)
    _text(svg, x, y + 5, "+" if sign > 0 else "\u2212", size=15, weight="bold", colour=colour, anchor="middle")


def _bezier(at: float, a: float, b: float, c: float, d: float) -> float:
    rest = 1 - at
    return rest**3 * a + 3 * rest**2 * at * b + 3 * rest * at**2 * c + at**3 * d


def _legend(svg: ET.Element, y: float) -> None:
    for x, sign, words in ((_MARGIN, 1, "makes it happen more"), (_MARGIN + 230, -1, "makes it happen less")):
        colour = PLUS if sign > 0 else MINUS
        line = {
            "x1": _n(x),
            "y1": _n(y - 4),
            "x2": _n(x + 40),
            "y2": _n(y - 4),
            "stroke": colour,
            "stroke-width": "2.2",
        }
        ET.SubElement(svg, "line", line | ({} if sign > 0 else {"stroke-dasharray": "7 4"}))
        _text(svg, x + 50, y, f"{'+' if sign > 0 else chr(0x2212)} {words}", size=12.5, colour=PALE)


def _markers(svg: ET.Element) -> None:
    defs = ET.SubElement(svg, "defs")
    for sign, colour in ((1, PLUS), (-1, MINUS)):
        size = {"markerWidth": "9", "markerHeight": "9", "refX": "8", "refY": "4.5", "orient": "auto"}
        marker = ET.SubElement(defs, "marker", {"id": _marker(sign), "markerUnits": "userSpaceOnUse"} | size)
        ET.SubElement(marker, "path", {"d": "M0 0 L9 4.5 L0 9 z", "fill": colour})


def _marker(sign: int) -> str:
    return "more" if sign > 0 else "less"


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
