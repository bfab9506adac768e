"""Stage `musique.splits`: train without anything that dev or test know (section 5.1, splitting).

Two questions overlap where they share a single hop, the answer of any of their hops in
any spelling, or a paragraph. The questions for evaluation are chosen one by one such
that few others overlap with them; what overlaps all the same is no question for
training. Dev and test are halves of these that have little in common, but may have
something. In every split numbers of hops and sources occur as often, in proportion, as
among all questions; for train that holds as far as the overlap leaves it. No answer is
that of many questions of dev or of test.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.core.splits import DEV, SPLITS, TEST, TRAIN
from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.spellings.answer_forms import digests, forms
from stages.musique.splits.growing import Growing
from stages.musique.splits.known import KnownSpellings, known, spelled

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
    spellings: whether answers are one under all spellings that are listed for them, by their own hop or another, or
        by the names of a page; without it where the hops' own answers share a form.
    max_answer_share: the largest share of dev, and of test, with one final answer; answer_floor: questions that may
        have one however few there are.
    """

    seed: int = 0
    evaluation: float = 0.2
    separate: bool = True
    spellings: bool = True
    max_answer_share: float = 0.05
    answer_floor: int = 3

    def __post_init__(self) -> None:
        for name in ("evaluation", "max_answer_share"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise StageError(f"{name}: expected a share from 0 to 1, got {value}")
        at_least(self, 1, "answer_floor")

    def room(self, questions: int) -> int:
        """The most questions with one answer among so many."""
        return max(self.answer_floor, int(self.max_answer_share * questions))


def separated(
    composed_hops: pa.Table, single_hops: pa.Table, known_names: pa.Table, *, params: SeparationParams
) -> Output:
    """GRAPH_SPLITS from COMPOSED_HOPS, SINGLE_HOPS and KNOWN_NAMES.

    Metrics: questions per split ({split}) and per split and number of hops ({split}_{hops}_hops); for dev and test
    those with the commonest final answer ({split}_commonest_answer); most_tied: the questions that share the commonest
    answer or paragraph. Rejects, keyed by graph: overlaps_evaluation.
    """
    columns = [
        "graph",
        "shape",
        "hops",
        "hop_answers",
        "hop_aliases",
        "paragraphs",
        "sources",
        "answer",
        "answer_aliases",
    ]
    rows = sorted(composed_hops.select(columns).to_pylist(), key=lambda row: row["graph"])
    features = _features(rows, single_hops, known_names, params)
    strata, answers = [stratum(row) for row in rows], final_answers(rows)
    order = _order([row["graph"] for row in rows], params.seed)
    found = Growing(features, answers, strata, order, _weights([row["shape"] for row in rows]))
    _evaluate(found, params)
    dev = _half(features, answers, strata, order, found.chosen)
    split = np.where(found.chosen, np.where(dev, DEV, TEST), TRAIN).tolist()
    rejects, kept = Rejects(), []
    for at, row in enumerate(rows):
        if found.touched[at] and not found.chosen[at]:
            rejects.add(row["graph"], "overlaps_evaluation")
        else:
            kept.append({"graph": row["graph"], "split": split[at], "stratum": strata[at]})
    counts = Counter(row["split"] for row in kept)
    counts.update(f"{row['split']}_{row['stratum'].split()[0]}_hops" for row in kept)
    for name in (DEV, TEST):
        counts[f"{name}_commonest_answer"] = _commonest(answers, found.chosen, split, name)
    counts["most_tied"] = max(Counter(number for row in features for number in row).values(), default=0)
    metrics = {name: float(counts[name]) for name in sorted({*SPLITS, *counts})}
    return Output({GRAPH_SPLITS.name: GRAPH_SPLITS.table(kept)}, rejects.table(), metrics)


def _features(
    rows: Sequence[Mapping[str, Any]], single_hops: pa.Table, known_names: pa.Table, params: SeparationParams
) -> list[list[int]]:
    if not params.separate:
        return [[] for _ in rows]
    if not params.spellings:
        return known(rows, None)
    return known(
        rows, KnownSpellings(single_hops, known_names, {spelling for row in rows for spelling in spelled(row)})
    )


def final_answers(rows: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Numbers for the forms of each question's own answer, in all spellings of its hop."""
    numbers: dict[str, int] = {}
    spellings = ([row["answer"], *row["answer_aliases"]] for row in rows)
    shown = ({form for spelling in listed for form in forms(spelling)} for listed in spellings)
    return [sorted(numbers.setdefault(form, len(numbers)) for form in listed) for listed in shown]


def stratum(row: Mapping[str, Any]) -> str:
    """What a question's kind is called: the number of its hops, and their sources."""
    return " ".join([str(len(row["hops"])), *sorted(set(row["sources"]))])


def _weights(shapes: Sequence[str]) -> np.ndarray:
    """A question of a rare shape counts for more, as there are few others to take its place.

    By the root of how rare it is: in proportion, too many of the common ones would go for its sake.
    """
    counts = Counter(shapes)
    most = max(counts.values(), default=0)
    return np.array([math.isqrt(most // counts[shape]) for shape in shapes], dtype=np.int64)


def _order(names: Sequence[str], seed: int) -> np.ndarray:
    """Each question's place in the random order."""
    ranked = sorted(range(len(names)), key=lambda at: rank(seed, names[at], "separated"))
    places = np.empty(len(names), dtype=np.int64)
    places[ranked] = np.arange(len(names))
    return places


def _evaluate(found: Growing, params: SeparationParams) -> None:
    """Chooses the questions for evaluation.

    The set grows in steps, all strata alike, until it has its share of what would be left.
    """
    every = len(found.chosen)
    for step in range(1, STEPS + 1):
        chosen = int(found.chosen.sum())
        if chosen >= params.evaluation * (every - int(found.touched.sum()) + chosen):
            break
        # What is in dev may not be more than half of what is chosen already, so that the bound holds in the end.
        found.fill(-(-step * every // STEPS), params.room(chosen // 2))


def _half(
    features: Sequence[Sequence[int]],
    answers: Sequence[Sequence[int]],
    strata: Sequence[str],
    order: np.ndarray,
    evaluation: np.ndarray,
) -> np.ndarray:
    """Half of the questions for evaluation, which share little with the other half."""
    places = np.flatnonzero(evaluation)
    listed = places.tolist()
    found = Growing(
        [features[at] for at in listed],
        [answers[at] for at in listed],
        [strata[at] for at in listed],
        np.argsort(np.argsort(order[places])),
    )
    found.fill(len(places) // 2)
    half = np.zeros(len(strata), dtype=bool)
    half[places[found.chosen]] = True
    return half


def _commonest(answers: Sequence[Sequence[int]], evaluation: np.ndarray, split: Sequence[str], name: str) -> int:
    """Questions of a part of the evaluation that have one answer."""
    counts = Counter(
        number for at in np.flatnonzero(evaluation).tolist() if split[at] == name for number in answers[at]
    )
    return max(counts.values(), default=0)


def stage(params: SeparationParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = params or SeparationParams()
    return Stage(
        name="musique.splits",
        shape=Whole(),
        kernel=partial(separated, params=params),
        inputs=(COMPOSED_HOPS.name, hops, KNOWN_NAMES.name),
        outputs=(GRAPH_SPLITS,),
        templates=digests(),
        about="Section 5.1: train without a hop, an answer or a paragraph of dev and test.",
    )
