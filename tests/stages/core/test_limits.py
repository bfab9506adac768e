"""Checks of parameters."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from stages.core.contract import StageError
from stages.core.limits import at_least


def test_the_first_field_below_the_limit_is_named() -> None:
    params = SimpleNamespace(a=1, b=0, c=-1.5)
    at_least(params, 1, "a")
    at_least(params, 0, "a", "b")
    with pytest.raises(StageError, match="b: expected 1 or more, got 0"):
        at_least(params, 1, "a", "b", "c")
    with pytest.raises(StageError, match=r"c: expected 0 or more, got -1\.5"):
        at_least(params, 0, "a", "b", "c")
