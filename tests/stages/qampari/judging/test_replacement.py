"""From verdicts on answers to the questions that stay, and those that replace others."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.tables import STATUSES, VERDICTS
from stages.core.contract import Output, StageError
from stages.qampari.judging.answer_drafts import REPLACEMENT_DRAFTS, WAITING_DRAFTS
from stages.qampari.judging.asked_answers import ASKED_ANSWERS, AskedParams, asked_answers
from stages.qampari.judging.replacement import (
    ANSWER_STATES,
    CHOSEN,
    Candidate,
    Placed,
    ReplacementParams,
    place,
    replacement,
    stage,
    standing,
)
from tests.stages.qampari.people_world import answer, answers, candidate, candidates, proof, reasons, rows

KIND = "judging"
PARAMS = ReplacementParams(min_valid=5)


def film(query: str, number: int, shown: str, title: str = "") -> dict[str, object]:
    return answer(query, f"Q{number}", shown, proof(f"Q{number}", "P1", "Q9", title or shown))


PATHS = answer(
    "P1:Q8>P2",
    "Q1",
    "A",
    *(proof(f"Q{number}", pid, "Q9", f"Page {number}") for number in (5, 6, 7) for pid in ("P1", "P2")),
)
LINE = candidates(candidate("P1:Q9"), candidate("P1:Q8>P2", "composition", 0, "dev"), candidate("P1:Q7", place=2))
ASKED = asked_answers(
    LINE,
    answers(
        *(film("P1:Q9", 1, "A"), film("P1:Q9", 2, "B"), film("P1:Q9", 3, "b!", "Other"), film("P1:Q9", 4, "C")),
        *(PATHS, film("P1:Q7", 6, "F")),
    ),
    params=AskedParams(2),
).tables[ASKED_ANSWERS.name]
DRAFT = dict.fromkeys(WAITING_DRAFTS.schema.names, "x") | {"redundancy": 1}
WAITING = WAITING_DRAFTS.table([DRAFT | {"origin": "o", "query": "P1:Q7"}, DRAFT | {"query": "P1:Q6"}])


def origin(query: str, shown: str, title: str) -> str:
    return f'["{query}","{shown}",["{title}"]]'


A, B, OTHER, C = (origin("P1:Q9", *one) for one in (("A", "A"), ("B", "B"), ("b!", "Other"), ("C", "C")))
FIRST, SECOND = origin("P1:Q8>P2", "A", "Page 5"), origin("P1:Q8>P2", "A", "Page 6")


def verdicts(statuses: Mapping[str, str], kind: str = KIND) -> pa.Table:
    common = {"kind": kind, "answers": "{}", "votes": 1, "agreeing": 1}
    return VERDICTS.table(
        [common | {"task": name, "origin": name, "status": status} for name, status in statuses.items()]
    )


def run(*tables: pa.Table, min_valid: int = 1, number: int = 1, asked: pa.Table = ASKED) -> Output:
    params = ReplacementParams(min_valid, kind=KIND, round=number)
    return replacement(LINE, asked, WAITING, *tables, params=params)


def counts(*tables: pa.Table) -> tuple[int, int]:
    """Valid and pending answers of P1:Q9, which are three of different texts."""
    (found,) = (row for row in rows(run(*tables), CHOSEN) if row["item"] == "P1:Q9")
    return found["valid"], found["pending"]


def test_nothing_is_decided_without_verdicts() -> None:
    output = run(verdicts({A: "unconfirmed"}), min_valid=3)
    # B and b! are one answer.
    test = {"item": "P1:Q9", "group": "test simple", "state": "open", "round": 1, "valid": 0, "pending": 3}
    assert rows(output, CHOSEN) == [test]
    assert reasons(output) == [
        ("P1:Q7", "spare", "test simple"),
        ("P1:Q8>P2", "replaced", "0 valid, 0 refused, round 1"),
    ]
    assert {row["status"] for row in rows(output, ANSWER_STATES)} == {"unconfirmed"}
    statuses = {"confirmed": 0.0, "refused": 0.0, "no_majority": 0.0, "unconfirmed": 6.0}
    placed = {"kept": 0.0, "open": 1.0, "lost": 1.0, "spare": 1.0, "rounds": 1.0, "short": 1.0}
    assert output.metrics == statuses | placed | {"drafts": 0.0}


def test_who_moves_up_is_drafted_for_the_next_round() -> None:
    lost = verdicts({A: "refused", B: "refused", OTHER: "refused", C: "no_majority"})
    output = run(lost)
    assert {row["item"]: (row["state"], row["round"]) for row in rows(output, CHOSEN)} == {
        "P1:Q7": ("open", 2),
        "P1:Q8>P2": ("open", 1),
    }
    assert [row["origin"] for row in rows(output, REPLACEMENT_DRAFTS)] == ["o"]
    assert rows(run(lost, number=2), REPLACEMENT_DRAFTS) == []
    assert reasons(output) == [("P1:Q9", "replaced", "0 valid, 3 refused, round 1")]


def test_answers_with_one_text_count_once_and_by_the_best() -> None:
    assert counts(verdicts({A: "confirmed", B: "refused", C: "no_majority"})) == (1, 1)
    assert counts(verdicts({B: "refused", OTHER: "confirmed", C: "needs_expert"})) == (1, 2)
    assert counts(verdicts({A: "revised", B: "refused", OTHER: "refused"})) == (1, 1)


def test_verdicts_of_all_rounds_and_of_this_kind_count() -> None:
    assert counts(verdicts({A: "confirmed"}), verdicts({B: "refused"}), verdicts({OTHER: "refused"})) == (1, 1)
    assert counts(verdicts({A: "confirmed"}, "another")) == (0, 3)


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
    output = run(verdicts({FIRST: first, SECOND: second}))
    (state,) = (row for row in rows(output, ANSWER_STATES) if row["query"] == "P1:Q8>P2")
    assert (state["status"], state["refused_paths"]) == (status, refused)


@given(st.dictionaries(st.sampled_from([A, B, OTHER, C, FIRST, SECOND]), st.sampled_from(STATUSES)), st.data())
def test_order_does_not_matter(statuses: dict[str, str], data: st.DataObject) -> None:
    output = run(verdicts(statuses))
    order = pa.array(data.draw(st.permutations(range(ASKED.num_rows))))
    turned = verdicts(dict(data.draw(st.permutations(list(statuses.items())))))
    again = run(turned.slice(0, 2), turned.slice(2), asked=ASKED.take(order))
    for spec in (ANSWER_STATES, CHOSEN, REPLACEMENT_DRAFTS):
        assert rows(again, spec) == rows(output, spec)


def test_the_stage_reads_all_rounds() -> None:
    assert stage(PARAMS, ("verdicts_a", "verdicts_b")).inputs[3:] == ("verdicts_a", "verdicts_b")


def _line(count: int, wanted: int = 3) -> list[Candidate]:
    return [Candidate(f"q{number}", "dev", max(0, number + 1 - wanted), pending=6) for number in range(count)]


def _with(candidates: list[Candidate], item: str, **counts: int) -> list[Candidate]:
    return [replace(one, **({"pending": 0} | counts)) if one.item == item else one for one in candidates]


def _states(candidates: list[Candidate], params: ReplacementParams = PARAMS) -> dict[str, tuple[str, int]]:
    return {one.candidate.item: (one.state, one.round) for one in place(candidates, params)}


@pytest.mark.parametrize(
    ("valid", "refused", "pending", "state"),
    [
        (5, 3, 0, "kept"),
        (4, 1, 0, "lost"),
        # Five can still be reached, or are reached already.
        (4, 1, 1, "open"),
        (6, 0, 1, "open"),
        (3, 0, 1, "lost"),
        (0, 0, 5, "open"),
        (0, 0, 0, "lost"),
    ],
)
def test_states(valid: int, refused: int, pending: int, state: str) -> None:
    assert Candidate("q", "dev", 0, valid, refused, pending).state(5) == state


def test_the_standing_of_a_question() -> None:
    statuses = ["confirmed", "revised", "refused", "no_majority", "needs_vote", "needs_expert", "unconfirmed"]
    assert sorted(statuses) == sorted(STATUSES)
    assert standing(statuses) == (2, 2, 3)
    assert standing([]) == (0, 0, 0)


def test_the_first_round_is_the_head_of_the_order() -> None:
    assert _states(_line(6)) == dict.fromkeys(("q0", "q1", "q2"), ("open", 1)) | dict.fromkeys(
        ("q3", "q4", "q5"), ("spare", 0)
    )


def test_what_is_lost_is_replaced_round_by_round() -> None:
    candidates = _with(_with(_line(6), "q0", valid=4, refused=2), "q1", valid=6)
    sent = {"q0": ("lost", 1), "q1": ("kept", 1), "q2": ("open", 1)}
    assert _states(candidates) == sent | {"q3": ("open", 2), "q4": ("spare", 0), "q5": ("spare", 0)}
    # What replaces is lost as well: the next replaces it in the third round.
    further = _states(_with(candidates, "q3", refused=6))
    assert further == sent | {"q3": ("lost", 2), "q4": ("open", 3), "q5": ("spare", 0)}


def test_those_of_equal_places_wait_in_a_seeded_order() -> None:
    lost = _with(_line(1, 1), "q0", refused=6)
    tied = [*lost, *(Candidate(f"w{number}", "dev", 1, pending=5) for number in range(6))]
    first = [
        next(item for item, (state, _) in _states(tied, replace(PARAMS, seed=seed)).items() if state == "open")
        for seed in range(6)
    ]
    assert len(set(first)) > 1


def test_an_impossible_parameter_is_named() -> None:
    with pytest.raises(StageError, match="min_valid: expected 1 or more, got 0"):
        ReplacementParams(min_valid=0)


COUNTS = st.integers(0, 7)
CANDIDATES = st.lists(
    st.tuples(st.sampled_from(["dev", "test"]), st.integers(0, 2), COUNTS, COUNTS, COUNTS), max_size=12
).map(lambda found: [Candidate(f"q{at}", group, place, *counts) for at, (group, place, *counts) in enumerate(found)])


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_matter(candidates: list[Candidate], chance: random.Random) -> None:
    turned = list(candidates)
    chance.shuffle(turned)
    assert place(turned, PARAMS) == place(candidates, PARAMS)


@given(CANDIDATES)
def test_targets_are_met_where_they_can_be_and_never_passed(candidates: list[Candidate]) -> None:
    placed = place(candidates, PARAMS)
    assert len(placed) == len(candidates)
    for group in ("dev", "test"):
        target = sum(one.group == group and one.place == 0 for one in candidates)
        states = [one.state for one in placed if one.candidate.group == group]
        stay = states.count("kept") + states.count("open")
        assert stay <= target
        # Nobody waits while a place is free.
        assert stay == target or "spare" not in states


def _sent(placed: list[Placed]) -> set[str]:
    return {one.candidate.item for one in placed if one.round}


@given(CANDIDATES, st.data())
def test_more_verdicts_never_take_back_what_was_sent(candidates: list[Candidate], data: st.DataObject) -> None:
    """Some pending answers are decided; all that was with people stays with them, and what was kept stays kept."""
    later = []
    for one in candidates:
        decided = data.draw(st.integers(0, one.pending))
        good = data.draw(st.integers(0, decided))
        counts = one.valid + good, one.refused + decided - good, one.pending - decided
        later.append(Candidate(one.item, one.group, one.place, *counts))
    before, after = place(candidates, PARAMS), place(later, PARAMS)
    assert _sent(before) <= _sent(after)
    kept = {one.candidate.item for one in before if one.state == "kept"}
    assert kept <= {one.candidate.item for one in after if one.state == "kept"}
