"""Stage `questions.judged`: the questions and answers of the benchmark once people have judged them (step 11).

Answers that people refuse go; a question that is left with too few has been replaced (`people.replaced`). What
people have not judged stays, marked as unconfirmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from stages.contract import Join, Output, Stage, TableSpec
from stages.people.replacement import CHOSEN
from stages.people.tables import CONFIRMED, NO_MAJORITY, REFUSED
from stages.queries.tables import flag
from stages.questions.answers import LABELLED_ANSWERS
from stages.questions.asked_answers import path_slice
from stages.questions.standings import ANSWER_STATES
from stages.rejects import Rejects
from stages.splits.relations import CANDIDATES, SPLIT_QUESTIONS, TRAIN

RELEASED_QUESTIONS = replace(SPLIT_QUESTIONS, name="released_questions")
RELEASED_ANSWERS = TableSpec(
    name="released_answers",
    schema=pa.schema([*LABELLED_ANSWERS.schema, flag("confirmed")]),
    key=LABELLED_ANSWERS.key,
    bucket_by=LABELLED_ANSWERS.bucket_by,
    inexact=LABELLED_ANSWERS.inexact,
)
"""The answers of RELEASED_QUESTIONS. confirmed: whether people found the answer right."""

REASONS = {REFUSED: "refused_by_people", NO_MAJORITY: "no_majority"}


def judged(splits: pa.Table, candidates: pa.Table, chosen: pa.Table, answers: pa.Table, states: pa.Table) -> Output:
    """RELEASED_QUESTIONS and RELEASED_ANSWERS from one bucket of SPLIT_QUESTIONS, CANDIDATES, LABELLED_ANSWERS and
    ANSWER_STATES by query, and of CHOSEN by item.

    Rejects, keyed by query and answer, of all candidates: refused_by_people, no_majority.
    Metrics: confirmed, unconfirmed (answers of dev and test), refused_paths (of confirmed answers), replacing.
    """
    stay = set(chosen["item"].to_pylist())
    fields = SPLIT_QUESTIONS.schema.names
    questions = [row for row in splits.to_pylist() if row["split"] == TRAIN]
    tested = {row["query"]: row for row in candidates.to_pylist()}
    questions += [{name: row[name] for name in fields} for row in tested.values() if row["query"] in stay]
    released = {row["query"]: row for row in questions}
    said = {(row["query"], row["answer"], row["unit"]): row for row in states.to_pylist()}
    rejects, rows = Rejects(), []
    counts: Counter[str] = Counter(confirmed=0, unconfirmed=0, refused_paths=0)
    wanted = pa.array([query in released or query in tested for query in answers["query"].to_pylist()], pa.bool_())
    for answer in answers.filter(wanted).to_pylist():
        state = said.get((answer["query"], answer["answer"], answer["unit"]))
        if state is not None and state["status"] in REASONS:
            rejects.add(f"{answer['query']} {answer['answer']}", REASONS[state["status"]], answer["unit"])
        elif answer["query"] in released:
            rows.append(_released(answer, state, released[answer["query"]]["kind"], counts))
    replacing = sum(tested[query]["place"] > 0 for query in stay)
    return Output(
        {
            RELEASED_QUESTIONS.name: RELEASED_QUESTIONS.table(questions),
            RELEASED_ANSWERS.name: RELEASED_ANSWERS.table(rows),
        },
        rejects.table(),
        {name: float(count) for name, count in counts.items()} | {"replacing": float(replacing)},
    )


def _released(
    answer: dict[str, Any], state: Mapping[str, Any] | None, kind: str, counts: Counter[str]
) -> dict[str, Any]:
    if state is None:
        return answer | {"confirmed": False}
    confirmed = state["status"] == CONFIRMED
    counts["confirmed" if confirmed else "unconfirmed"] += 1
    if not confirmed or not state["refused_paths"]:
        return answer | {"confirmed": confirmed}
    counts["refused_paths"] += len(state["refused_paths"])
    refused = {
        place for path in state["refused_paths"] for place in range(len(answer["proofs"]))[path_slice(kind, path)]
    }
    kept = {
        name: [value for place, value in enumerate(answer[name]) if place not in refused]
        for name in ("proofs", "scores")
    }
    return answer | kept | {"confirmed": True}


def stage(chosen: str = CHOSEN.name, states: str = ANSWER_STATES.name) -> Stage:
    """chosen, states: the tables after the last round."""
    return Stage(
        name="questions.judged",
        shape=Join(on=(("query",), ("query",), ("item",), ("query",), ("query",))),
        kernel=judged,
        inputs=(SPLIT_QUESTIONS.name, CANDIDATES.name, chosen, LABELLED_ANSWERS.name, states),
        outputs=(RELEASED_QUESTIONS, RELEASED_ANSWERS),
        about="Step 11: answers that people refuse are dropped, and questions with too few replaced.",
    )
