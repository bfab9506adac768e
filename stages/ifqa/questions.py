"""Stages `ifqa.questions` and `ifqa.questions_kept`: all questions, each once.

A question counts as asked before where its wording is the same but for case, punctuation and
articles, whatever its passage: an answerer is shown the question alone. People may revise one
question into another, so the same is done again after they have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.ifqa.tables import (
    KEPT_QUESTIONS,
    RAW_QUESTIONS,
    READ_QUESTIONS,
    VERIFIED_QUESTIONS,
    WRITTEN_QUESTIONS,
    same_question,
)

OTHER_ANSWERS, OTHER_CONTEXT, SAME = "other_answers", "other_passages", "same_answers"


def distinct(*tables: pa.Table, output: str) -> Output:
    """RAW_QUESTIONS, under the name `output`, from tables of that schema.

    Of questions with one wording the first is kept: confirmed before unconfirmed, then more answers before fewer.
    Rejects, keyed "file:id" or by id: repeated_question; the detail names the one that is kept, and says whether
    passages and answers are the same.
    Metrics: questions, and repeated_{same_answers, other_answers, other_passages}.
    """
    asked: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for table in tables:
        for row in table.to_pylist():
            asked[same_question(row["question"])].append(row)
    rejects, kept, repeats = Rejects(), [], dict.fromkeys((SAME, OTHER_ANSWERS, OTHER_CONTEXT), 0)
    for rows in asked.values():
        first, *others = sorted(rows, key=_order)
        kept.append(first)
        for other in others:
            how = _difference(first, other)
            repeats[how] += 1
            rejects.add(name_of(other), "repeated_question", f"{how}, as {name_of(first)}: {other['question']}")
    metrics = {"questions": len(kept)} | {f"repeated_{how}": count for how, count in repeats.items()}
    spec = replace(RAW_QUESTIONS, name=output)
    return Output({output: spec.table(kept)}, rejects.table(), {name: float(count) for name, count in metrics.items()})


def name_of(row: Mapping[str, Any]) -> str:
    """How rejects call a question: as its file does, so that it can be found there."""
    return f"{row['file']}:{row['given_id']}" if row["file"] and row["given_id"] else row["question_id"]


def _order(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return not row["confirmed"], -len(row["answers"]), row["question_id"], row["file"], row["given_id"]


def _difference(first: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    if first["context"] != other["context"]:
        return OTHER_CONTEXT
    return SAME if sorted(first["answers"]) == sorted(other["answers"]) else OTHER_ANSWERS


def stage(*inputs: str) -> Stage:
    """All questions, each once. inputs: names of tables of that schema; default are those of files and of people."""
    names = inputs or (READ_QUESTIONS.name, WRITTEN_QUESTIONS.name)
    return _stage("ifqa.questions", names, RAW_QUESTIONS, "Questions from all sources, each once.")


def kept_stage(verified: str = VERIFIED_QUESTIONS.name) -> Stage:
    """The verified questions, each once."""
    return _stage(
        "ifqa.questions_kept", (verified,), KEPT_QUESTIONS, "Verified questions, each once as people have revised them."
    )


def _stage(name: str, inputs: Sequence[str], spec: TableSpec, about: str) -> Stage:
    return Stage(
        name=name,
        shape=Whole(),
        kernel=partial(distinct, output=spec.name),
        inputs=tuple(inputs),
        outputs=(spec,),
        about=about,
    )
