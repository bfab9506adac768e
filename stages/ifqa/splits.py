"""Stage `ifqa.splits`: train, dev and test of questions that have neither question, passage nor page in common.

Questions are tied to each other by a common wording, a common passage, a common page, and a run of
words that stands in the passages of both (passages of one page may overlap although they differ, and
their page may be unknown). What is tied stays together: whole groups are dealt out, the large ones
first, in an order that depends on the seed. It is done twice: a full benchmark to train on, and one
with few questions to train on, whose training questions are a random sample too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.groups import assign, shared, together
from stages.core.limits import at_least
from stages.core.seeds import shuffled
from stages.core.splits import SPLITS, TRAIN
from stages.ifqa.tables import KEPT_QUESTIONS, same_question

FULL, FEW = "full", "few"
CONFIGS = (FULL, FEW)
QUESTION, PASSAGE, PAGE, RUN = "questions", "passages", "pages", "runs_of_words"
TIES = (QUESTION, PASSAGE, PAGE, RUN)

QUESTION_SPLITS = TableSpec(
    name="question_splits",
    schema=pa.schema([text("question_id"), number("idx"), text(FULL), text(FEW)]),
    key=("question_id",),
)
"""idx: 0, 1, ... in an order at random, the same for both benchmarks; full, few: train, dev or test of each."""


@dataclass(frozen=True)
class GroupedSplitParams:
    """seed: of the order in which groups are dealt out, and of idx.
    full_*, few_*: the sizes whose proportions are aimed at; few_train is also the most of its split.
    run: words in a row that tie two questions where the passages of both hold them; 0 for none.
    """

    seed: int = 0
    full_train: int = 2401
    full_dev: int = 701
    full_test: int = 701
    few_train: int = 600
    few_dev: int = 1600
    few_test: int = 1600
    run: int = 20

    def __post_init__(self) -> None:
        at_least(self, 0, *(f"{config}_{split}" for config in CONFIGS for split in SPLITS), "run")
        for config in CONFIGS:
            if not sum(self.sizes(config).values()):
                raise StageError(f"{config}_train, _dev, _test: expected at least one size above 0")

    def sizes(self, config: str) -> dict[str, int]:
        return {split: getattr(self, f"{config}_{split}") for split in SPLITS}


def question_splits(questions: pa.Table, *, params: GroupedSplitParams) -> Output:
    """QUESTION_SPLITS from RAW_QUESTIONS. Raises StageError if a tie came into two splits.

    Metrics: groups, largest_group; per benchmark and split the questions, as {full, few}_{split}; and the proof,
    {full, few}_{questions, passages, pages, runs_of_words}_in_two_splits, all 0 in a sound split.
    """
    rows = questions.select(["question_id", "question", "context", "title"]).to_pylist()
    tied = _tied(rows, params.run)
    groups = together((question, f"{kind} {tie}") for question, kind, tie in tied)
    metrics = {"groups": len(groups), "largest_group": max(map(len, groups), default=0)}
    of: dict[str, dict[str, str]] = {}
    for config in CONFIGS:
        of[config] = _deal(groups, config, params)
        metrics |= _proof(config, tied, of[config])
        counts = Counter(of[config].values())
        metrics |= {f"{config}_{split}": counts[split] for split in SPLITS}
    order = shuffled((row["question_id"] for row in rows), params.seed, "idx")
    table: list[dict[str, Any]] = [
        {"question_id": question, "idx": idx, **{config: of[config][question] for config in CONFIGS}}
        for idx, question in enumerate(order)
    ]
    return Output(
        {QUESTION_SPLITS.name: QUESTION_SPLITS.table(table)},
        metrics={name: float(count) for name, count in metrics.items()},
    )


def _tied(rows: Sequence[Mapping[str, Any]], run: int) -> list[tuple[str, str, str]]:
    """(question, kind, value) of all ties of several questions; each question has one, its wording, at least."""
    found = [(row["question_id"], kind, tie) for row in rows for kind, tie in ties(row, run)]
    holders = Counter((kind, tie) for _, kind, tie in found)
    return [(question, kind, tie) for question, kind, tie in found if kind == QUESTION or holders[kind, tie] > 1]


def ties(row: Mapping[str, Any], run: int) -> Iterator[tuple[str, str]]:
    """(kind, value) of all that no two splits may share, of a row with question, context and title."""
    yield QUESTION, same_question(row["question"])
    for passage in row["context"]:
        yield PASSAGE, passage
    if row["title"] is not None:
        yield PAGE, row["title"]
    for words in runs(row["context"], run):
        yield RUN, words


def runs(passages: Iterable[str], length: int) -> set[str]:
    """Digests of all runs of so many words in each passage; case and what is no letter or digit do not count."""
    found = set()
    for passage in passages if length else ():
        bare = ["".join(filter(str.isalnum, word)) for word in passage.casefold().split()]
        words = [word for word in bare if word]
        for start in range(len(words) - length + 1):
            text = " ".join(words[start : start + length])
            found.add(hashlib.blake2b(text.encode(), digest_size=8).hexdigest())
    return found


def _deal(groups: Iterable[tuple[str, ...]], config: str, params: GroupedSplitParams) -> dict[str, str]:
    """The split of each question."""
    # The name of the benchmark before the group makes its order one of its own.
    sizes = {(config, *group): len(group) for group in groups}
    wanted = params.sizes(config)
    total, rest = sum(sizes.values()), sum(wanted.values()) - wanted[TRAIN]
    if config == FEW and total > wanted[TRAIN] + rest and rest:
        # However many questions there are, few are to be trained on.
        wanted = {split: size * (total - wanted[TRAIN]) for split, size in wanted.items()} | {
            TRAIN: wanted[TRAIN] * rest
        }
    dealt = assign(sizes, wanted, params.seed, least=1)
    return {question: split for (_, *group), split in dealt.items() for question in group}


def _proof(config: str, tied: Iterable[tuple[str, str, str]], split_of: Mapping[str, str]) -> dict[str, int]:
    places: dict[str, list[tuple[str, str]]] = {kind: [] for kind in TIES}
    for question, kind, tie in tied:
        places[kind].append((tie, split_of[question]))
    found = shared(places)
    if leaks := {kind: values[:3] for kind, values in found.items() if values}:
        raise StageError(f"ifqa.splits: in two splits of {config}: {leaks}")
    return {f"{config}_{kind}_in_two_splits": len(values) for kind, values in found.items()}


def stage(params: GroupedSplitParams | None = None, questions: str = KEPT_QUESTIONS.name) -> Stage:
    """questions: the name of a table of RAW_QUESTIONS."""
    params = params or GroupedSplitParams()
    return Stage(
        name="ifqa.splits",
        shape=Whole(),
        kernel=partial(question_splits, params=params),
        inputs=(questions,),
        outputs=(QUESTION_SPLITS,),
        about="Splits: train, dev and test without a common question, passage or page, for full and for few.",
    )
