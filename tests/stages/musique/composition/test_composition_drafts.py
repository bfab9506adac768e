"""What people are shown of a graph."""

from __future__ import annotations

import json

import pytest

from stages.annotation.forms.kinds import load_kind
from stages.annotation.tasks import TaskParams, tasks
from stages.core.contract import StageError
from stages.musique.composition.composition_drafts import CompositionParams, drafts, payload, stage
from stages.musique.composition.tables import COMPOSITION_DRAFTS
from tests.stages.musique.composition.world import ADA, ADA_ANSWERS, contexts_table, graph, hops_table

KIND = "musique_composition"
ROW = graph("2hop", ADA, ADA_ANSWERS)
PARAMS = CompositionParams(kind=KIND)


def test_a_graph_becomes_a_task_with_its_bridge_and_both_paragraphs() -> None:
    output = drafts(hops_table(ROW), contexts_table(ROW, missing=1), params=PARAMS)
    [draft] = output.tables[COMPOSITION_DRAFTS.name].to_pylist()
    assert (draft["origin"], draft["kind"], draft["redundancy"]) == (ROW["graph"], KIND, 0)
    shown = json.loads(draft["payload"])
    assert shown["steps"] == "1. Where was Ada born?\n   Answer: Brig\n2. #1 >> country\n   Answer: Norland"
    assert shown["answer"] == "Norland"
    assert shown["bridges"].splitlines() == [
        "#1 = “Brig”, the answer of step 1, which step 2 asks about",
        "Step 1 is answered in: Title 1: Text 1.",
        "Step 2 is answered in: Title 2: Text 2.",
    ]
    made = tasks(output.tables[COMPOSITION_DRAFTS.name], kinds={KIND: load_kind(KIND)}, params=TaskParams("musique"))
    assert made.tables["tasks"].num_rows == 1


def test_every_bridge_of_a_larger_graph_is_shown() -> None:
    row = graph("4hop3", ["a", "#1 b", "c", "#2 d #3"], ["A", "B", "C", "D"])
    shown = payload(row, {number: {"title": "T", "text": "x" * 2000 + " end"} for number in range(1, 5)})
    assert shown["bridges"].count("which step") == 3
    assert "end" not in shown["bridges"]


def test_only_graphs_of_chosen_splits_and_with_a_context_are_asked() -> None:
    other = graph("2hop", ADA, ADA_ANSWERS, "other")
    hops = hops_table(ROW, other)
    only_test = CompositionParams(("test",), kind=KIND)
    assert drafts(hops, contexts_table(ROW), params=PARAMS).metrics == {"drafts": 1.0}
    assert drafts(hops, contexts_table(ROW), params=only_test).metrics == {"drafts": 0.0}


def test_parameters_are_checked() -> None:
    with pytest.raises(StageError, match="splits"):
        CompositionParams(("validation",))
    with pytest.raises(StageError, match="redundancy"):
        CompositionParams(redundancy=-1)
    assert stage(KIND, CompositionParams(("dev",), 2)).bound["params"] == CompositionParams(("dev",), 2, KIND)
