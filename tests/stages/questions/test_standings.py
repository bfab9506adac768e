"""From verdicts on tasks to how questions stand."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.people.replacement import STANDINGS
from stages.people.tables import STATUSES, VERDICTS
from stages.questions.asked_answers import ASKED_ANSWERS, AskedParams, asked_answers
from stages.questions.standings import ANSWER_STATES, StandingParams, stage, standings
from tests.stages.questions.people_world import answer, answers, candidate, candidates, proof, rows

KIND = "judging"


def film(query: str, number: int, shown: str, title: str = "") -> dict[str, object]:
    return answer(query, f"Q{number}", shown, proof(f"Q{number}", "P1", "Q9", title or shown))


PATHS = answer(
    "P1:Q8>P2",
    "Q1",
    "A",
    *(proof(f"Q{number}", pid, "Q9", f"Page {number}") for number in (5, 6, 7) for pid in ("P1", "P2")),
)
LINE = candidates(candidate("P1:Q9"), candidate("P1:Q8>P2", "composition", 2, "dev"))
ASKED = asked_answers(
    LINE,
    answers(
        film("P1:Q9", 1, "A"), film("P1:Q9", 2, "B"), film("P1:Q9", 3, "b!", "Other"), film("P1:Q9", 4, "C"), PATHS
    ),
    params=AskedParams(2),
).tables[ASKED_ANSWERS.name]


def origin(query: str, shown: str, title: str) -> str:
    return f'["{query}","{shown}",["{title}"]]'


def verdicts(statuses: Mapping[str, str], kind: str = KIND) -> pa.Table:
    common = {"kind": kind, "answers": "{}", "votes": 1, "agreeing": 1}
    return VERDICTS.table(
        [common | {"task": name, "origin": name, "status": status} for name, status in statuses.items()]
    )


A, B, OTHER, C = (origin("P1:Q9", *one) for one in (("A", "A"), ("B", "B"), ("b!", "Other"), ("C", "C")))
FIRST, SECOND = origin("P1:Q8>P2", "A", "Page 5"), origin("P1:Q8>P2", "A", "Page 6")


def counts(*tables: pa.Table) -> dict[str, tuple[int, int, int]]:
    output = standings(LINE, ASKED, *tables, params=StandingParams(KIND))
    return {row["item"]: (row["valid"], row["refused"], row["pending"]) for row in rows(output, STANDINGS)}


def test_nothing_is_decided_without_verdicts() -> None:
    output = standings(LINE, ASKED, verdicts({A: "unconfirmed"}), params=StandingParams(KIND))
    assert rows(output, STANDINGS) == [
        # B and b! are one answer.
        {"item": "P1:Q8>P2", "group": "dev composition", "place": 2, "valid": 0, "refused": 0, "pending": 1},
        {"item": "P1:Q9", "group": "test simple", "place": 0, "valid": 0, "refused": 0, "pending": 3},
    ]
    assert {row["status"] for row in rows(output, ANSWER_STATES)} == {"unconfirmed"}
    assert output.metrics == {"confirmed": 0.0, "refused": 0.0, "no_majority": 0.0, "unconfirmed": 5.0}


def test_answers_with_one_text_count_once_and_by_the_best() -> None:
    assert counts(verdicts({A: "confirmed", B: "refused", C: "no_majority"}))["P1:Q9"] == (1, 1, 1)
    assert counts(verdicts({B: "refused", OTHER: "confirmed", C: "needs_expert"}))["P1:Q9"] == (1, 0, 2)
    assert counts(verdicts({A: "revised", B: "refused", OTHER: "refused"}))["P1:Q9"] == (1, 1, 1)


def test_verdicts_of_all_rounds_and_of_this_kind_count() -> None:
    assert counts(verdicts({A: "confirmed"}), verdicts({B: "refused"}), verdicts({OTHER: "refused"}))["P1:Q9"] == (
        1,
        1,
        1,
    )
    assert counts(verdicts({A: "confirmed"}, "another"))["P1:Q9"] == (0, 0, 3)


@pytest.mark.parametrize(
    ("first", "second", "status", "refused"),
    [
        ("refused", "confirmed", "confirmed", [0]),
        ("refused", "no_majority", "refused", [0, 1]),
        ("no_majority", "no_majority", "no_majority", [0, 1]),
        ("refused", "needs_vote", "unconfirmed", [0]),
        ("confirmed", "unconfirmed", "confirmed", []),
    ],
)
def test_an_answer_on_two_paths(first: str, second: str, status: str, refused: list[int]) -> None:
    output = standings(LINE, ASKED, verdicts({FIRST: first, SECOND: second}), params=StandingParams(KIND))
    (state,) = (row for row in rows(output, ANSWER_STATES) if row["query"] == "P1:Q8>P2")
    assert (state["status"], state["refused_paths"]) == (status, refused)


@given(st.dictionaries(st.sampled_from([A, B, OTHER, C, FIRST, SECOND]), st.sampled_from(STATUSES)), st.data())
def test_order_does_not_matter(statuses: dict[str, str], data: st.DataObject) -> None:
    table = verdicts(statuses)
    output = standings(LINE, ASKED, table, params=StandingParams(KIND))
    order = data.draw(st.permutations(range(ASKED.num_rows)))
    turned = verdicts(dict(data.draw(st.permutations(list(statuses.items())))))
    again = standings(
        LINE, ASKED.take(pa.array(order)), turned.slice(0, 2), turned.slice(2), params=StandingParams(KIND)
    )
    assert rows(again, STANDINGS) == rows(output, STANDINGS)
    assert rows(again, ANSWER_STATES) == rows(output, ANSWER_STATES)
    # Each distinct answer is counted in one column.
    assert [sum(row[name] for name in ("valid", "refused", "pending")) for row in rows(output, STANDINGS)] == [1, 3]


def test_the_stage_reads_all_rounds() -> None:
    assert stage(KIND, ("verdicts_a", "verdicts_b")).inputs[2:] == ("verdicts_a", "verdicts_b")
