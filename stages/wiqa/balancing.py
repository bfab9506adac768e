"""Stages `wiqa.balancing` and `wiqa.balancing_chosen`: seeded balancing over label, type and hops (WIQA, section 3.3).

A split takes as many questions as its size allows and its labels' proportions permit.
Within a label, types and then hops share the places by weight; what one of them cannot
fill the others do. `balance` works on counts alone: it says how many questions each
paragraph gives of each kind. `chosen` then takes them by random order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Join, Output, Stage, StageError, TableSpec, Whole
from stages.core.quota import apportion, share_out
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.core.splits import SPLITS
from stages.core.sql import sql
from stages.wiqa.graph import DISTRACTOR, EXOGENOUS, IN_PARAGRAPH, LESS, MORE, NO_EFFECT
from stages.wiqa.splits import TOPIC_SPLITS
from stages.wiqa.tables import (
    CHOSEN_QUESTIONS,
    NO_EFFECT_QUESTIONS,
    NO_EFFECT_STRATA,
    PATH_QUESTIONS,
    PATH_STRATA,
    STRATUM,
)

Stratum = tuple[str, str, int]
"""Label, type and number of hops."""

QUOTAS = TableSpec(
    name="question_quotas",
    schema=pa.schema(
        [
            text("para_id"),
            text("topic"),
            text("split"),
            text("label"),
            text("question_type"),
            number("hops"),
            number("available"),
            number("quota"),
        ]
    ),
    key=("para_id", "topic", *STRATUM),
    bucket_by=("para_id",),
)
"""How many of a paragraph's questions of one kind are taken."""


@dataclass(frozen=True)
class BalanceParams:
    """Targets of the released benchmark by default.

    seed: of every choice. train, dev, test: the most questions of each split; null for no limit.
    no_effect, more, less: proportions of the labels, which the split keeps to: a label that is short of questions
        holds back the others, one that has none is left out.
    in_paragraph, exogenous: weights of the types among more and less.
    one_hop, two_hops, three_hops: weights of the hops within a type.
    """

    seed: int = 0
    train: int | None = 29808
    dev: int | None = 6894
    test: int | None = 3003
    no_effect: float = 0.34
    more: float = 0.33
    less: float = 0.33
    in_paragraph: float = 1.0
    exogenous: float = 1.0
    one_hop: float = 1.0
    two_hops: float = 1.0
    three_hops: float = 1.0

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if value is not None and name != "seed" and value < 0:
                raise StageError(f"{name}: expected 0 or more, got {value}")

    @property
    def labels(self) -> dict[str, float]:
        return {NO_EFFECT: self.no_effect, MORE: self.more, LESS: self.less}

    @property
    def types(self) -> dict[str, float]:
        return {IN_PARAGRAPH: self.in_paragraph, EXOGENOUS: self.exogenous, DISTRACTOR: 1.0}

    @property
    def hops(self) -> dict[int, float]:
        return {0: 1.0, 1: self.one_hop, 2: self.two_hops, 3: self.three_hops}


def balance(
    path_strata: pa.Table, no_effect_strata: pa.Table, topic_splits: pa.Table, *, params: BalanceParams
) -> Output:
    """QUOTAS from the counts of both kinds of questions and the splits of their topics.

    Metrics per split: {split}_available and {split}_taken, and per label {split}_{label}.
    Rejects, keyed "split label type hops" with a count: over_target.
    """
    of_topic = dict(zip(topic_splits["topic"].to_pylist(), topic_splits["split"].to_pylist(), strict=True))
    sizes: defaultdict[str, defaultdict[Stratum, dict[tuple[str, str], int]]] = defaultdict(lambda: defaultdict(dict))
    for row in pa.concat_tables([path_strata, no_effect_strata]).to_pylist():
        stratum = (row["label"], row["question_type"], row["hops"])
        sizes[of_topic[row["topic"]]][stratum][row["para_id"], row["topic"]] = row["questions"]
    rows, rejects, metrics = [], Rejects(), Counter[str]()
    for split in SPLITS:
        available = {stratum: sum(of.values()) for stratum, of in sorted(sizes[split].items())}
        taken = take(available, getattr(params, split), params)
        for stratum, quota in taken.items():
            rows += _spread(sizes[split][stratum], quota, split, stratum, params.seed)
            if available[stratum] > quota:
                left = available[stratum] - quota
                rejects.add(f"{split} {' '.join(map(str, stratum))}", "over_target", count=left)
            metrics[f"{split}_{stratum[0]}"] += quota
        metrics[f"{split}_available"] += sum(available.values())
        metrics[f"{split}_taken"] += sum(taken.values())
    found = {name: float(count) for name, count in metrics.items()}
    return Output({QUOTAS.name: QUOTAS.table(rows)}, rejects.table(), found)


