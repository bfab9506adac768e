"""Drafts for people, and what their answers become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.tables import VERDICTS
from stages.annotation.tasks import TaskParams, tasks
from stages.core.contract import StageError
from stages.wiqa.drafts import (
    InfluenceDraftParams,
    filled_forms,
    graph_drafts,
    numbered,
    plain_question,
    question_drafts,
)
from stages.wiqa.graph import NODES
from stages.wiqa.graph_files import RAW_GRAPHS, InfluenceGraphParams
from stages.wiqa.influence_graphs import GRAPHS, graphs
from stages.wiqa.paragraphs import PARAGRAPHS, ParagraphParams, paragraphs, parse
from stages.wiqa.path_questions import questions
from stages.wiqa.tables import CHOSEN_QUESTIONS
from stages.wiqa.verification import annotated, verified
from tests.stages.wiqa.test_paragraphs import read
from tests.stages.wiqa.world import many, run

PARAGRAPH = {
    "para_id": "7",
    "topic": "rain",
    "prompt": "How does rain form?",
    "sentences": ["Water warms.", "It rises."],
}
ANSWERS = {
    "X": ["more sunshine"],
    "Y": ["more vapor"],
    "W": ["puddles stay", "roads stay wet"],
    "Z": ["a warm wind"],
    "y_affects": ["more"],
}
TASK = TaskParams(dataset="wiqa")


def contribution(worker: str = "w", status: str = "confirmed", **answers: Any) -> dict[str, Any]:
    row = {"task": "t1", "worker": worker, "number": 0, "kind": "wiqa_graph", "origin": "7", "status": status}
    return row | {"answers": json.dumps(ANSWERS | answers)}


def intake(*rows: dict[str, Any]) -> Any:
    table = PARAGRAPHS.table([PARAGRAPH | {"source": "plain"}])
    return annotated(CONTRIBUTIONS.table(list(rows)), table, params=InfluenceGraphParams()), table


def test_a_workers_answers_become_a_graph_and_its_questions() -> None:
    output, known = intake(contribution())
    assert output.rejects.num_rows == 0
    built = graphs(RAW_GRAPHS.empty(), output.tables["annotated_graphs"], known).tables["graphs"]
    [row] = built.to_pylist()
    assert (row["A"], row["D"], row["V"], row["confirmed"], row["source"]) == (
        ["MORE rain"],
        ["LESS rain"],
        [],
        True,
        "annotation",
    )
    # ZX 1, XY 1, XW 2, YA YD 2, WA WD 4; ZY 1, ZW 2, XA XD 2; ZA ZD 2
    assert questions(built).tables["path_questions"].num_rows == 17


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (contribution(status="refused"), "refused"),
        (contribution() | {"origin": "8"}, "unknown_paragraph"),
        (contribution(W=["<script>alert(1)</script>"]), "markup"),
        (contribution(W=["x" * 10_000_000]), "too_long"),
        (contribution(y_affects=["sideways"]), "bad_outcome"),
    ],
)
def test_answers_that_cannot_be_used_have_a_reason(row: dict[str, Any], reason: str) -> None:
    output, _ = intake(row)
    assert output.rejects["reason"].to_pylist() == [reason]


def test_two_workers_make_two_graphs_that_do_not_name_them() -> None:
    output, _ = intake(contribution("ann:1"), contribution("bob 2"))
    ids = output.tables["annotated_graphs"]["graph_id"].to_pylist()
    assert len(set(ids)) == 2 and not any("ann" in name or "bob" in name for name in ids)


def test_questions_for_testing_become_tasks_without_their_answers() -> None:
    tables = run(many(topics=9))
    output = question_drafts(
        tables["chosen_questions"], tables["graphs"], params=InfluenceDraftParams(kind="wiqa_question")
    )
    testing = [row for row in tables["chosen_questions"].to_pylist() if row["split"] == "test"]
    made = tasks(output.tables["question_drafts"], kinds=load_kinds("wiqa_question"), params=TASK)
    assert made.rejects.num_rows == 0
    assert made.tables["tasks"].num_rows == len(testing) > 0
    shown = json.loads(made.tables["tasks"]["payload"].to_pylist()[0])
    assert set(shown) == {"paragraph", "question"} and shown["question"].startswith("Imagine that this ")
    assert shown["paragraph"].startswith("1. Something")


def test_a_paragraphs_graph_fills_its_form() -> None:
    def row(para_id: str, graph_id: str, **nodes: Any) -> dict[str, Any]:
        texts = {node: [] for node in NODES} | {"X": ["rain falls"], "Y": ["it is wet"]}
        named = {"para_id": para_id, "graph_id": graph_id, "topic": "t", "prompt": "p", "sentences": ["S."]}
        return named | {"y_affects": "less", "confirmed": False, "source": "file"} | texts | nodes

    rows = [
        row("1", "a", X=["by people"], source="annotation"),
        row("1", "c", W=["dust", "heat", "drought"], Z=["x" * 161, "a storm"]),
        row("1", "d", X=["second"]),
        row("2", "e", X=["x" * 161]),
        row("3", "f", source="annotation"),
    ]
    found = filled_forms(GRAPHS.table(rows), load_kinds("wiqa_graph")["wiqa_graph"])
    plain = {"X": ["rain falls"], "Y": ["it is wet"], "y_affects": ["less"]}
    # A file's graph goes first; what the form does not take is left out; a form without a change cannot be handed in.
    assert found == {"1": plain | {"W": ["dust", "heat"], "Z": ["a storm"]}, "3": plain}


def test_a_question_for_people_is_worded_for_people() -> None:
    assert plain_question("a gardener plants nettles.", "MORE butterflies") == (
        "Imagine that this happens: a gardener plants nettles.\n"
        "What does it do to this: more butterflies?\n"
        "Is there more of it then, is there less of it, or does the change make no difference to it?"
    )
    # Capitals that are no outcome's mark are the text's own.
    assert "this: MOREL season?" in plain_question("rain", "MOREL season")
    assert "this: less CO2?" in plain_question("rain", "LESS CO2")


def test_verdicts_confirm_drop_or_leave_a_question() -> None:
    tables = run(many())
    rows = sorted(tables["chosen_questions"].to_pylist(), key=lambda row: row["question"])[:5]
    other = {"more": "less", "less": "more", "no_effect": "more"}
    said = [
        ("confirmed", rows[0]["label"]),
        ("confirmed", other[rows[1]["label"]]),
        ("no_majority", None),
        ("needs_vote", rows[3]["label"]),
    ]
    verdicts = [
        {
            "task": str(n),
            "kind": "wiqa_question",
            "origin": rows[n]["question"],
            "votes": 5,
            "agreeing": 3,
            "status": status,
        }
        | {"answers": json.dumps({"answer": [label]} if label else {})}
        for n, (status, label) in enumerate(said)
    ]
    output = verified(CHOSEN_QUESTIONS.table(rows), VERDICTS.table(verdicts))
    kept = {row["question"]: row["confirmed"] for row in output.tables["verified_questions"].to_pylist()}
    assert kept == {rows[0]["question"]: True, rows[3]["question"]: False, rows[4]["question"]: False}
    reasons = {row["key"]: row["reason"] for row in output.rejects.to_pylist()}
    assert reasons == {rows[1]["question"]: "other_answer", rows[2]["question"]: "no_majority"}
    none = verified(CHOSEN_QUESTIONS.table(rows), VERDICTS.empty())
    assert none.metrics == {"confirmed": 0, "unconfirmed": 5}


def test_all_real_paragraphs_become_tasks_of_five_questions(shared_data: Path) -> None:
    folder = shared_data / "propara"
    raw = read(*sorted((folder / "emnlp18").glob("*.json")), folder / "topics.json")
    found = paragraphs(*parse(raw, params=ParagraphParams()).tables.values()).tables["paragraphs"]
    drafts = graph_drafts(found, params=InfluenceDraftParams(kind="wiqa_graph")).tables["graph_drafts"]
    made = tasks(drafts, kinds=load_kinds("wiqa_graph"), params=TASK)
    assert made.rejects.num_rows == 0
    assert len(set(made.tables["tasks"]["task"].to_pylist())) == 488


def test_sentences_are_counted_from_one_and_parameters_are_checked() -> None:
    assert numbered(["A.", "B."]) == "1. A.\n2. B."
    with pytest.raises(StageError, match="splits: expected some of train, dev, test, got exam"):
        InfluenceDraftParams(splits=("exam",))
    with pytest.raises(StageError, match="redundancy"):
        InfluenceDraftParams(redundancy=-1)
