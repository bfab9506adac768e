"""Stage `qampari.splits`: train, dev and test without a relation in common (the paper's step 10).

The relations are halved at random. A simple question follows its relation; a composition
is for testing if either of its relations is in the test half; an intersection only if both
are, and one with exactly one of them is dropped. Dev and test share the pool for testing.
So no relation of the test half occurs in train, in whatever role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.limits import at_least
from stages.core.quota import allocate, divide, part, spread
from stages.core.rejects import Rejects
from stages.core.seeds import rank, shuffled
from stages.core.splits import DEV, SPLITS, TEST, TRAIN
from stages.qampari.cleaning import KINDS, QUESTIONS
from stages.qampari.twins import ANSWER_FORMS, twins
from stages.qampari.waiting import by_relation, line

MIXED = "mixed"

SPLIT_QUESTIONS = TableSpec(
    name="split_questions",
    schema=pa.schema([text("query"), text("split"), number("number"), text("kind"), texts("properties")]),
    key=("query",),
)
"""One row per question of the benchmark. number: 0, 1, ... within its split, in random order."""

CANDIDATES = TableSpec(
    name="candidate_questions",
    schema=pa.schema([*SPLIT_QUESTIONS.schema, number("place")]),
    key=("query",),
)
"""The questions of dev and test, and those that wait to replace them, each for a split of its own.

place: 0 for a question of the benchmark; for the others 1, 2, ..., such that relations take their turns;
number: for the others those that follow on the numbers of their split, so that a number always means one question.
"""

RELATION_HALVES = TableSpec(
    name="relation_halves",
    schema=pa.schema([text("property"), text("half"), number(TRAIN), number(DEV), number(TEST)]),
    key=("property",),
    buckets=1,
)
"""half: train or test; train, dev, test: questions of that split in which the property occurs."""


@dataclass(frozen=True)
class SplitParams:
    """seed: of every choice.
    max_train_per_relation: a property occurs in at most this many train questions, of all kinds together.
    dev, test: the most questions of either; where the pool has fewer, it is shared in this proportion.
    simple, intersection, composition: their proportions in dev and test; what one kind lacks the others fill.
    max_train_overlap: a train question has at most this share of answers in common with one that is for testing
        (those of both / those of either); 1 for any.
    spares: questions that wait to replace others, per question of dev and test of the same kind.
    """

    seed: int = 0
    max_train_per_relation: int = 1000
    dev: int = 1000
    test: int = 1000
    simple: int = 415
    intersection: int = 200
    composition: int = 200
    max_train_overlap: float = 1.0
    spares: float = 0.5

    def __post_init__(self) -> None:
        at_least(self, 0, "max_train_per_relation", "dev", "test", *KINDS, "spares")
        if not 0 < self.max_train_overlap <= 1:
            raise StageError(f"max_train_overlap: expected a share above 0, up to 1, got {self.max_train_overlap}")

    @property
    def weights(self) -> dict[str, int]:
        return {kind: getattr(self, kind) for kind in KINDS}


def split_questions(questions: pa.Table, forms: pa.Table, *, params: SplitParams) -> Output:
    """SPLIT_QUESTIONS, CANDIDATES and RELATION_HALVES from QUESTIONS and ANSWER_FORMS.

    Rejects, keyed by query: mixed_halves (an intersection over both halves), over_train_cap,
    over_test_target (neither in dev or test, nor in line for them), near_test_question (of train, with nearly the
    answers of one that is, which the detail names).
    Raises StageError if a relation of the test half reached train.
    """
    rows = questions.select(["query", "kind", "properties"]).to_pylist()
    rows.sort(key=lambda row: row["query"])
    halves = halve(rows, params.seed)
    rejects = Rejects()
    pools: dict[str, list[dict[str, Any]]] = {TRAIN: [], TEST: [], MIXED: []}
    for row in rows:
        pools[pool_of(row["kind"], row["properties"], halves)].append(row)
    for row in pools[MIXED]:
        rejects.add(row["query"], "mixed_halves", " ".join(row["properties"]))
    dev, test = _dev_and_test(pools[TEST], params)
    splits = dict.fromkeys(dev, DEV) | dict.fromkeys(test, TEST)
    waiting = line(pools[TEST], {DEV: dev, TEST: test}, params.spares, params.seed)
    near = twins(forms, (row["query"] for row in pools[TRAIN]), {*splits, *waiting}, params.max_train_overlap)
    for query, twin in near.items():
        rejects.add(query, "near_test_question", twin)
    trained = [row for row in pools[TRAIN] if row["query"] not in near]
    splits |= dict.fromkeys(_train(trained, rejects, params), TRAIN)
    for row in pools[TEST]:
        if row["query"] not in splits and row["query"] not in waiting:
            rejects.add(row["query"], "over_test_target")
    assigned = [row | {"split": splits[row["query"]]} for row in rows if row["query"] in splits]
    spare = [
        row | dict(zip(("split", "place"), waiting[row["query"]], strict=True))
        for row in rows
        if row["query"] in waiting
    ]
    return _output(assigned, spare, halves, rejects, params)


def halve(rows: Iterable[Mapping[str, Any]], seed: int) -> dict[str, str]:
    """Half of each property: train or test.

    Properties asked in one hop and those only asked last in compositions are halved
    apart, else a small build could be left with a half in which nothing can be asked.
    """
    simple: set[str] = set()
    every: set[str] = set()
    for row in rows:
        pids = row["properties"]
        every.update(pids)
        simple.update(pids[:1] if row["kind"] == "composition" else pids)
    first, second = shuffled(simple, seed, "halves"), shuffled(every - simple, seed, "halves")
    # Of an odd number train gets the larger half of the first group, test that of the second.
    testing = {*first[: len(first) // 2], *second[: (len(second) + 1) // 2]}
    return {pid: TEST if pid in testing else TRAIN for pid in sorted(every)}


def pool_of(kind: str, properties: Iterable[str], halves: Mapping[str, str]) -> str:
    """Where a question belongs: train, test, or mixed for an intersection over both halves."""
    found = {halves[pid] for pid in properties}
    if len(found) == 1:
        return found.pop()
    return TEST if kind == "composition" else MIXED


def leaks(assigned: Iterable[Mapping[str, Any]], halves: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(query, property, leak) for every property on the wrong side; empty for a sound split.

    assigned: rows with query, kind, properties and split. Leaks: test_relation_in_train;
    train_relation_in_test (of a simple question or an intersection); no_test_relation (a
    composition for testing without any).
    """
    found = []
    for row in assigned:
        sides = {pid: halves[pid] for pid in row["properties"]}
        training = row["split"] == TRAIN
        if not training and row["kind"] == "composition":
            if TEST not in sides.values():
                found.append((row["query"], " ".join(sides), "no_test_relation"))
            continue
        leak = "test_relation_in_train" if training else "train_relation_in_test"
        found += [(row["query"], pid, leak) for pid, side in sides.items() if (side == TRAIN) != training]
    return sorted(found)


