"""Which answers people judge, and on which pages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.qampari.judging.asked_answers import (
    ASKED_ANSWERS,
    ASKED_PARTS,
    AskedParams,
    asked_answers,
    chosen_paths,
    parts,
    stage,
)
from tests.stages.qampari.people_world import answer, answers, candidate, candidates, proof, rows

SIMPLE = answer("P57:Q1", "Q2", "Jaws", proof("Q2", "P57", "Q1", "Jaws (film)", 3), aliases=["Jaws, the film"])
BOTH = answer(
    "P57:Q1&P58:Q9", "Q2", "Jaws", proof("Q2", "P57", "Q1", "Jaws"), proof("Q2", "P58", "Q9", "Ann Writer", 1)
)
LONG = [proof("Q5", "P57", "Q1", "T"), proof("Q5", "P577", "1975", "U")]
SHORT = [proof("Q6", "P57", "Q1", "V", 1), proof("Q6", "P577", "1975", "V", 2)]
YEAR = answer("P57:Q1>P577", "1975", "1975", *LONG, *SHORT, kind="time")


def test_rows_by_hand() -> None:
    asked = candidates(
        candidate("P57:Q1"), candidate("P57:Q1&P58:Q9", "intersection"), candidate("P57:Q1>P577", "composition", 2)
    )
    output = asked_answers(asked, answers(SIMPLE, BOTH, YEAR, SIMPLE | {"query": "P57:Q77"}), params=AskedParams())
    jaws, both, year = rows(output, ASKED_ANSWERS)
    assert (jaws["origin"], jaws["normal"]) == ('["P57:Q1","Jaws",["Jaws (film)"]]', "jaws")
    assert (jaws["names"], jaws["entities"], jaws["subjects"]) == (["Jaws", "Jaws, the film"], ["Q1"], ["Q2"])
    assert (jaws["titles"], jaws["passages"], jaws["path"]) == (["Jaws (film)"], [3], 0)
    # Neither page settles both parts.
    assert (both["titles"], both["entities"]) == (["Jaws", "Ann Writer"], ["Q1", "Q9"])
    # The path that one page settles.
    assert (year["path"], year["titles"], year["passages"]) == (1, ["V", "V"], [1, 2])
    assert (year["entities"], year["subjects"]) == (["Q1"], ["Q6", "Q6"])
    assert json.loads(year["origin"]) == ["P57:Q1>P577", "1975", ["V"]]
    assert [tuple(row.values()) for row in rows(output, ASKED_PARTS)] == [
        ("P57:Q1", "P57:Q1", ""),
        ("P57:Q1&P58:Q9", "P57:Q1", ""),
        ("P57:Q1&P58:Q9", "P58:Q9", ""),
        ("P57:Q1>P577", "P57:Q1", "P577"),
    ]


def test_paths_on_few_pages_come_first() -> None:
    assert chosen_paths("composition", [*LONG, *SHORT, *LONG], 2) == [1, 0]
    assert chosen_paths("composition", [*LONG, *SHORT], 9) == [1, 0]
    assert chosen_paths("simple", LONG[:1], 9) == [0]


@pytest.mark.parametrize(
    ("query", "kind", "expected"),
    [
        ("P131:Q1:Q33506", "simple", [("P131:Q1:Q33506", "")]),
        ("P131:Q1:Q33506&P57:Q2", "intersection", [("P131:Q1:Q33506", ""), ("P57:Q2", "")]),
        ("P131:Q1:Q33506>P2048", "composition", [("P131:Q1:Q33506", "P2048")]),
    ],
)
def test_parts_of_a_query(query: str, kind: str, expected: list[tuple[str, str]]) -> None:
    assert [(row["part"], row["outer"]) for row in parts(query, kind)] == expected


@given(st.permutations([SIMPLE, BOTH, YEAR]))
def test_order_does_not_matter(given_answers: list[dict[str, Any]]) -> None:
    asked = candidates(candidate("P57:Q1"), candidate("P57:Q1>P577", "composition"))
    expected = rows(asked_answers(asked, answers(SIMPLE, BOTH, YEAR), params=AskedParams(2)), ASKED_ANSWERS)
    assert rows(asked_answers(asked, answers(*given_answers), params=AskedParams(2)), ASKED_ANSWERS) == expected
    assert len(expected) == 3


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="paths: expected at least 1, got 0"):
        AskedParams(paths=0)
    assert stage().inputs == ("candidate_questions", "labelled_answers")
