"""Stage `qampari.cleaning`: one question, one answer set; no relation with too many or too large a share (step 9).

Two queries may give the same question: two properties of one wording, two entities of one
label. With the same answers they are one question, and one is kept. With different
answers the question has several right answer sets, none of which would judge a reader
fairly, so all of them go.

A part of Wikipedia supports a few relations far better than others (what a lead sentence says: "is a city").
The share of each in the simple questions is bounded, except that where there are few relations, each may have
a few times an even share. Compositions and intersections have two relations each and follow from the simple ones.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.qampari.questions import RENDERED_QUESTIONS

QUESTIONS = replace(RENDERED_QUESTIONS, name="questions")
KINDS = ("simple", "intersection", "composition")
# The share of 0.02, a little above the 1,000 of 61,911 questions that the paper's train set allows a relation, is three
# times an even one over its 150 relations.
EVEN_SHARES = 3


@dataclass(frozen=True)
class CleanParams:
    """max_per_relation: of each kind at most this many questions with one property, chosen at random; None for all.
    max_share_per_relation: the largest part of the simple questions that may have one property, in (0, 1]; it is
        never below `EVEN_SHARES` times what each property would have if all had as many.
    seed: of that choice.
    """

    max_per_relation: int | None = 1000
    max_share_per_relation: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        if self.max_per_relation is not None and self.max_per_relation < 1:
            raise StageError(f"max_per_relation: expected at least 1, or none for no cap, got {self.max_per_relation}")
        if not 0 < self.max_share_per_relation <= 1:
            raise StageError(
                f"max_share_per_relation is {self.max_share_per_relation}, but has to be above 0 and at most 1"
            )


def clean(rendered: pa.Table, *, params: CleanParams) -> Output:
    """QUESTIONS: the rendered questions that are kept.

    Rejects, keyed by query: duplicate_question (same text, same answers; the detail names the query kept),
    ambiguous_question (same text, other answers), over_relation_cap, over_relation_share.
    """
    rows = rendered.select(["query", "kind", "normal", "answer_set", "properties"]).to_pylist()
    rejects = Rejects()
    unique = _one_per_text(rows, rejects)
    capped = _capped(unique, rejects, params)
    simple = _shared_out([row for row in capped if row["kind"] == "simple"], rejects, params)
    kept = {row["query"] for row in (*simple, *(row for row in capped if row["kind"] != "simple"))}
    mask = pa.array([row["query"] in kept for row in rows], pa.bool_())
    return Output({QUESTIONS.name: rendered.filter(mask).cast(QUESTIONS.schema)}, rejects.table(), _counts(rows, kept))


def _one_per_text(rows: list[dict[str, Any]], rejects: Rejects) -> list[dict[str, Any]]:
    by_text: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (KINDS.index(row["kind"]), row["query"])):
        by_text[row["normal"]].append(row)
    kept = []
    for same in by_text.values():
        first, *others = same
        if any(row["answer_set"] != first["answer_set"] for row in others):
            for row in same:
                rejects.add(row["query"], "ambiguous_question", row["normal"])
            continue
        kept.append(first)
        for row in others:
            rejects.add(row["query"], "duplicate_question", first["query"])
    return kept


def _capped(rows: list[dict[str, Any]], rejects: Rejects, params: CleanParams) -> list[dict[str, Any]]:
    """Rows in random order as long as each of their properties has room for their kind."""
    ordered = sorted(rows, key=lambda row: (rank(params.seed, row["query"], "cap"), row["query"]))
    limit = params.max_per_relation
    if limit is None:
        return ordered
    kept = []
    for kind in KINDS:
        found, over = _with_room([row for row in ordered if row["kind"] == kind], limit)
        kept += found
        for row, full in over:
            rejects.add(row["query"], "over_relation_cap", " ".join(full))
    return kept


def _shared_out(rows: list[dict[str, Any]], rejects: Rejects, params: CleanParams) -> list[dict[str, Any]]:
    """The rows, in the same order, without those of a property that has too large a part of what is left."""
    kept = rows
    over: list[tuple[dict[str, Any], list[str]]] = []
    # Each turn has a lower bound than the one before, and the first is below the number of rows.
    for _ in rows:
        # A bound that what is left does not keep is lowered until it does; one question each is always left.
        limit = max(1, math.floor(_largest_share(rows, params) * len(kept)))
        if max(_uses(kept).values()) <= limit:
            break
        kept, over = _with_room(rows, limit)
    for row, full in over:
        rejects.add(row["query"], "over_relation_share", " ".join(full))
    return kept


def _largest_share(rows: list[dict[str, Any]], params: CleanParams) -> float:
    return max(params.max_share_per_relation, EVEN_SHARES / len(_uses(rows)))


def _uses(rows: list[dict[str, Any]]) -> Counter[str]:
    return Counter(pid for row in rows for pid in set(row["properties"]))


def _with_room(
    rows: list[dict[str, Any]], limit: int
) -> tuple[list[dict[str, Any]], list[tuple[dict[str, Any], list[str]]]]:
    """The rows, in their order, as long as each of their properties is in fewer than `limit`; and the others, with the
    properties that were full."""
    used: Counter[str] = Counter()
    kept, over = [], []
    for row in rows:
        places = sorted(set(row["properties"]))
        full = [pid for pid in places if used[pid] >= limit]
        if full:
            over.append((row, full))
            continue
        used.update(places)
        kept.append(row)
    return kept, over


def _counts(rows: list[dict[str, Any]], kept: set[str]) -> Mapping[str, float]:
    kinds = Counter(row["kind"] for row in rows if row["query"] in kept)
    return {f"{kind}_questions": float(kinds[kind]) for kind in KINDS}


def stage(params: CleanParams | None = None) -> Stage:
    params = params or CleanParams()
    return Stage(
        name="qampari.cleaning",
        shape=Whole(),
        kernel=partial(clean, params=params),
        inputs=(RENDERED_QUESTIONS.name,),
        outputs=(QUESTIONS,),
        about="Step 9: one question per text, and no relation with too many.",
    )
