"""What stays of a benchmark once people have judged it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import Output
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS, judged, stage
from stages.qampari.judging.replacement import ANSWER_STATES, CHOSEN
from stages.qampari.splits import CANDIDATES, SPLIT_QUESTIONS
from tests.stages.qampari.people_world import answer, answers, candidate, candidates, proof, reasons, rows

LINE = candidates(
    candidate("kept", number=0),
    candidate("lost", number=1),
    candidate("next>P2", "composition", place=1, number=2),
    candidate("spare", place=2, number=3),
)


def _split(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in SPLIT_QUESTIONS.schema.names}


FIRST = [_split(row) for row in LINE.to_pylist() if not row["place"]]
SPLITS = SPLIT_QUESTIONS.table([*FIRST, _split(candidate("trained", split="train"))])
QUERIES = ("kept", "lost", "spare", "trained")
PATHS = [proof(f"Q{number}", pid, "Q9", "T") for number in (1, 2, 3) for pid in ("P1", "P2")]
ANSWERS = answers(
    *(answer(query, qid, qid, proof(qid, "P1", "Q9", "T")) for query in QUERIES for qid in ("Q1", "Q2", "Q3")),
    answer("next>P2", "Q1", "Q1", *PATHS),
)


def state(query: str, value: str, status: str, *refused: int) -> dict[str, Any]:
    return {"query": query, "answer": value, "unit": "", "status": status, "refused_paths": list(refused)}


STATES = ANSWER_STATES.table(
    [
        state("kept", "Q1", "confirmed"),
        state("kept", "Q2", "refused", 0),
        state("kept", "Q3", "unconfirmed"),
        state("lost", "Q1", "refused", 0),
        state("lost", "Q2", "no_majority", 0),
        state("lost", "Q3", "confirmed"),
        state("next>P2", "Q1", "confirmed", 1),
        *(state("spare", qid, "unconfirmed") for qid in ("Q1", "Q2", "Q3")),
    ]
)


def chosen(*items: str) -> pa.Table:
    row = {"group": "g", "state": "open", "round": 1, "valid": 0, "pending": 0}
    return CHOSEN.table([row | {"item": item} for item in items])


def run(*items: str, states: pa.Table = STATES) -> Output:
    return judged(SPLITS, LINE, ANSWERS, chosen(*items), states)


def released(output: Output) -> list[tuple[str, str, bool]]:
    return [(row["query"], row["answer"], row["confirmed"]) for row in rows(output, RELEASED_ANSWERS)]


def test_refused_answers_go_and_questions_are_replaced() -> None:
    output = run("kept", "next>P2")
    assert released(output) == [
        ("kept", "Q1", True),
        ("kept", "Q3", False),
        ("next>P2", "Q1", True),
        *(("trained", qid, False) for qid in ("Q1", "Q2", "Q3")),
    ]
    found = {row["query"]: (row["split"], row["number"]) for row in rows(output, RELEASED_QUESTIONS)}
    assert found == {"kept": ("test", 0), "next>P2": ("test", 2), "trained": ("train", 0)}
    assert reasons(output) == [
        ("kept Q2", "refused_by_people", ""),
        ("lost Q1", "refused_by_people", ""),
        ("lost Q2", "no_majority", ""),
    ]
    assert output.metrics == {"confirmed": 2.0, "unconfirmed": 1.0, "refused_paths": 1.0, "replacing": 1.0}


def test_proofs_that_people_refused_go_with_their_scores() -> None:
    (row,) = (row for row in rows(run("next>P2"), RELEASED_ANSWERS) if row["query"] == "next>P2")
    assert [triple["subject"] for triple in row["proofs"]] == ["Q1", "Q1", "Q3", "Q3"]
    assert len(row["scores"]) == 4


@pytest.mark.parametrize("answered", [False, True])
def test_without_verdicts_all_is_as_it_was(answered: bool) -> None:
    nothing = ANSWER_STATES.table([row | {"status": "unconfirmed", "refused_paths": []} for row in STATES.to_pylist()])
    output = run("kept", "lost", states=nothing) if answered else judged(SPLITS, LINE, ANSWERS)
    assert output.metrics == {"confirmed": 0.0, "unconfirmed": 6.0, "refused_paths": 0.0, "replacing": 0.0}
    assert rows(output, RELEASED_QUESTIONS) == SPLITS.sort_by("query").to_pylist()
    mine = [row for row in ANSWERS.to_pylist() if row["query"] in ("kept", "lost", "trained")]
    assert sorted(rows(output, RELEASED_ANSWERS), key=str) == sorted(
        (row | {"confirmed": False} for row in mine), key=str
    )
    assert reasons(output) == []


@pytest.mark.parametrize("states", [STATES, ANSWER_STATES.empty()])
@given(st.data())
def test_order_does_not_matter(states: pa.Table, data: st.DataObject) -> None:
    expected = run("kept", "spare", states=states)
    order = pa.array(data.draw(st.permutations(range(ANSWERS.num_rows))))
    again = judged(SPLITS, LINE, ANSWERS.take(order), chosen("spare", "kept"), states)
    assert rows(again, RELEASED_ANSWERS) == rows(expected, RELEASED_ANSWERS)
    assert reasons(again) == reasons(expected)


def test_nothing_in_nothing_out() -> None:
    empty = (SPLIT_QUESTIONS.empty(), CANDIDATES.empty(), ANSWERS.slice(0, 0), CHOSEN.empty(), ANSWER_STATES.empty())
    assert released(judged(*empty)) == []
    assert stage(("chosen_b", "states_b")).inputs[3:] == ("chosen_b", "states_b")
