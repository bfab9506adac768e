"""Checks that parameters of several stages have in common."""

from __future__ import annotations

from stages.core.contract import StageError


def at_least(params: object, least: int, *names: str) -> None:
    """Raises StageError naming the first of a dataclass's fields that is below `least`."""
    for name in names:
        value = getattr(params, name)
        if value < least:
            raise StageError(f"{name}: expected {least} or more, got {value}")