def _train(pool: list[dict[str, Any]], rejects: Rejects, params: SplitParams) -> list[str]:
    """Questions in random order as long as each of their properties has room."""
    used: Counter[str] = Counter()
    kept = []
    for row in sorted(pool, key=lambda row: (rank(params.seed, row["query"], TRAIN), row["query"])):
        pids = sorted(set(row["properties"]))
        full = [pid for pid in pids if used[pid] >= params.max_train_per_relation]
        if full:
            rejects.add(row["query"], "over_train_cap", " ".join(full))
            continue
        used.update(pids)
        kept.append(row["query"])
    return kept


def _dev_and_test(pool: list[dict[str, Any]], params: SplitParams) -> tuple[list[str], list[str]]:
    """Questions spread over kinds by their proportions, and within a kind evenly over its relations."""
    groups = by_relation(pool)
    sizes = {kind: sum(map(len, groups[kind].values())) for kind in KINDS}
    places = allocate(params.dev + params.test, params.weights, sizes)
    # Relation by relation, so that dividing the list evenly divides each relation evenly.
    chosen = [
        query
        for kind in KINDS
        for queries in spread(groups[kind], places[kind], params.seed, kind).values()
        for query in queries
    ]
    return divide(chosen, part(len(chosen), params.dev, params.test))


def _output(
    assigned: list[dict[str, Any]],
    spare: list[dict[str, Any]],
    halves: Mapping[str, str],
    rejects: Rejects,
    params: SplitParams,
) -> Output:
    found = leaks([*assigned, *spare], halves)
    if found:
        raise StageError(f"qampari.splits: {len(found)} questions leak a relation, the first: {found[0]}")
    numbers: Counter[str] = Counter()
    rows = _numbered(assigned, numbers, params)
    first = [row | {"place": 0} for row in rows if row["split"] != TRAIN]
    candidates = [*first, *_numbered(spare, numbers, params)]
    uses = Counter((pid, row["split"]) for row in rows for pid in set(row["properties"]))
    table = [
        {"property": pid, "half": half} | {split: uses[pid, split] for split in SPLITS} for pid, half in halves.items()
    ]
    return Output(
        {
            SPLIT_QUESTIONS.name: SPLIT_QUESTIONS.table(rows),
            CANDIDATES.name: CANDIDATES.table(candidates),
            RELATION_HALVES.name: RELATION_HALVES.table(table),
        },
        rejects.table(),
        _metrics(rows, halves, uses) | {"waiting": float(len(spare))},
    )


def _numbered(rows: list[dict[str, Any]], numbers: Counter[str], params: SplitParams) -> list[dict[str, Any]]:
    """The rows in random order, numbered per split from where `numbers` stands."""
    found = []
    for row in sorted(rows, key=lambda row: (rank(params.seed, row["query"], "number"), row["query"])):
        found.append(row | {"number": numbers[row["split"]]})
        numbers[row["split"]] += 1
    return found


def _metrics(rows: list[dict[str, Any]], halves: Mapping[str, str], uses: Counter[tuple[str, str]]) -> dict[str, float]:
    """Questions per split and kind, relations per half, and how many of train occur inside compositions for testing."""
    counts = Counter(f"{row['split']}_{row['kind']}" for row in rows)
    found = {f"{split}_{kind}": float(counts[f"{split}_{kind}"]) for split in SPLITS for kind in KINDS}
    both = sum(1 for pid in halves if uses[pid, TRAIN] and uses[pid, DEV] + uses[pid, TEST])
    sides = Counter(halves.values())
    return found | {
        "train_relations": float(sides[TRAIN]),
        "test_relations": float(sides[TEST]),
        "train_relations_inside_test_compositions": float(both),
        "leaks": float(len(leaks(rows, halves))),
    }


def stage(params: SplitParams | None = None) -> Stage:
    params = params or SplitParams()
    return Stage(
        name="qampari.splits",
        shape=Whole(),
        kernel=partial(split_questions, params=params),
        inputs=(QUESTIONS.name, ANSWER_FORMS.name),
        outputs=(SPLIT_QUESTIONS, CANDIDATES, RELATION_HALVES),
        about="Step 10: halves of the relations; train, dev and test without a relation in common.",
    )
