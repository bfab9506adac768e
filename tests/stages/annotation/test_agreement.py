import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.agreement import Agreement, Vote, agreement

# The reliability data of Krippendorff's "Computing Krippendorff's Alpha-Reliability" (2011), example C:
# four observers, twelve units, missing values; he gives a nominal alpha of 0.743.
KRIPPENDORFF = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}


def votes(**rows: str) -> list[Vote]:
    """One row of labels per worker, a dot where there is none."""
    return [
        Vote(str(unit), worker, label)
        for worker, row in rows.items()
        for unit, label in enumerate(row.split())
        if label != "."
    ]


def test_the_published_example() -> None:
    found = agreement(votes(**KRIPPENDORFF))
    assert found.alpha == pytest.approx(0.743, abs=0.0005)
    # 41 votes, of which the last unit's one vote cannot be compared.
    assert (found.votes, found.compared, found.tasks, found.varied) == (41, 40, 11, True)


def test_two_workers_by_hand() -> None:
    # Four units of two votes: yes-yes, yes-yes, no-no, yes-no. Labels: 5 yes, 3 no.
    # Observed disagreement 2/8; expected 2 * 5 * 3 / (8 * 7) = 30/56; alpha 1 - 14/30.
    found = agreement(votes(a="yes yes no yes", b="yes yes no no"))
    assert found.alpha == pytest.approx(1 - 14 / 30)
    assert found.raw == pytest.approx(3 / 4)


def test_raw_agreement_counts_pairs() -> None:
    # The first unit has three pairs, one of them equal; the second one pair, equal.
    assert agreement(votes(a="x y", b="x y", c="z .")).raw == pytest.approx(2 / 4)


def test_votes_that_cannot_be_compared_change_only_their_count() -> None:
    base = votes(a="yes yes no yes", b="yes yes no no")
    more = agreement([*base, Vote("alone", "c", "maybe"), Vote("alone too", "a", "no")])
    assert (more.raw, more.alpha, more.compared) == (agreement(base).raw, agreement(base).alpha, 8)
    assert more.votes == 10


@pytest.mark.parametrize("rows", [{}, {"a": "yes"}, {"a": "yes ."}, {"a": "yes .", "b": ". no"}])
def test_without_a_pair_there_is_no_agreement(rows: dict[str, str]) -> None:
    found = agreement(votes(**rows))
    assert (found.raw, found.alpha, found.tasks, found.varied) == (None, None, 0, False)


def test_all_equal_is_one_and_marked() -> None:
    assert agreement(votes(a="yes yes", b="yes yes")) == Agreement(4, 4, 2, 1.0, 1.0, False)
    # A lone vote for another label does not make the compared votes vary.
    assert agreement(votes(a="yes yes no", b="yes yes .")) == Agreement(5, 4, 2, 1.0, 1.0, False)


def test_full_disagreement_of_two_is_below_zero() -> None:
    # Observed 1, expected 2 * 2 * 2 / (4 * 3) = 2/3: alpha is 1 - 3/2.
    assert agreement(votes(a="x y", b="y x")).alpha == pytest.approx(-0.5)


def test_random_labels_are_near_zero() -> None:
    chance = random.Random(7)
    drawn = [Vote(str(unit), worker, chance.choice("xyz")) for unit in range(3000) for worker in "abc"]
    # The standard error of alpha here is about 0.01.
    assert agreement(drawn).alpha == pytest.approx(0.0, abs=0.04)


SOME_VOTES = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from("abcd"), st.sampled_from("xyz")),
    max_size=24,
    unique_by=lambda vote: vote[:2],
).map(lambda found: [Vote(str(task), worker, label) for task, worker, label in found])


@given(SOME_VOTES, st.randoms(use_true_random=False))
def test_order_and_repeats_do_not_matter(found: list[Vote], chance: random.Random) -> None:
    again = [*found, *found[:3]]
    chance.shuffle(again)
    assert agreement(again) == agreement(found)


@given(SOME_VOTES)
def test_names_do_not_matter(found: list[Vote]) -> None:
    labels = {"x": "no", "y": "yes", "z": "?"}
    renamed = [Vote("task " + vote.task, vote.worker.upper(), labels[vote.label]) for vote in found]
    before, after = agreement(found), agreement(renamed)
    assert after.alpha == pytest.approx(before.alpha) if before.alpha is not None else after.alpha is None
    assert after.raw == before.raw


@given(SOME_VOTES)
def test_alpha_is_krippendorffs_coincidence_matrix(found: list[Vote]) -> None:
    """Written out from the definition: each pair of a unit of m votes weighs 1 / (m - 1)."""
    units = [list(group) for _, group in itertools.groupby(sorted(found), key=lambda vote: vote.task)]
    units = [unit for unit in units if len(unit) > 1]
    labels = [vote.label for unit in units for vote in unit]
    observed = sum(
        (one.label != other.label) / (len(unit) - 1) for unit in units for one, other in itertools.permutations(unit, 2)
    ) / max(1, len(labels))
    expected = sum(one != other for one, other in itertools.permutations(labels, 2)) / max(
        1, len(labels) * (len(labels) - 1)
    )
    alpha = agreement(found).alpha
    if expected:
        assert alpha == pytest.approx(1 - observed / expected)
    else:
        assert alpha == (1.0 if labels else None)


@given(st.lists(st.sampled_from("xyz"), min_size=2, max_size=20))
def test_perfect_agreement_is_one(labels: list[str]) -> None:
    row = " ".join(labels)
    assert agreement(votes(a=row, b=row, c=row)).alpha == pytest.approx(1.0)


def test_another_implementation_agrees() -> None:
    oracle = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    rows = [row.split() for row in KRIPPENDORFF.values()]
    numbers = [[float("nan") if value == "." else float(value) for value in row] for row in rows]
    expected = oracle.alpha(reliability_data=numbers, level_of_measurement="nominal")
    assert agreement(votes(**KRIPPENDORFF)).alpha == pytest.approx(expected)
