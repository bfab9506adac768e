"""Support F1 by hand."""

from __future__ import annotations

import pytest

from stages.metrics.supports import support_f1


@pytest.mark.parametrize(
    ("named", "wanted", "expected"),
    [((1, 2), (2, 1), 1), ((1,), (1, 2), 2 / 3), ((1, 1, 3), (1, 2), 0.5), ((), (1,), 0), ((3,), (), 0), ((), (), 1)],
)
def test_support_f1(named: tuple[int, ...], wanted: tuple[int, ...], expected: float) -> None:
    assert support_f1(named, wanted) == pytest.approx(expected)
