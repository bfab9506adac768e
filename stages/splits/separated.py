"""Stage `splits.separated`: train without anything that dev or test know (section 5.1, splitting).

Two questions overlap where they share a single hop, the answer of any of their hops, or
a paragraph. The questions for evaluation are chosen one by one such that few others
overlap with them; what overlaps all the same is no question for training. Dev and test
are halves of these that have little in common, but may have something. In every split
numbers of hops and sources occur as often, in proportion, as among all questions; for
train that holds as far as the overlap leaves it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from stages.contract import Output, Stage, StageError, TableSpec, Whole
from stages.graphs.tables import COMPOSED_HOPS
from stages.metrics.normalise import normalise
from stages.queries.tables import text
from stages.questions.order import rank
from stages.rejects import Rejects
from stages.splits.apart import Apart, Incidence
from stages.splits.quota import share_out
from stages.splits.relations import DEV, SPLITS, TEST, TRAIN

STEPS = 100

GRAPH_SPLITS = TableSpec(
    name="graph_splits",
    schema=pa.schema([text("graph"), text("split"), text("stratum")]),
    key=("graph",),
)
"""stratum: the number of hops and the sources, as in "3 squad trex"; each stratum is spread over the splits."""


@dataclass(frozen=True)
class SeparationParams:
    """seed: of every choice between equals.
    evaluation: the share of dev and test together in what is left of the questions.
    separate: whether overlap is avoided at all; without it the splits are drawn at random, for comparison.
    """

    seed: int = 0
    evaluation: float = 0.2
    separate: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.evaluation <= 1:
            raise StageError(f"evaluation: expected a share from 0 to 1, got {self.evaluation}")


def separated(composed_hops: pa.Table, *, params: SeparationParams) -> Output:
    """GRAPH_SPLITS from COMPOSED_HOPS.

    Metrics: questions per split ({split}) and per split and number of hops ({split}_{hops}_hops).
    Rejects, keyed by graph: overlaps_evaluation.
    """
    columns = ["graph", "hops", "hop_answers", "paragraphs", "sources"]
    rows = sorted(composed_hops.select(columns).to_pylist(), key=lambda row: row["graph"])
    strata = [stratum(row) for row in rows]
    features = known(rows) if params.separate else [[] for _ in rows]
    order = _order([row["graph"] for row in rows], params.seed)
    evaluation, touched = _evaluation(features, strata, order, params.evaluation)
    dev = _half(features, strata, order, evaluation)
    split = np.where(evaluation, np.where(dev, DEV, TEST), TRAIN).tolist()
    rejects, kept = Rejects(), []
    for at, row in enumerate(rows):
        if touched[at] and not evaluation[at]:
            rejects.add(row["graph"], "overlaps_evaluation")
        else:
            kept.append({"graph": row["graph"], "split": split[at], "stratum": strata[at]})
    counts = Counter(row["split"] for row in kept)
    counts.update(f"{row['split']}_{row['stratum'].split()[0]}_hops" for row in kept)
    metrics = {name: float(counts[name]) for name in sorted({*SPLITS, *counts})}
    return Output({GRAPH_SPLITS.name: GRAPH_SPLITS.table(kept)}, rejects.table(), metrics)


def stratum(row: Mapping[str, Any]) -> str:
    """What a question's kind is called: the number of its hops, and their sources."""
    return " ".join([str(len(row["hops"])), *sorted(set(row["sources"]))])


def known(rows: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Numbers for the paragraphs and the answers that each question shows.

    Questions with a hop in common have its paragraph in common, so hops need no numbers of their own.
    """
    numbers: dict[tuple[str, str], int] = {}
    found = []
    for row in rows:
        shown = {("answer", normalise(answer)) for answer in row["hop_answers"]}
        shown |= {("paragraph", paragraph) for paragraph in row["paragraphs"]}
        found.append([numbers.setdefault(name, len(numbers)) for name in sorted(shown)])
    return found


def _order(names: Sequence[str], seed: int) -> np.ndarray:
    """Each question's place in the random order."""
    ranked = sorted(range(len(names)), key=lambda at: rank(seed, names[at], "separated"))
    places = np.empty(len(names), dtype=np.int64)
    places[ranked] = np.arange(len(names))
    return places


def _evaluation(
    features: Sequence[Sequence[int]], strata: Sequence[str], order: np.ndarray, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which questions are for evaluation, and which share anything with one.

    The set grows in steps, all strata alike, until it has its share of what would be left.
    """
    apart = _apart(features)
    for step in range(1, STEPS + 1):
        left = len(strata) - int(apart.touched.sum()) + int(apart.chosen.sum())
        if apart.chosen.sum() >= share * left:
            break
        _fill(apart, strata, order, -(-step * len(strata) // STEPS))
    return apart.chosen, apart.touched


def _half(
    features: Sequence[Sequence[int]], strata: Sequence[str], order: np.ndarray, evaluation: np.ndarray
) -> np.ndarray:
    """Half of the questions for evaluation, which share little with the other half."""
    places = np.flatnonzero(evaluation)
    apart = _apart([features[at] for at in places.tolist()])
    _fill(apart, [strata[at] for at in places.tolist()], order[places], len(places) // 2)
    half = np.zeros(len(strata), dtype=bool)
    half[places[apart.chosen]] = True
    return half


def _apart(features: Sequence[Sequence[int]]) -> Apart:
    return Apart(Incidence(features, 1 + max((number for row in features for number in row), default=-1)))


def _fill(apart: Apart, strata: Sequence[str], order: np.ndarray, total: int) -> None:
    """Adds questions until there are `total`, the cheapest first, in each stratum its share of them."""
    names = sorted(set(strata))
    kinds = np.array([names.index(name) for name in strata], dtype=np.int64)
    sizes = dict(enumerate(np.bincount(kinds, minlength=len(names)).tolist()))
    quota = share_out(total, dict(sizes), sizes)
    room = np.array([quota[kind] for kind in range(len(names))]) - np.bincount(
        kinds[apart.chosen], minlength=len(names)
    )
    barred = apart.chosen | (room <= 0)[kinds]
    while not barred.all():
        worth = np.where(barred, np.iinfo(np.int64).max, apart.costs * len(order) + order)
        question = int(worth.argmin())
        apart.add(question)
        barred[question] = True
        room[kinds[question]] -= 1
        if room[kinds[question]] == 0:
            barred |= kinds == kinds[question]


def stage(params: SeparationParams | None = None) -> Stage:
    params = params or SeparationParams()
    return Stage(
        name="splits.separated",
        version=1,
        shape=Whole(),
        kernel=partial(separated, params=params),
        inputs=(COMPOSED_HOPS.name,),
        outputs=(GRAPH_SPLITS,),
        params=params,
        about="Section 5.1: train without a hop, an answer or a paragraph of dev and test.",
    )