def take(available: Mapping[Stratum, int], target: int | None, params: BalanceParams) -> dict[Stratum, int]:
    """How many questions of each stratum a split takes."""
    by_label: Counter[str] = Counter()
    for (name, _, _), count in available.items():
        by_label[name] += count
    weights = {name: weight for name, weight in params.labels.items() if weight and by_label[name]}
    if not weights:
        return dict.fromkeys(available, 0)
    whole = sum(weights.values())
    # The largest total of which every label can fill its share.
    total = min(int(by_label[name] * whole / weight + 1e-9) for name, weight in weights.items())
    total = total if target is None else min(total, target)
    taken = dict.fromkeys(available, 0)
    for name, places in share_out(total, weights, by_label).items():
        own = {stratum: count for stratum, count in available.items() if stratum[0] == name}
        for kind, inside in _by(own, 1, places, params.types).items():
            strata = {stratum: count for stratum, count in own.items() if stratum[1] == kind}
            hops = _by(strata, 2, inside, params.hops)
            taken |= {stratum: hops.get(stratum[2], 0) for stratum in strata}
    return taken


def _by(strata: Mapping[Stratum, int], part: int, places: int, weights: Mapping[Any, float]) -> dict[Any, int]:
    """Places per type or per number of hops."""
    capacities: Counter[Any] = Counter()
    for stratum, count in strata.items():
        capacities[stratum[part]] += count
    return share_out(places, {name: weights[name] for name in capacities}, capacities)


def _spread(
    sizes: Mapping[tuple[str, str], int], quota: int, split: str, stratum: Stratum, seed: int
) -> list[dict[str, object]]:
    """The quota of each paragraph: its share, and what is left over by the largest remainder, then at random."""
    places = sorted(sizes)
    order = {place: rank(seed, "\x1f".join((*place, *map(str, stratum))), "quota") for place in places}
    given = apportion(quota, [sizes[place] for place in places], [order[place] for place in places])
    label, kind, hops = stratum
    fixed = {"split": split, "label": label, "question_type": kind, "hops": hops}
    return [
        {"para_id": place[0], "topic": place[1], "available": sizes[place], "quota": count} | fixed
        for place, count in zip(places, given, strict=True)
    ]


def chosen(
    path_questions: pa.Table, no_effect_questions: pa.Table, quotas: pa.Table, *, params: BalanceParams
) -> Output:
    """CHOSEN_QUESTIONS from one bucket of both kinds of questions and of quotas, all by para_id."""
    questions = pa.concat_tables([path_questions, no_effect_questions])
    ranks = pa.array([rank(params.seed, key, "chosen") for key in questions["question"].to_pylist()], pa.binary())
    names = ", ".join(f"q.{name}" for name in PATH_QUESTIONS.schema.names)
    kept = sql(
        f"""
        SELECT {names}, w.split FROM questions q
        JOIN quotas w USING (para_id, topic, label, question_type, hops)
        QUALIFY row_number() OVER (
            PARTITION BY para_id, topic, label, question_type, hops ORDER BY q.rank, q.question
        ) <= w.quota
        """,  # noqa: S608
        questions=questions.append_column("rank", ranks),
        quotas=quotas.select(["para_id", "topic", "split", *STRATUM, "quota"]),
    )
    return Output(
        {CHOSEN_QUESTIONS.name: kept.select(CHOSEN_QUESTIONS.schema.names).cast(CHOSEN_QUESTIONS.schema)},
        metrics={"chosen_questions": float(kept.num_rows)},
    )


def balance_stage(params: BalanceParams | None = None) -> Stage:
    params = params or BalanceParams()
    return Stage(
        name="wiqa.balancing",
        shape=Whole(),
        kernel=partial(balance, params=params),
        inputs=(PATH_STRATA.name, NO_EFFECT_STRATA.name, TOPIC_SPLITS.name),
        outputs=(QUOTAS,),
        about="Section 3.3: how many questions of each label, type and length each paragraph gives.",
    )


def chosen_stage(params: BalanceParams | None = None) -> Stage:
    params = params or BalanceParams()
    return Stage(
        name="wiqa.balancing_chosen",
        shape=Join(on=(("para_id",),) * 3),
        kernel=partial(chosen, params=params),
        inputs=(PATH_QUESTIONS.name, NO_EFFECT_QUESTIONS.name, QUOTAS.name),
        outputs=(CHOSEN_QUESTIONS,),
        about="Section 3.3: that many of them, at random.",
    )
