import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract import Output, StageError
from stages.people.replacement import (
    CHOSEN,
    STANDINGS,
    Candidate,
    Placed,
    ReplacementParams,
    place,
    replaced,
    standing,
    state_of,
)
from stages.people.tables import STATUSES

PARAMS = ReplacementParams(min_valid=5, targets=(("dev", 3),))


def _order(count: int, params: ReplacementParams = PARAMS) -> list[str]:
    """The seeded order of q0, q1, ...: who is sent when targets are large."""
    everything = replace(params, targets=(("dev", count),))
    return [one.candidate.item for one in place(_open(count), everything)]


def _open(count: int) -> list[Candidate]:
    return [Candidate(f"q{number}", "dev", pending=6) for number in range(count)]


def _with(candidates: list[Candidate], item: str, **counts: int) -> list[Candidate]:
    return [
        Candidate(one.item, one.group, **({"pending": 0} | counts)) if one.item == item else one for one in candidates
    ]


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
    assert state_of(Candidate("q", "dev", 0, valid, refused, pending), 5) == state


def test_the_standing_of_an_item() -> None:
    statuses = ["confirmed", "revised", "refused", "no_majority", "needs_vote", "needs_expert", "unconfirmed"]
    assert sorted(statuses) == sorted(STATUSES)
    assert standing(statuses) == (2, 2, 3)
    assert standing([]) == (0, 0, 0)


def test_the_first_round_is_the_head_of_the_order() -> None:
    first, second, third, *others = _order(6)
    found = _states(_open(6))
    assert {item for item, (state, _) in found.items() if state == "open"} == {first, second, third}
    assert [found[item] for item in others] == [("spare", 0)] * 3


def test_what_is_lost_is_replaced_round_by_round() -> None:
    a, b, c, d, e, f = _order(6)
    candidates = _with(_with(_open(6), a, valid=4, refused=2), b, valid=6)
    # d replaces a in the second round.
    assert _states(candidates) == {
        a: ("lost", 1),
        b: ("kept", 1),
        c: ("open", 1),
        d: ("open", 2),
        e: ("spare", 0),
        f: ("spare", 0),
    }
    # d is lost as well: e replaces it in the third.
    further = _states(_with(candidates, d, refused=6))
    assert (further[d], further[e], further[f]) == (("lost", 2), ("open", 3), ("spare", 0))


def _sent(placed: list[Placed]) -> set[str]:
    return {one.candidate.item for one in placed if one.round}


def _run(candidates: list[Candidate], params: ReplacementParams) -> Output:
    rows = [vars(one) for one in candidates]
    return replaced(STANDINGS.table(rows), params=params)


def test_the_stage_in_full() -> None:
    a, b, c, d, *spare = _order(6)
    candidates = _with(_with(_open(6), a, valid=4, refused=2), b, valid=6)
    output = _run(candidates, PARAMS)
    rows = sorted(output.tables[CHOSEN.name].to_pylist(), key=lambda row: (row["round"], row["state"]))
    assert rows == [
        {"item": b, "group": "dev", "state": "kept", "round": 1, "valid": 6, "pending": 0},
        {"item": c, "group": "dev", "state": "open", "round": 1, "valid": 0, "pending": 6},
        {"item": d, "group": "dev", "state": "open", "round": 2, "valid": 0, "pending": 6},
    ]
    rejects = {(row["key"], row["reason"], row["detail"]) for row in output.rejects.to_pylist()}
    assert rejects == {(a, "replaced", "4 valid, 2 refused, round 1"), *((item, "spare", "dev") for item in spare)}
    assert output.metrics == {"kept": 1, "open": 2, "lost": 1, "spare": 2, "rounds": 2, "short": 0}


def test_a_target_that_cannot_be_reached_is_counted() -> None:
    candidates = _with(_open(3), "q0", refused=6)
    output = _run(candidates, replace(PARAMS, targets=(("dev", 3), ("test", 2))))
    assert (output.metrics["short"], output.metrics["open"]) == (3.0, 2.0)


def test_a_group_without_a_target_wants_as_many_as_stand_first() -> None:
    output = _run([Candidate("a", "train", valid=5), Candidate("b", "train", valid=1)], PARAMS)
    assert output.tables[CHOSEN.name]["item"].to_pylist() == ["a"]
    assert [row["reason"] for row in output.rejects.to_pylist()] == ["replaced"]


def test_those_that_wait_move_up_by_their_places() -> None:
    candidates = [
        Candidate("first", "dev", 0, valid=5),
        Candidate("lost", "dev", 0, valid=4, refused=9),
        Candidate("third", "dev", 7, pending=5),
        Candidate("second", "dev", 3, pending=5),
    ]
    expected = {"first": ("kept", 1), "lost": ("lost", 1), "second": ("open", 2), "third": ("spare", 0)}
    for seed in range(5):
        assert _states(candidates, ReplacementParams(seed=seed)) == expected
    assert _run(candidates[:2], ReplacementParams()).metrics["short"] == 1.0


def test_no_candidates() -> None:
    assert _run([], ReplacementParams()).tables[CHOSEN.name].num_rows == 0


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"min_valid": 0}, "min_valid"),
        ({"targets": (("dev", -1),)}, "targets.*dev: -1"),
        ({"targets": (("dev", 1), ("dev", 2))}, "targets: expected each group once"),
    ],
)
def test_impossible_parameters_are_named(wrong: dict[str, object], name: str) -> None:
    with pytest.raises(StageError, match=name):
        ReplacementParams(**wrong)


COUNTS = st.integers(0, 7)
CANDIDATES = st.lists(
    st.tuples(st.sampled_from(["dev", "test"]), st.integers(0, 2), COUNTS, COUNTS, COUNTS), max_size=12
).map(lambda found: [Candidate(f"q{at}", group, place, *counts) for at, (group, place, *counts) in enumerate(found)])
TARGETS = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda pair: (("dev", pair[0]), ("test", pair[1])))


@given(CANDIDATES, TARGETS, st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_matter(
    candidates: list[Candidate], targets: tuple[tuple[str, int], ...], chance: random.Random
) -> None:
    params = ReplacementParams(targets=targets)
    turned = list(candidates)
    chance.shuffle(turned)
    assert place(turned, params) == place(candidates, params)


@given(CANDIDATES, TARGETS)
def test_targets_are_met_where_they_can_be_and_never_passed(
    candidates: list[Candidate], targets: tuple[tuple[str, int], ...]
) -> None:
    placed = place(candidates, ReplacementParams(targets=targets))
    assert len(placed) == len(candidates)
    for group, target in targets:
        states = [one.state for one in placed if one.candidate.group == group]
        stay = states.count("kept") + states.count("open")
        assert stay <= target
        # Nobody waits while a place is free.
        assert stay == target or "spare" not in states


@given(CANDIDATES, TARGETS, st.data())
def test_more_verdicts_never_take_back_what_was_sent(
    candidates: list[Candidate], targets: tuple[tuple[str, int], ...], data: st.DataObject
) -> None:
    """Some pending answers are decided; all that was with people stays with them, and what was kept stays kept."""
    later = []
    for one in candidates:
        decided = data.draw(st.integers(0, one.pending))
        good = data.draw(st.integers(0, decided))
        counts = one.valid + good, one.refused + decided - good, one.pending - decided
        later.append(Candidate(one.item, one.group, one.place, *counts))
    params = ReplacementParams(targets=targets)
    before, after = place(candidates, params), place(later, params)
    assert _sent(before) <= _sent(after)
    kept = {one.candidate.item for one in before if one.state == "kept"}
    assert kept <= {one.candidate.item for one in after if one.state == "kept"}
