"""Stage `qampari.judged`: the questions and answers of the benchmark once people have judged them (step 11).

Answers that people refuse go; a question that is left with too few has been replaced (`qampari.replacement`). What
people have not judged stays, marked as unconfirmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from stages.annotation.tables import CONFIRMED, NO_MAJORITY, REFUSED
from stages.core.columns import flag
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.splits import TRAIN
from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.judging.asked_answers import path_slice
from stages.qampari.judging.replacement import ANSWER_STATES, CHOSEN
from stages.qampari.splits import CANDIDATES, SPLIT_QUESTIONS

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


def judged(splits: pa.Table, candidates: pa.Table, answers: pa.Table, *said: pa.Table) -> Output:
    """RELEASED_QUESTIONS and RELEASED_ANSWERS from one bucket of SPLIT_QUESTIONS, CANDIDATES and LABELLED_ANSWERS by
    query.

    said: CHOSEN by item and ANSWER_STATES by query; where nobody has answered, none, and all questions stay.
    Rejects, keyed by query and answer, of all candidates: refused_by_people, no_majority.
    Metrics: confirmed, unconfirmed (answers of dev and test), refused_paths (of confirmed answers), replacing.
    """
    fields = SPLIT_QUESTIONS.schema.names
    questions = [row for row in splits.to_pylist() if row["split"] == TRAIN]
    tested = {row["query"]: row for row in candidates.to_pylist()}
    stay, states = _said(tested, *said)
    questions += [{name: row[name] for name in fields} for row in tested.values() if row["query"] in stay]
    released = {row["query"]: row for row in questions}
    rejects, rows = Rejects(), []
    counts: Counter[str] = Counter(confirmed=0, unconfirmed=0, refused_paths=0)
    wanted = pa.array([query in released or query in tested for query in answers["query"].to_pylist()], pa.bool_())
    for answer in answers.filter(wanted).to_pylist():
        state = states.get((answer["query"], answer["answer"], answer["unit"]))
        if state is not None and state["status"] in REASONS:
            rejects.add(f"{answer['query']} {answer['answer']}", REASONS[state["status"]], answer["unit"])
        elif answer["query"] in released:
            rows.append(_released(answer, state, released[answer["query"]], counts))
    replacing = sum(tested[query]["place"] > 0 for query in stay)
    return Output(
        {
            RELEASED_QUESTIONS.name: RELEASED_QUESTIONS.table(questions),
            RELEASED_ANSWERS.name: RELEASED_ANSWERS.table(rows),
        },
        rejects.table(),
        {name: float(count) for name, count in counts.items()} | {"replacing": float(replacing)},
    )


_States = Mapping[tuple[str, str, str], Mapping[str, Any]]


def _said(
    tested: Mapping[str, Mapping[str, Any]], chosen: pa.Table | None = None, states: pa.Table | None = None
) -> tuple[set[str], _States]:
    """The questions of dev and test that stay, and what people say of answers."""
    if chosen is None or states is None:
        return {query for query, row in tested.items() if not row["place"]}, {}
    found = {(row["query"], row["answer"], row["unit"]): row for row in states.to_pylist()}
    return set(chosen["item"].to_pylist()), found


def _released(
    answer: dict[str, Any], state: Mapping[str, Any] | None, question: Mapping[str, Any], counts: Counter[str]
) -> dict[str, Any]:
    if question["split"] == TRAIN:
        return answer | {"confirmed": False}
    confirmed = state is not None and state["status"] == CONFIRMED
    counts["confirmed" if confirmed else "unconfirmed"] += 1
    if state is None or not confirmed or not state["refused_paths"]:
        return answer | {"confirmed": confirmed}
    counts["refused_paths"] += len(state["refused_paths"])
    refused = {
        place
        for path in state["refused_paths"]
        for place in range(len(answer["proofs"]))[path_slice(question["kind"], path)]
    }
    kept = {
        name: [value for place, value in enumerate(answer[name]) if place not in refused]
        for name in ("proofs", "scores")
    }
    return answer | kept | {"confirmed": True}


def stage(said: tuple[str, str] | None = (CHOSEN.name, ANSWER_STATES.name)) -> Stage:
    """said: the tables of CHOSEN and ANSWER_STATES after the last round; None where no answers were given."""
    on: tuple[tuple[str, ...], ...] = (("query",), ("query",), ("query",))
    return Stage(
        name="qampari.judged",
        shape=Join(on=on if said is None else (*on, ("item",), ("query",))),
        kernel=judged,
        inputs=(SPLIT_QUESTIONS.name, CANDIDATES.name, LABELLED_ANSWERS.name, *(said or ())),
        outputs=(RELEASED_QUESTIONS, RELEASED_ANSWERS),
        about="Step 11: answers that people refuse are dropped, and questions with too few replaced.",
    )
