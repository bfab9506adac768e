"""Growing a set apart: its running costs against costs counted anew after every step."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.splits.apart import Apart, Incidence, Least

FEATURES = st.lists(st.sets(st.integers(0, 9), max_size=4).map(sorted), min_size=1, max_size=12)


@given(FEATURES, st.lists(st.integers(0, 11), max_size=8, unique=True), st.none() | st.integers(0, 3))
def test_costs_are_what_they_would_be_counted_anew(
    features: list[list[int]], chosen: list[int], more: int | None
) -> None:
    weights = np.array([1 + (more or 0) * (at % 2) for at in range(len(features))])
    apart = Apart(Incidence(features, 10), None if more is None else weights)
    done: list[int] = []
    for question in [None, *(number for number in chosen if number < len(features))]:
        if question is not None:
            before = apart.costs.copy()
            lowered = set(apart.add(question).tolist())
            assert set(np.flatnonzero(apart.costs != before).tolist()) <= lowered
            done.append(question)
        held = {feature for number in done for feature in features[number]}
        touched = [number in done or bool(held & set(row)) for number, row in enumerate(features)]
        assert apart.touched.tolist() == touched
        assert apart.chosen.tolist() == [number in done for number in range(len(features))]
        for number, row in enumerate(features):
            new = [feature for feature in row if feature not in held]
            cost = sum(
                int(weights[at])
                for feature in new
                for at, other in enumerate(features)
                if feature in other and not touched[at]
            )
            assert apart.costs[number] == cost


def test_an_incidence_reads_both_ways() -> None:
    incidence = Incidence([[0, 2], [], [2]], 4)
    assert len(incidence) == 3
    assert incidence.sizes.tolist() == [1, 0, 2, 0]
    assert sorted(incidence.questions_with(incidence.features_of(np.array([0]))).tolist()) == [0, 0, 2]
    assert len(Incidence([], 0)) == 0


@given(st.lists(st.integers(0, 99), max_size=1300), st.data())
def test_the_least_is_found_whatever_changes(values: list[int], data: st.DataObject) -> None:
    numbers = np.array(values, dtype=np.int64)
    least = Least(numbers.copy())
    for _ in range(3):
        open_places = np.flatnonzero(numbers < Least.NEVER)
        assert least.place() == (int(numbers.argmin()) if len(open_places) else None)
        if len(values):
            places = np.array(data.draw(st.lists(st.integers(0, len(values) - 1), max_size=9)), dtype=np.int64)
            numbers[places] = data.draw(st.sampled_from([0, 50, Least.NEVER]))
            least.change(places, numbers[places])
