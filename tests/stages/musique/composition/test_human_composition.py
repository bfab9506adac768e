"""What people's verdicts make of the graphs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stages.annotation.forms.kinds import load_kind
from stages.annotation.tables import ANNOTATIONS, VERDICTS, WORKERS
from stages.core.contract import Output
from stages.musique.composition.human_composition import ComposedParams, composed, stage
from stages.musique.composition.tables import COMPOSED_QUESTIONS, MECHANICAL_QUESTIONS
from tests.stages.musique.composition.world import ADA, ADA_ANSWERS, graph, hops_table

KIND = load_kind("musique_composition")
ROW = graph("2hop", ADA, ADA_ANSWERS)
RULES = "Which country does the place where Ada was born belong to?"
WRITTEN = "In which country was Ada born?"
SAME, DIFFER = {"bridges": ["all_same"], "question": [WRITTEN]}, {"bridges": ["some_differ"]}


def verdict(status: str, **answers: list[str]) -> dict[str, Any]:
    counts = {"votes": 1, "agreeing": 1, "status": status}
    return {"task": "t", "kind": KIND.name, "origin": ROW["graph"], "answers": json.dumps(answers)} | counts


def annotation(worker: str, answers: dict[str, list[str]]) -> dict[str, Any]:
    times = {"started": None, "submitted": None, "seconds": None, "source": "jsonl"}
    return {"task": "t", "worker": worker, "answers": json.dumps(answers)} | times


def worker(name: str, accepted: bool = True) -> dict[str, Any]:
    counts = dict.fromkeys(("tasks", "gold_seen", "gold_right", "checks_seen", "checks_failed"), 0)
    return {"worker": name, **counts, "agreement": None, "median_seconds": None, "accepted": accepted, "why": ""}


def intake(
    verdicts: list[dict[str, Any]],
    annotations: list[dict[str, Any]],
    workers: list[dict[str, Any]],
    experts: tuple[str, ...] = (),
) -> Output:
    return composed(
        hops_table(ROW),
        MECHANICAL_QUESTIONS.table([{"graph": ROW["graph"], "question": RULES, "form": "phrase"}]),
        VERDICTS.table(verdicts),
        ANNOTATIONS.table(annotations),
        WORKERS.table(workers),
        kind=KIND,
        params=ComposedParams(experts, KIND.name),
    )


def rows(output: Output) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = output.tables[COMPOSED_QUESTIONS.name].to_pylist()
    return found


def test_without_answers_the_rules_question_stands() -> None:
    output = intake([], [], [])
    [row] = rows(output)
    assert (row["question"], row["mechanical"], row["confirmed"]) == (RULES, True, False)
    assert output.metrics == {"questions": 1.0, "written": 0.0, "confirmed": 0.0, "unconfirmed": 1.0}


def test_a_persons_question_takes_the_place_of_the_rules() -> None:
    [row] = rows(intake([verdict("revised", **SAME)], [annotation("w", SAME)], [worker("w")]))
    assert (row["question"], row["mechanical"], row["confirmed"]) == (WRITTEN, False, True)
    assert row["mechanical_question"] == RULES


@pytest.mark.parametrize("status", ["refused", "needs_expert", "revised", "no_majority"])
def test_one_no_discards_the_graph_whatever_the_others_say(status: str) -> None:
    others = [annotation("a", SAME), annotation("b", SAME), annotation("c", DIFFER)]
    output = intake([verdict(status, **SAME)], others, [worker(name) for name in "abc"])
    assert rows(output) == []
    [reject] = output.rejects.to_pylist()
    assert (reject["key"], reject["reason"]) == (ROW["graph"], "bridges_differ")


def test_the_no_of_a_refused_worker_counts_for_nothing() -> None:
    answers = [annotation("a", SAME), annotation("b", DIFFER)]
    assert len(rows(intake([verdict("revised", **SAME)], answers, [worker("a"), worker("b", accepted=False)]))) == 1


def test_an_expert_overrules_both_ways() -> None:
    answers = [annotation("a", DIFFER), annotation("boss", SAME)]
    workers = [worker("a"), worker("boss")]
    assert len(rows(intake([verdict("revised", **SAME)], answers, workers, ("boss",)))) == 1
    answers = [annotation("a", SAME), annotation("boss", DIFFER)]
    assert rows(intake([verdict("refused", **DIFFER)], answers, workers, ("boss",))) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Is Norland the country where Ada was born?", "answer_in_question"),
        ("Which country is Brig in, where Ada was born?", "step_in_question"),
    ],
)
def test_a_written_question_that_names_an_answer_is_not_used(text: str, reason: str) -> None:
    answers = {"bridges": ["all_same"], "question": [text]}
    output = intake([verdict("revised", **answers)], [annotation("w", answers)], [worker("w")])
    assert rows(output)[0]["question"] == RULES
    assert rows(output)[0]["confirmed"]
    assert output.rejects.to_pylist()[0]["reason"] == reason


def test_the_stage_reads_its_round() -> None:
    made = stage(KIND, tables=("verdicts_r", "annotations_r", "workers_r"))
    assert made.inputs[-1] == "verdicts_r"
    assert made.side == ("annotations_r", "workers_r")
    assert made.bound["params"] == ComposedParams(kind=KIND.name)
