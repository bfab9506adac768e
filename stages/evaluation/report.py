"""The report of an evaluation: groups of scores, their means and intervals, and how a table shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Figures = Mapping[str, int | float | None]
"""By name counts, and shares from 0 to 1; None where there is nothing to take a share of."""
Columns = Mapping[str, tuple[str, int]]
"""By their titles the columns of a table: which figure, and how wide."""
INTERVAL = "f1_interval"


@dataclass(frozen=True)
class ScoreReport:
    """What an evaluation found.

    overall: how many questions, and the means over them; groups: the same of parts of them, by how they are parted
    ("by_kind") and the part's name; more: further figures, of which "f1_interval" is the 95 % bootstrap interval of
    the mean F1 over questions; odd: ids that do not match up, by what is odd about them ("missing"); scores: of each
    question, where they are told; table: the lines that a person reads.
    """

    overall: Figures
    groups: Mapping[str, Mapping[str, Figures]]
    odd: Mapping[str, Sequence[str]]
    table: Sequence[str]
    more: Mapping[str, Any] = field(default_factory=dict)
    scores: Sequence[Any] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; the per-question scores last."""
        scores = {"scores": [asdict(score) for score in self.scores]} if self.scores else {}
        return {"overall": self.overall, **self.groups, **self.more, **self.odd, **scores}

    def as_text(self) -> str:
        """The table, then what was odd."""
        lines = list(self.table)
        if INTERVAL in self.more:
            low, high = self.more[INTERVAL]
            lines.append(f"F1, 95 % interval (bootstrap over questions): {100 * low:.1f} to {100 * high:.1f}")
        return "\n".join([*lines, *(f"{name}: {some_of(ids)}" for name, ids in self.odd.items() if ids)])


def means(scores: Sequence[Any], *names: str) -> Figures:
    """How many questions were scored, and the mean of each score."""
    return {"questions": len(scores)} | {name: mean(getattr(score, name) for score in scores) for name in names}


def grouped(items: Iterable[T], part: Callable[[T], str]) -> dict[str, list[T]]:
    """The items by a part's name, in the order of the names."""
    groups: defaultdict[str, list[T]] = defaultdict(list)
    for item in items:
        groups[part(item)].append(item)
    return dict(sorted(groups.items()))


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def bootstrap_interval(values: Sequence[float], resamples: int, seed: int) -> tuple[float, float]:
    """2.5th and 97.5th percentile of the mean over `resamples` draws with replacement; seeded."""
    if resamples < 1:
        raise ValueError(f"resamples: expected at least 1, got {resamples}")
    sample = np.asarray(values, dtype=np.float64)
    generator = np.random.default_rng(seed)
    # One draw at a time: all at once would take gigabytes on a train set.
    means = [sample[generator.integers(0, len(sample), len(sample))].mean() for _ in range(resamples)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def table(left: int, columns: Columns, rows: Iterable[tuple[str, Figures]], name: str = "") -> list[str]:
    """Lines of a table with its head. left: width of the first column, which is called `name`."""
    lines = [f"{name:<{left}}" + "".join(f"{title:>{width}}" for title, (_, width) in columns.items())]
    for label, figures in rows:
        cells = "".join(f"{_shown(figures[key]):>{width}}" for key, width in columns.values())
        lines.append(f"{label:<{left}}{cells}")
    return lines


def _shown(figure: int | float | None) -> str:
    return "-" if figure is None else str(figure) if isinstance(figure, int) else f"{100 * figure:.1f}"


def string_keys(value: Any) -> Any:
    """A mapping with its keys as texts, those inside it too, as JSON has them."""
    return {str(key): string_keys(inner) for key, inner in value.items()} if isinstance(value, Mapping) else value


def some_of(ids: Sequence[str], shown: int = 5) -> str:
    """How many ids there are and the first of them: "7 (a, b, c, d, e and 2 more)"."""
    more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
    return f"{len(ids)} ({', '.join(ids[:shown])}{more})"
