from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from stages.wiqa.graph import EDGES, NODES, InfluenceGraph, edge_sign
from stages.wiqa.svg import draw
from tests.stages.wiqa.world import full

SVG = "{http://www.w3.org/2000/svg}"


def parts(document: str, name: str) -> list[ET.Element]:
    return list(ET.fromstring(document).iter(f"{SVG}{name}"))  # noqa: S314 (our own document)


def test_nodes_edges_and_signs_are_drawn() -> None:
    document = draw(InfluenceGraph(full(), "more"), "How does rain form?")
    texts = ["".join(element.itertext()) for element in parts(document, "text")]
    assert set(NODES) <= set(texts)
    assert (texts.count("+"), texts.count("\u2212")) == (4, 5)
    assert [element.text for element in parts(document, "title")] == ["How does rain form?"]
    # Eight boxes and the paper; nine edges and two arrow heads.
    assert (len(parts(document, "rect")), len(parts(document, "path"))) == (9, 11)


@settings(deadline=None, max_examples=40)
@given(st.sets(st.sampled_from(NODES)), st.sampled_from(["more", "less", "neither"]))
def test_only_what_the_graph_has_is_drawn(missing: set[str], affects: str) -> None:
    graph = InfluenceGraph({node: texts for node, texts in full().items() if node not in missing}, affects)
    document = draw(graph, "")
    edges = [edge for edge in EDGES if not missing & set(edge) and edge_sign(*edge, affects) is not None]
    assert len(parts(document, "path")) == 2 + len(edges)
    assert len(parts(document, "rect")) == 1 + 8 - len(missing)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=80), st.lists(st.text(max_size=400), min_size=1, max_size=3))
def test_any_text_gives_a_document_that_holds_it_as_text_alone(title: str, texts: list[str]) -> None:
    document = draw(InfluenceGraph(full() | {"X": texts}, "less"), title)
    names = {element.tag.removeprefix(SVG) for element in ET.fromstring(document).iter()}  # noqa: S314
    assert names <= {"svg", "title", "defs", "marker", "path", "rect", "line", "circle", "text"}


def test_scripts_stay_text() -> None:
    document = draw(InfluenceGraph(full() | {"X": ["<script>alert(1)</script>"]}), "</title><script>x</script>")
    assert "<script" not in document
    assert "\x00" not in draw(InfluenceGraph(full() | {"X": ["a\x00b"]}), "\x1b")
