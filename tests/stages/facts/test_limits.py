import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.facts.limits import QueryLimits


def test_the_papers_filter_can_keep_no_query_of_more_than_250_answers() -> None:
    assert QueryLimits() == QueryLimits(min_answers=5, max_answers=200, min_share=0.8)
    assert QueryLimits().most == 250


@pytest.mark.parametrize(
    ("most_validated", "share", "most"),
    [
        (200, 1.0, 200),
        (200, 0.5, 400),
        # 1 / 0.3 is 3.33, 7 / 0.7 is 10.000000000000002 in floating point, and 6 / 0.6 exactly 10.
        (1, 0.3, 3),
        (7, 0.7, 10),
        (6, 0.6, 10),
    ],
)
def test_the_bound_by_hand(most_validated: int, share: float, most: int) -> None:
    assert QueryLimits(1, most_validated, share).most == most


@given(st.integers(1, 500), st.floats(0.01, 1))
def test_the_bound_agrees_with_the_filters_own_division(max_answers: int, share: float) -> None:
    most = QueryLimits(1, max_answers, share).most
    assert max_answers / most >= share > max_answers / (most + 1)


def test_the_limits_as_a_table() -> None:
    (row,) = QueryLimits().table().to_pylist()
    assert row == {"min_answers": 5, "max_answers": 200, "min_share": 0.8, "min_known_share": 0.0, "most": 250}


@pytest.mark.parametrize("limits", [(5, 200, 0.0), (5, 200, 1.1), (0, 200, 0.8), (6, 5, 0.8)])
def test_limits_that_mean_nothing_are_refused(limits: tuple[int, int, float]) -> None:
    with pytest.raises(StageError, match="has to be"):
        QueryLimits(*limits)
    with pytest.raises(StageError, match=r"min_known_share is 1.5, but has to be from 0 to 1"):
        QueryLimits(min_known_share=1.5)
