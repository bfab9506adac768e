from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.core.contract import StageError
from stages.wiqa.graph_files import InfluenceGraphParams, graphs
from tests.stages.wiqa.test_paragraphs import lines, read

GRAPH = {
    "para_id": "1217",
    "graph_id": 144,
    "prompt": "How do forests form?",
    "paragraph": "A tree produces seeds. The seeds reach the ground.",
    "X": "more seeds are produced.",
    "Y": ["more seeds reach the ground"],
    "W": ["fewer new trees", "fewer  new trees", ""],
    "U": [],
    "Z": None,
    "V": "",
    "para_outcome_accelerate": "MORE forest formation?",
    "para_outcome_decelerate": "LESS forest formation",
    "Y_is_outcome": "",
    "Y_affects_outcome": "more",
}


def parsed(
    path: Path, params: InfluenceGraphParams | None = None
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    output = graphs(read(path), params=params or InfluenceGraphParams())
    return output.tables["raw_graphs"].to_pylist(), [(r["key"], r["reason"]) for r in output.rejects.to_pylist()]


def test_one_record_may_hold_several_graphs(tmp_path: Path) -> None:
    several = {"graphs": [GRAPH, GRAPH | {"graph_id": "145"}, "no graph"], "questions": [{"stem": "?"}]}
    found, rejects = parsed(lines(tmp_path / "graphs.jsonl", several))
    assert [row["graph_id"] for row in found] == ["144", "145"]
    assert [reason for _, reason in rejects] == ["not_an_object"]


def test_a_node_is_a_text_a_list_or_missing(tmp_path: Path) -> None:
    [found], rejects = parsed(lines(tmp_path / "graphs.jsonl", GRAPH))
    assert not rejects
    nodes = {node: found[node] for node in "VZXUWYAD"}
    assert nodes == {
        "V": [],
        "Z": [],
        "X": ["more seeds are produced"],
        "U": [],
        "W": ["fewer new trees"],
        "Y": ["more seeds reach the ground"],
        "A": ["MORE forest formation"],
        "D": ["LESS forest formation"],
    }
    assert (found["para_id"], found["graph_id"], found["y_affects"], found["confirmed"]) == (
        "1217",
        "144",
        "more",
        False,
    )
    assert found["sentences"] == ["A tree produces seeds.", "The seeds reach the ground."]


@pytest.mark.parametrize("text", [json.dumps([GRAPH]), json.dumps([GRAPH], indent=2), json.dumps(GRAPH, indent=1)])
def test_arrays_and_pretty_printed_files_read_alike(tmp_path: Path, text: str) -> None:
    path = tmp_path / "graphs.json"
    path.write_text(text)
    assert parsed(path) == parsed(lines(tmp_path / "graphs.jsonl", GRAPH))


@pytest.mark.parametrize(
    ("said", "effect"),
    [("a", "more"), ("d", "less"), (True, "more"), (False, "less"), ("more", "more"), ("no effect", "neither")],
)
def test_outcomes_are_read_as_the_releases_own_loader_reads_them(tmp_path: Path, said: Any, effect: str) -> None:
    [found], rejects = parsed(lines(tmp_path / "graphs.jsonl", GRAPH | {"Y_affects_outcome": said, "Y_is_outcome": ""}))
    assert (found["y_affects"], rejects) == (effect, [])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"para_id": None}, "bad_para_id"),
        ({"graph_id": "1:2"}, "bad_graph_id"),
        ({"Q": ["another node"]}, "unknown_node"),
        ({"X": {"text": "more rain"}}, "bad_node"),
        ({"X": 7}, "bad_node"),
        ({"W": ["a"] * 13}, "too_many_groundings"),
        ({"Y_affects_outcome": 3}, "bad_outcome"),
        ({"Y_affects_outcome": "sideways"}, "bad_outcome"),
        ({"Y_is_outcome": "less"}, "contradictory_outcome"),
        ({"paragraph": "<script>"}, "markup"),
        ({"prompt": "p" * 301}, "too_long"),
    ],
)
def test_a_graph_that_cannot_be_read_has_a_reason(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    found, rejects = parsed(lines(tmp_path / "graphs.jsonl", GRAPH | change, GRAPH | {"graph_id": "good"}))
    assert [row["graph_id"] for row in found] == ["good"]
    assert [named for _, named in rejects] == [reason]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<script>alert(1)</script>", "markup"),
        ("x" * 10_000_000, "too_long"),
        ("a\u0000b", "control_characters"),
        (None, "not_text"),
        (5, "not_text"),
    ],
)
def test_a_bad_text_goes_and_its_graph_stays(tmp_path: Path, text: Any, reason: str) -> None:
    [found], rejects = parsed(lines(tmp_path / "graphs.jsonl", GRAPH | {"Z": [text, "good weather"]}))
    assert found["Z"] == ["good weather"]
    assert rejects == [("1217 144 Z", reason)]


def test_limits_are_checked() -> None:
    with pytest.raises(StageError, match="max_text: expected 1 or more"):
        InfluenceGraphParams(max_text=0)
