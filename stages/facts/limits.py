"""How many answers a query needs, may have, and must have evidence for (the paper's steps 1, 5 and 7)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pyarrow as pa

from stages.core.contract import StageError


@dataclass(frozen=True)
class QueryLimits:
    """The size of an answer set, for simple queries and compositions alike.

    min_answers: fewest answers, and fewest validated answers, of a query.
    max_answers: most validated answers.
    min_share: least validated / all answers, in (0, 1].
    min_known_share: least validated / all answers that Wikidata knows, with or without a page, in [0, 1].
    """

    min_answers: int = 5
    max_answers: int = 200
    min_share: float = 0.8
    min_known_share: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.min_share <= 1:
            raise StageError(f"min_share is {self.min_share}, but has to be above 0 and at most 1")
        if not 0 <= self.min_known_share <= 1:
            raise StageError(f"min_known_share is {self.min_known_share}, but has to be from 0 to 1")
        if not 1 <= self.min_answers <= self.max_answers:
            raise StageError(
                f"min_answers ({self.min_answers}) has to be at least 1 and at most max_answers ({self.max_answers})"
            )

    @property
    def most(self) -> int:
        """The largest answer set that can still be kept: with more, even max_answers validated ones are too few."""
        # The filter divides in floating point, so the bound has to agree with that division and not with the reals.
        most = math.floor(self.max_answers / self.min_share)
        while self.max_answers / (most + 1) >= self.min_share:
            most += 1
        while self.max_answers / most < self.min_share:
            most -= 1
        return most

    def table(self) -> pa.Table:
        """The limits as a table of one row, for SQL: its fields, and most."""
        return pa.table(
            {
                "min_answers": pa.array([self.min_answers], pa.int64()),
                "max_answers": pa.array([self.max_answers], pa.int64()),
                "min_share": pa.array([self.min_share], pa.float64()),
                "min_known_share": pa.array([self.min_known_share], pa.float64()),
                "most": pa.array([self.most], pa.int64()),
            }
        )
