"""Stage `qampari.paraphrase_drafts`: tasks that have people reword questions (the paper's step 12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.tables import DRAFTS
from stages.core.contract import Join, Output, Stage, StageError
from stages.core.seeds import rank
from stages.core.splits import TRAIN
from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.judging.judged import RELEASED_QUESTIONS

PARAPHRASE_DRAFTS = replace(DRAFTS, name="paraphrase_drafts")
VARIABLES = ("answers", "question")


@dataclass(frozen=True)
class ParaphraseParams:
    """train: questions of train that are reworded (the paper's 3,000), beside all of dev and test.
    answers: how many answers the worker sees.
    redundancy: workers per task, 0 for the kind's own number.
    seed: of the answers that are shown; which questions of train these are follows from their numbers, which
        are in random order.
    """

    train: int = 3000
    answers: int = 5
    redundancy: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("train", 0), ("answers", 1), ("redundancy", 0)):
            if getattr(self, name) < least:
                raise StageError(f"{name}: expected {least} or more, got {getattr(self, name)}")


def paraphrase_drafts(
    released: pa.Table, questions: pa.Table, answers: pa.Table, *, kind: TaskKind, params: ParaphraseParams
) -> Output:
    """PARAPHRASE_DRAFTS, their origin the query, from one bucket of RELEASED_QUESTIONS, QUESTIONS and
    LABELLED_ANSWERS by query.

    The answers shown are chosen from all that the model left, whatever people say of them later: a task whose
    content changed would be another task, and what was written for it lost.
    """
    chosen = {row["query"] for row in released.to_pylist() if row["split"] != TRAIN or row["number"] < params.train}
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for query, shown in zip(answers["query"].to_pylist(), answers["answer_text"].to_pylist(), strict=True):
        if query in chosen:
            texts[query].add(shown)
    rows = []
    for row in questions.select(["query", "question"]).to_pylist():
        if row["query"] in chosen:
            payload = {"question": row["question"], "answers": _shown(row["query"], texts, params)}
            rows.append(_draft(row["query"], kind.name, payload, params.redundancy))
    return Output({PARAPHRASE_DRAFTS.name: PARAPHRASE_DRAFTS.table(rows)}, metrics={"drafts": float(len(rows))})


def _shown(query: str, texts: Mapping[str, set[str]], params: ParaphraseParams) -> str:
    """Some answers of a question, one a line."""
    order = sorted(texts[query], key=lambda shown: (rank(params.seed, f"{query}\x1f{shown}", "shown"), shown))
    return "\n".join(sorted(order[: params.answers]))


def _draft(query: str, kind: str, payload: Mapping[str, str], redundancy: int) -> dict[str, object]:
    shown = {"origin": query, "kind": kind, "payload": canonical_json(payload), "redundancy": redundancy}
    return shown | {"wrong_payload": None, "wrong_gold": None, "gold": None}


def stage(kind: TaskKind, params: ParaphraseParams | None = None) -> Stage:
    """kind: a form with the variables VARIABLES.

    Raises StageError: it has others.
    """
    if kind.variables != VARIABLES:
        raise StageError(f"task kind {kind.name}: shows {', '.join(kind.variables)}; expected {', '.join(VARIABLES)}")
    params = params or ParaphraseParams()
    return Stage(
        name="qampari.paraphrase_drafts",
        shape=Join(on=(("query",),) * 3),
        kernel=partial(paraphrase_drafts, kind=kind, params=params),
        inputs=(RELEASED_QUESTIONS.name, QUESTIONS.name, LABELLED_ANSWERS.name),
        outputs=(PARAPHRASE_DRAFTS,),
        templates=kind.digests,
        about="Step 12: questions for people to put into their own words.",
    )
