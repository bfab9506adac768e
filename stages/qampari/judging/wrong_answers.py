"""Step `wrong_answers`: for each answer that people judge, one of another question that is wrong here.

It is the sort of thing that is asked for: an answer of a question with the same relations where
there is one, else with the same last relation, of the same types, or just an answer of the same kind
of value. Which one is a matter of chance that depends on a seed and on contents: answers lie on a
ring at the places of their hashes, and each answer takes the next that will do, one that its question
has not taken yet where there is one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import flag, number, text
from stages.core.contract import Output, Stage, TableSpec, Whole
from stages.core.seeds import rank
from stages.core.short_answers import normalise
from stages.qampari.judging.asked_answers import ASKED_ANSWERS
from stages.qampari.judging.truths import MIDDLE, TRUE_ANSWERS

SHOWN_ANSWERS = TableSpec(
    name="shown_answers",
    schema=pa.schema(
        [
            text("origin"),
            flag("wrong"),
            *map(number, ("page", "pages")),
            *map(text, ("query", "answer_text", "title")),
            pa.field("passages", pa.list_(pa.int32()), nullable=False),
        ]
    ),
    key=("origin", "wrong", "page"),
    bucket_by=("title",),
)
"""One row per answer to judge, right or wrong, and page that is shown with it.

origin: of the task, and of its twin with a wrong answer; wrong: answer_text and pages are those of another
    question's answer.
page: 0, 1, ... of `pages`; passages: numbers of those that hold the evidence, sorted.
"""


@dataclass(frozen=True)
class WrongAnswerParams:
    """seed: of the choice."""

    seed: int = 0


@dataclass
class _Truth:
    """What is true of one question: values, names in normal form, times; and items that no answer of another
    question may have to do with: the entities that this one names, and a composition's middle entities.
    """

    values: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    times: set[str] = field(default_factory=set)
    items: set[str] = field(default_factory=set)

    def admits(self, other: Mapping[str, Any]) -> bool:
        """Whether another question's answer is certainly none of this one."""
        if other["answer"] in self.values or not self.names.isdisjoint(other["normals"]):
            return False
        # "1969" is right where "1969-07-20" is, and the other way round.
        if other["answer_kind"] == "time" and any(_is_within(other["answer"], time) for time in self.times):
            return False
        return self.items.isdisjoint(other["items"])


def wrong_answers(asked: pa.Table, true_answers: pa.Table, *, params: WrongAnswerParams) -> Output:
    """SHOWN_ANSWERS from all ASKED_ANSWERS and TRUE_ANSWERS.

    Metrics: answers (to judge), without_wrong (answers for which every other is right or could be).
    """
    answers = _distinct(asked)
    known = _truths(asked, true_answers)
    pools = _pools(answers, params.seed)
    rows: list[dict[str, Any]] = []
    taken: defaultdict[str, set[str]] = defaultdict(set)
    missing = 0
    for answer in answers:
        rows += _rows(answer["origin"], answer["query"], answer, wrong=False)
        other = _wrong_for(answer, pools, known[answer["query"]], taken[answer["query"]], params.seed)
        if other is None:
            missing += 1
        else:
            taken[answer["query"]].add(other["origin"])
            rows += _rows(answer["origin"], answer["query"], other, wrong=True)
    metrics = {"answers": float(len(answers)), "without_wrong": float(missing)}
    return Output({SHOWN_ANSWERS.name: SHOWN_ANSWERS.table(rows)}, metrics=metrics)


def _distinct(asked: pa.Table) -> list[dict[str, Any]]:
    """One row per origin, the first by its key, with the passages of all."""
    key = [(name, "ascending") for name in ASKED_ANSWERS.key]
    found: dict[str, dict[str, Any]] = {}
    for row in asked.sort_by(key).to_pylist():
        places = zip(row["titles"], row["passages"], strict=True)
        kept = found.setdefault(row["origin"], row | {"pages": {}, "normals": set(), "items": set()})
        kept["normals"] |= {normalise(name) for name in row["names"]}
        kept["items"] |= {row["answer"], *row["subjects"], *row["entities"]}
        for title, passage in places:
            kept["pages"].setdefault(title, set()).add(passage)
    return list(found.values())


def _truths(asked: pa.Table, true_answers: pa.Table) -> defaultdict[str, _Truth]:
    known: defaultdict[str, _Truth] = defaultdict(_Truth)
    for row in asked.select(["query", "answer", "answer_kind", "names", "entities"]).to_pylist():
        truth = known[row["query"]]
        truth.names |= {normalise(name) for name in row["names"]}
        truth.values.add(row["answer"])
        truth.items |= set(row["entities"])
        if row["answer_kind"] == "time":
            truth.times.add(row["answer"])
    for row in true_answers.to_pylist():
        truth = known[row["query"]]
        if row["role"] == MIDDLE:
            truth.items.add(row["answer"])
            continue
        truth.values.add(row["answer"])
        truth.names |= {normalise(name) for name in row["names"]}
        if not row["names"]:
            truth.times.add(row["answer"])
    return known


def _is_within(one: str, other: str) -> bool:
    """Whether one of two times is part of the other, or equal to it."""
    return f"{one}-".startswith(f"{other}-") or f"{other}-".startswith(f"{one}-")


def _tiers(row: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Names of the pools to look in, the most alike first."""
    value = row["answer_kind"]
    yield ("relations", value, row["kind"], *row["properties"])
    yield ("relation", value, row["properties"][-1])
    if row["types"]:
        yield ("types", *row["types"])
    yield ("value", value)


_Ring = list[tuple[bytes, str, dict[str, Any]]]


def _pools(answers: Iterable[dict[str, Any]], seed: int) -> dict[tuple[str, ...], _Ring]:
    pools: defaultdict[tuple[str, ...], _Ring] = defaultdict(list)
    for row in answers:
        place = rank(seed, row["origin"], "wrong answer")
        for tier in _tiers(row):
            pools[tier].append((place, row["origin"], row))
    return {tier: sorted(ring, key=lambda item: item[:2]) for tier, ring in pools.items()}


def _wrong_for(
    row: Mapping[str, Any], pools: Mapping[tuple[str, ...], _Ring], truth: _Truth, taken: set[str], seed: int
) -> dict[str, Any] | None:
    """The next answer on the first ring that has any which will do; one that is taken only where all are."""
    start = (rank(seed, row["origin"], "place"), "")
    for tier in _tiers(row):
        ring = pools[tier]
        first = bisect_left(ring, start, key=lambda item: item[:2])
        again = None
        for step in range(len(ring)):
            *_, other = ring[(first + step) % len(ring)]
            if other["query"] == row["query"] or not truth.admits(other):
                continue
            if other["origin"] not in taken:
                return other
            again = again or other
        if again is not None:
            return again
    return None


def _rows(origin: str, query: str, answer: Mapping[str, Any], *, wrong: bool) -> list[dict[str, Any]]:
    common = {"origin": origin, "wrong": wrong, "query": query, "answer_text": answer["answer_text"]}
    pages = answer["pages"]
    return [
        common | {"page": page, "pages": len(pages), "title": title, "passages": sorted(passages)}
        for page, (title, passages) in enumerate(pages.items())
    ]


def stage(params: WrongAnswerParams | None = None) -> Stage:
    params = params or WrongAnswerParams()
    return Stage(
        name="qampari.wrong_answers",
        shape=Whole(),
        kernel=partial(wrong_answers, params=params),
        inputs=(ASKED_ANSWERS.name, TRUE_ANSWERS.name),
        outputs=(SHOWN_ANSWERS,),
        about="Step 11: a wrong answer for each, as an attention check among the tasks.",
    )
