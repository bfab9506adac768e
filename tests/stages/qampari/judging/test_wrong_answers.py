"""Planted answers are wrong, whatever the world looks like."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.short_answers import normalise
from stages.qampari.judging.asked_answers import ASKED_ANSWERS, AskedParams, asked_answers
from stages.qampari.judging.truths import TRUE_ANSWERS
from stages.qampari.judging.wrong_answers import SHOWN_ANSWERS, WrongAnswerParams, stage, wrong_answers
from tests.stages.qampari.people_world import Rows, answer, answers, candidate, candidates, proof, rows

PARAMS = WrongAnswerParams(seed=7)


def film(query: str, number: int, shown: str = "", **more: Any) -> dict[str, Any]:
    pid, _, entity = query.partition(":")
    qid = f"Q{number}"
    return answer(query, qid, shown or f"Film {number}", proof(qid, pid, entity, f"Page {number}", number), **more)


def asked(*given_answers: dict[str, Any]) -> pa.Table:
    kinds = {row["query"]: "composition" if ">" in row["query"] else "simple" for row in given_answers}
    made = candidates(*(candidate(query, kind) for query, kind in kinds.items()))
    return asked_answers(made, answers(*given_answers), params=AskedParams()).tables[ASKED_ANSWERS.name]


def true(query: str, value: str, *names: str, role: str = "answer") -> dict[str, Any]:
    return {"query": query, "answer": value, "unit": "", "role": role, "names": list(names)}


def wrong_for(query: str, table: pa.Table, *known: dict[str, Any]) -> set[str]:
    found = rows(wrong_answers(table, TRUE_ANSWERS.table(list(known)), params=PARAMS), SHOWN_ANSWERS)
    return {row["answer_text"] for row in found if row["wrong"] and row["query"] == query}


ONE, TWO = "P57:Q901", "P57:Q902"


def test_the_other_question_of_the_relation_lends_its_answer() -> None:
    table = asked(film(ONE, 1), film(TWO, 2), film("P50:Q903", 3))
    found = rows(wrong_answers(table, TRUE_ANSWERS.empty(), params=PARAMS), SHOWN_ANSWERS)
    mine = [row for row in found if row["query"] == ONE]
    assert mine == [
        {
            "origin": f'["{ONE}","Film 1",["Page 1"]]',
            "wrong": wrong,
            "page": 0,
            "pages": 1,
            "query": ONE,
            "answer_text": f"Film {number}",
            "title": f"Page {number}",
            "passages": [number],
        }
        for wrong, number in ((False, 1), (True, 2))
    ]


@pytest.mark.parametrize(
    "known",
    [
        true(ONE, "Q2"),
        # Another item of one of its names, and its name in another spelling.
        true(ONE, "Q77", "film 2!"),
        # The other film has to do with an inner answer of this question.
        true(ONE, "Q2", role="middle"),
    ],
)
def test_what_is_true_is_never_an_attention_check(known: dict[str, Any]) -> None:
    table = asked(film(ONE, 1), film(TWO, 2), film("P50:Q903", 3))
    assert wrong_for(ONE, table) == {"Film 2"}
    assert wrong_for(ONE, table, known) == {"Film 3"}


def test_aliases_count_as_names() -> None:
    table = asked(film(ONE, 1, aliases=["The Shark"]), film(TWO, 2, aliases=["Shark"]))
    output = wrong_answers(table, TRUE_ANSWERS.empty(), params=PARAMS)
    assert (output.metrics["answers"], output.metrics["without_wrong"]) == (2.0, 2.0)


def test_answers_about_an_entity_of_the_question_are_left_alone() -> None:
    assert wrong_for(ONE, asked(film(ONE, 1), film("P58:Q901", 2))) == set()
    assert wrong_for(ONE, asked(film(ONE, 1), film(TWO, 901))) == set()


def test_a_year_is_right_where_its_day_is() -> None:
    def when(query: str, value: str) -> dict[str, Any]:
        inner = f"Q{query[5:8]}"
        triples = [proof("Q1" + value, "P57", inner, value), proof("Q1" + value, "P577", value, value)]
        return answer(query, value, f"year {value}", *triples, kind="time")

    table = asked(when("P57:Q901>P577", "1975-06-20"), when("P57:Q902>P577", "1975"), when("P57:Q903>P577", "19"))
    assert wrong_for("P57:Q901>P577", table) == {"year 19"}
    assert wrong_for("P57:Q902>P577", table, true("P57:Q902>P577", "19-01")) == set()


def test_answers_that_look_alike_are_one_task() -> None:
    twin = film(ONE, 1) | {"answer": "Q88", "proofs": [proof("Q88", "P57", "Q901", "Page 1", 4)]}
    found = rows(wrong_answers(asked(film(ONE, 1), twin), TRUE_ANSWERS.empty(), params=PARAMS), SHOWN_ANSWERS)
    assert [(row["wrong"], row["passages"]) for row in found] == [(False, [1, 4])]


def test_each_answer_of_a_question_gets_another_as_long_as_there_are() -> None:
    table = asked(*(film(ONE, number) for number in range(1, 6)), *(film(TWO, number) for number in range(11, 15)))
    found = rows(wrong_answers(table, TRUE_ANSWERS.empty(), params=PARAMS), SHOWN_ANSWERS)
    lent = [row["answer_text"] for row in found if row["wrong"] and row["query"] == ONE]
    assert len(lent) == 5
    assert set(lent) == {f"Film {number}" for number in range(11, 15)}


QUERIES = [ONE, TWO, "P57:Q903", "P50:Q901", "P50:Q904"]
WORLD = st.lists(
    st.tuples(st.sampled_from(QUERIES), st.integers(1, 12), st.sampled_from(["", "Jaws", "The Jaws!", "Duel"])),
    max_size=25,
    unique_by=lambda one: one[:2],
)
KNOWN = st.lists(st.tuples(st.sampled_from(QUERIES), st.integers(1, 12)), max_size=12, unique=True)


def shown(found: Rows) -> dict[str, set[str]]:
    pages: defaultdict[str, set[str]] = defaultdict(set)
    for row in found:
        if row["wrong"]:
            pages[row["query"]].add(row["title"])
    return pages


@settings(max_examples=150, deadline=None)
@given(WORLD, KNOWN, st.data())
def test_attention_checks_are_wrong_in_any_order(
    world: list[tuple[str, int, str]], known: list[tuple[str, int]], data: st.DataObject
) -> None:
    made = [film(*one) for one in world]
    facts = TRUE_ANSWERS.table([true(query, f"Q{number}", f"Known {number}") for query, number in known])
    table = asked(*made)
    found = rows(wrong_answers(table, facts, params=PARAMS), SHOWN_ANSWERS)
    names: defaultdict[str, set[str]] = defaultdict(set)
    right = {(query, f"Page {number}") for query, number in known}
    for row in made:
        names[row["query"]].add(normalise(row["answer_text"]))
        right.add((row["query"], row["proofs"][0]["title"]))
    for row in found:
        assert row["wrong"] == ((row["query"], row["title"]) not in right)
        assert row["wrong"] == (normalise(row["answer_text"]) not in names[row["query"]])
    shuffled = table.take(pa.array(data.draw(st.permutations(range(table.num_rows))), pa.int64()))
    assert rows(wrong_answers(shuffled, facts, params=PARAMS), SHOWN_ANSWERS) == found


def test_the_seed_chooses() -> None:
    table = asked(*(film(ONE, number) for number in range(1, 4)), *(film(TWO, number) for number in range(11, 40)))
    outputs = [wrong_answers(table, TRUE_ANSWERS.empty(), params=WrongAnswerParams(seed)) for seed in range(4)]
    assert len({str(sorted(shown(rows(output, SHOWN_ANSWERS))[ONE])) for output in outputs}) > 1
    assert stage().outputs == (SHOWN_ANSWERS,)
