"""Pieces of SVG pictures: the document, arrow heads, rounded boxes, bent arrows and lines of text.

Texts are data: the caller wraps them, `clean` takes out what XML cannot hold, and the
serialiser escapes the rest.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

INK, PALE, PAPER = "#1f2933", "#52606d", "#ffffff"
BOLD = 1.12
"""How much wider than plain text bold type is taken to be."""
_BORDER = {"stroke": "#9aa5b1", "stroke-width": "1.2"}
_UNUSABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")


def new(width: float, height: float, title: str) -> ET.Element:
    """An svg element of that many pixels with its title, and nothing on it yet."""
    look = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {decimal(width)} {decimal(height)}",
        "width": decimal(width),
        "height": decimal(height),
        "role": "img",
        "font-family": "Helvetica, Arial, 'DejaVu Sans', sans-serif",
    }
    svg = ET.Element("svg", look)
    ET.SubElement(svg, "title").text = clean(title)
    return svg


def arrow_heads(svg: ET.Element, colours: dict[str, str]) -> None:
    """Heads for the ends of arrows: name to colour."""
    defs = ET.SubElement(svg, "defs")
    for name, colour in colours.items():
        size = {"markerWidth": "9", "markerHeight": "9", "refX": "8", "refY": "4.5", "orient": "auto"}
        marker = ET.SubElement(defs, "marker", {"id": name, "markerUnits": "userSpaceOnUse"} | size)
        ET.SubElement(marker, "path", {"d": "M0 0 L9 4.5 L0 9 z", "fill": colour})


def paper(svg: ET.Element) -> None:
    """A ground for what is drawn after it."""
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": PAPER})


def box(svg: ET.Element, x: float, y: float, width: float, height: float, fill: str) -> None:
    """A rounded box; x, y: its upper left corner."""
    shape = {"x": decimal(x), "y": decimal(y), "width": decimal(width), "height": decimal(height), "rx": "9"}
    ET.SubElement(svg, "rect", shape | {"fill": fill} | _BORDER)


def drift(rise: float) -> float:
    """How far from the middle of a box an arrow leaves: those that go up and those that go down stand apart."""
    return max(-18.0, min(18.0, rise / 8))


def arrow(
    svg: ET.Element, start: tuple[float, float], end: tuple[float, float], head: str, colour: str, dashed: bool = False
) -> None:
    """A bent line from left to right; head: a name given to `arrow_heads`."""
    (x1, y1), (x2, y2) = start, end
    left, right = bends(x1, x2)
    first, last = f"{decimal(x1)} {decimal(y1)}", f"{decimal(x2)} {decimal(y2)}"
    path = f"M{first} C{decimal(left)} {decimal(y1)} {decimal(right)} {decimal(y2)} {last}"
    look = {"fill": "none", "stroke": colour, "stroke-width": "2.2", "marker-end": f"url(#{head})"}
    ET.SubElement(svg, "path", {"d": path} | look | dashes(dashed))


def bends(x1: float, x2: float) -> tuple[float, float]:
    """Where the curve of an arrow from x1 to x2 has its control points."""
    bend = (x2 - x1) * 0.45
    return x1 + bend, x2 - bend


def dashes(dashed: bool) -> dict[str, str]:
    """The attribute of a dashed line; of a whole one there is none."""
    return {"stroke-dasharray": "7 4"} if dashed else {}


def write(
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
    """One line of text; y: of its base line."""
    look = {"font-size": decimal(size), "font-weight": weight, "fill": colour, "text-anchor": anchor}
    ET.SubElement(svg, "text", {"x": decimal(x), "y": decimal(y)} | look).text = words


def document(svg: ET.Element) -> str:
    """The picture as a file's text."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(svg, encoding="unicode") + "\n"


def clean(text: str) -> str:
    """XML has no way to write most control characters, and a picture has no use for them."""
    return _UNUSABLE.sub("\ufffd", " ".join(text.split()))


def decimal(value: float) -> str:
    """At most one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".")
