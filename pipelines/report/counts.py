"""What the plots of a report show: shares by bar and split, counted while the records pass by."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipelines.lineage import Plot, Trail
from stages.core.splits import SPLITS

MOST_BARS = 15
OTHERS = "all others"


@dataclass(frozen=True)
class Bar:
    """A bar of a plot: per series its share in percent and its count, None where a source does not state them."""

    label: str
    shares: tuple[float | None, ...]
    counts: tuple[int | None, ...]


@dataclass(frozen=True)
class Drawn:
    """A plot with its numbers. series: names of splits and of published sources; totals: what a series counts."""

    title: str
    unit: str
    series: tuple[str, ...]
    own: int
    totals: tuple[int | None, ...]
    bars: tuple[Bar, ...]

    @property
    def largest(self) -> float:
        return max((share for bar in self.bars for share in bar.shares if share), default=0.0)


class Counts:
    """Counts trails as they pass by; memory holds a number per bar and split."""

    def __init__(self, plots: Sequence[Plot]) -> None:
        self._plots = plots
        self._counts: dict[str, defaultdict[str, Counter[str]]] = {plot.name: defaultdict(Counter) for plot in plots}
        self.splits: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.confirmed: Counter[str] = Counter()

    def add(self, trail: Trail) -> None:
        self.splits[trail.split] += 1
        self.kinds[trail.kind] += 1
        self.confirmed[trail.split] += trail.confirmed
        for plot in self._plots:
            bars = self._counts[plot.name][trail.split]
            bars.update(_bar(plot, value) for value in trail.measures.get(plot.name, ()))

    def drawn(self) -> list[Drawn]:
        """The plots that have anything to show, in the dataset's order."""
        return [_draw(plot, self._counts[plot.name]) for plot in self._plots if any(self._counts[plot.name].values())]


def in_order(splits: Iterable[str]) -> list[str]:
    """Train, dev and test first, then others by name."""
    return sorted(splits, key=lambda split: (SPLITS.index(split) if split in SPLITS else len(SPLITS), split))


def _bar(plot: Plot, value: float | str) -> str:
    if not plot.ends:
        return str(value)
    return _labels(plot)[bisect_left(plot.ends, float(value))]


def _labels(plot: Plot) -> list[str]:
    """Of each bar of numbers: one whole number, those between two ends, or those beyond the last one."""
    whole = all(end == int(end) for end in plot.ends)
    ends = [f"{end:g}" for end in plot.ends]
    if not whole:
        return [f"up to {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"over {ends[-1]}"]
    first = ends[0] if plot.ends[0] <= 1 else f"up to {ends[0]}"
    between = [f"{b:g}" if b == a + 1 else f"{a + 1:g} to {b:g}" for a, b in pairwise(plot.ends)]
    return [first, *between, f"over {ends[-1]}"]


def _draw(plot: Plot, counts: Mapping[str, Counter[str]]) -> Drawn:
    splits = in_order(split for split, found in counts.items() if found)
    totals = [counts[split].total() for split in splits]
    labels = _shown(plot, counts)
    bars = []
    for label in labels:
        own = [_of(counts[split], label, labels) for split in splits]
        shares = [100 * count / total for count, total in zip(own, totals, strict=True)]
        published = [_stated(plot, values, label) for values in plot.published.values()]
        bars.append(Bar(label, (*shares, *published), (*own, *(None for _ in published))))
    series = (*splits, *plot.published)
    return Drawn(plot.name, plot.unit, series, len(splits), (*totals, *(None for _ in plot.published)), tuple(bars))


def _stated(plot: Plot, values: Mapping[str, float], label: str) -> float | None:
    """Of numbers a bar that is left out is empty; a source that counts names may tell of some of them only."""
    return values.get(label, 0.0 if plot.ends else None)


def _shown(plot: Plot, counts: Mapping[str, Counter[str]]) -> list[str]:
    """Of numbers all bars from the first to the last that has any; of names the commonest, and what is left of them."""
    total = sum((Counter(found) for found in counts.values()), Counter[str]())
    if plot.ends:
        labels = _labels(plot)
        stated = {label for values in plot.published.values() for label, share in values.items() if share}
        used = [place for place, label in enumerate(labels) if total[label] or label in stated]
        return labels[used[0] : used[-1] + 1]
    stated = {label for values in plot.published.values() for label in values}
    names = sorted({*total, *stated}, key=lambda name: (-total[name], name))
    if stated:
        names.sort()
    return names if len(names) <= MOST_BARS else [*names[: MOST_BARS - 1], OTHERS]


def _of(counts: Counter[str], label: str, labels: Sequence[str]) -> int:
    return counts[label] if label != OTHERS else counts.total() - sum(counts[name] for name in labels)
