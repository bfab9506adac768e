from __future__ import annotations

from typing import Any

import pytest

from stages.wiqa.graph_files import RAW_GRAPHS
from stages.wiqa.influence_graphs import graphs, stage
from stages.wiqa.paragraphs import PARAGRAPHS
from tests.stages.wiqa.world import full

KNOWN = {
    "para_id": "1",
    "topic": "rain",
    "prompt": "How does rain form?",
    "sentences": ["It rains."],
    "source": "plain",
}


def raw(para: str = "1", graph: str = "1", **change: Any) -> dict[str, Any]:
    row = {"para_id": para, "graph_id": graph, "topic": None, "prompt": None, "sentences": [], "y_affects": "more"}
    return row | {"confirmed": False, "source": "file"} | full() | change


def build(
    rows: list[dict[str, Any]], *more: list[dict[str, Any]], known: bool = True
) -> tuple[list[dict[str, Any]], list[str]]:
    tables = [RAW_GRAPHS.table(part) for part in (rows, *more)]
    output = graphs(*tables, PARAGRAPHS.table([KNOWN] if known else []))
    return output.tables["graphs"].to_pylist(), output.rejects["reason"].to_pylist()


def test_a_known_paragraph_lends_its_topic_and_sentences() -> None:
    [found], reasons = build([raw(sentences=["Another text."], prompt="Another prompt?")])
    assert not reasons
    assert (found["topic"], found["prompt"], found["sentences"]) == ("rain", "How does rain form?", ["It rains."])


def test_an_unknown_paragraph_is_taken_from_the_first_graph_that_holds_it() -> None:
    rows = [
        raw("7", "b", sentences=["B."], prompt="How do rivers form?"),
        raw("7", "a", sentences=["A."], prompt="How does a river form?"),
    ]
    found, reasons = build(rows)
    assert not reasons
    assert {row["topic"] for row in found} == {"how does a river form"}
    assert {tuple(row["sentences"]) for row in found} == {("A.",)}
    assert build(rows) == build(rows[::-1])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (raw("9"), "unknown_paragraph"),
        (raw("9", sentences=["A."]), "no_topic"),
        (raw(X=[]), "no_x"),
        (raw(**{node: [] for node in "VZUWY"}), "no_path"),
        (raw(Z=["frost"], V=["frost"]), "repeated_in_opposite"),
    ],
)
def test_graphs_that_cannot_be_used(row: dict[str, Any], reason: str) -> None:
    assert build([row]) == ([], [reason])


def test_of_two_tables_the_first_wins() -> None:
    found, reasons = build([raw()], [raw(source="annotation"), raw(graph="2", source="annotation", confirmed=True)])
    assert [(row["graph_id"], row["source"], row["confirmed"]) for row in found] == [
        ("1", "file", False),
        ("2", "annotation", True),
    ]
    assert reasons == ["duplicate"]
    assert stage(("raw_graphs", "annotated_graphs")).inputs == ("raw_graphs", "annotated_graphs", "paragraphs")
