"""Lists of ids as a report shows them."""

from __future__ import annotations

from collections.abc import Sequence


def some_of(ids: Sequence[str], shown: int = 5) -> str:
    """How many there are and the first of them: "7 (a, b, c, d, e and 2 more)"."""
    more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
    return f"{len(ids)} ({', '.join(ids[:shown])}{more})"


def odd_lines(report: object, names: Sequence[str]) -> list[str]:
    """A line for each of a report's lists of ids that has any."""
    lists = [(name, getattr(report, name)) for name in names]
    return [f"{name}: {some_of(ids)}" for name, ids in lists if ids]
