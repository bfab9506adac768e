"""Stage `qampari.cleaning`: one question, one answer set; no relation with too many (the paper's step 9).

Two queries may give the same question: two properties of one wording, two entities of one
label. With the same answers they are one question, and one is kept. With different
answers the question has several right answer sets, none of which would judge a reader
fairly, so all of them go.
"""

from __future__ import annotations

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


@dataclass(frozen=True)
class CleanParams:
    """max_per_relation: of each kind at most this many questions with one property, chosen at random; None for all.
    seed: of that choice.
    """

    max_per_relation: int | None = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.max_per_relation is not None and self.max_per_relation < 1:
            raise StageError(f"max_per_relation: expected at least 1, or none for no cap, got {self.max_per_relation}")


def clean(rendered: pa.Table, *, params: CleanParams) -> Output:
    """QUESTIONS: the rendered questions that are kept.

    Rejects, keyed by query: duplicate_question (same text, same answers; the detail names the query kept),
    ambiguous_question (same text, other answers), over_relation_cap.
    """
    rows = rendered.select(["query", "kind", "normal", "answer_set", "properties"]).to_pylist()
    rejects = Rejects()
    unique = _one_per_text(rows, rejects)
    kept = {row["query"] for row in _capped(unique, rejects, params)}
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
    limit = params.max_per_relation
    if limit is None:
        return rows
    used: Counter[tuple[str, str]] = Counter()
    kept = []
    for row in sorted(rows, key=lambda row: (rank(params.seed, row["query"], "cap"), row["query"])):
        places = [(row["kind"], pid) for pid in sorted(set(row["properties"]))]
        full = [pid for kind, pid in places if used[kind, pid] >= limit]
        if full:
            rejects.add(row["query"], "over_relation_cap", " ".join(full))
            continue
        used.update(places)
        kept.append(row)
    return kept


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
