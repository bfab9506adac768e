"""Stage `questions.standings`: how questions stand after some rounds of judging their answers (the paper's step 11)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.contract import Output, Stage, TableSpec, Whole
from stages.people.replacement import STANDINGS, standing
from stages.people.tables import CONFIRMED, NO_MAJORITY, REFUSED, UNCONFIRMED, VERDICTS
from stages.queries.tables import text
from stages.questions.asked_answers import ASKED_ANSWERS
from stages.splits.relations import CANDIDATES

ANSWER_STATES = TableSpec(
    name="answer_states",
    schema=pa.schema(
        [
            text("query"),
            text("answer"),
            text("unit"),
            text("status"),
            pa.field("refused_paths", pa.list_(pa.int32()), nullable=False),
        ]
    ),
    key=("query", "answer", "unit"),
)
"""What people say of an answer: one row per answer of a candidate question.

status: confirmed (on one path at least); refused or no_majority (on all that were shown); unconfirmed.
refused_paths: the paths that did not hold, sorted.
"""

_BAD = (REFUSED, NO_MAJORITY)


@dataclass(frozen=True)
class StandingParams:
    """kind: of the tasks that judge answers."""

    kind: str


def standings(candidates: pa.Table, asked: pa.Table, *verdicts: pa.Table, params: StandingParams) -> Output:
    """STANDINGS and ANSWER_STATES from all CANDIDATES and ASKED_ANSWERS, and the VERDICTS of some rounds.

    Answers with the same text count once, as the best of them; answers that nobody has judged are pending, so
    that a question stays until people are through with it.
    Metrics: answers per status.
    """
    judged = (row for table in verdicts for row in table.to_pylist() if row["kind"] == params.kind)
    said = {row["origin"]: row["status"] for row in judged}
    key = [(name, "ascending") for name in ASKED_ANSWERS.key]
    shown: defaultdict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
    normals: dict[tuple[str, str, str], str] = {}
    columns = ["query", "answer", "unit", "path", "origin", "normal"]
    for row in asked.select(columns).sort_by(key).to_pylist():
        answer = (row["query"], row["answer"], row["unit"])
        shown[answer].append((row["path"], said.get(row["origin"], UNCONFIRMED)))
        normals[answer] = row["normal"]
    states = {answer: _status([status for _, status in paths]) for answer, paths in shown.items()}
    rows = [
        dict(zip(ANSWER_STATES.key, answer, strict=True))
        | {"status": states[answer], "refused_paths": [path for path, status in paths if status in _BAD]}
        for answer, paths in shown.items()
    ]
    by_text: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for answer, status in states.items():
        by_text[answer[0]].setdefault(normals[answer], []).append(status)
    found = [
        _standing(row["query"], f"{row['split']} {row['kind']}", row["place"], by_text[row["query"]].values())
        for row in candidates.to_pylist()
    ]
    counts = Counter(states.values())
    return Output(
        {STANDINGS.name: STANDINGS.table(found), ANSWER_STATES.name: ANSWER_STATES.table(rows)},
        metrics={status: float(counts[status]) for status in (CONFIRMED, *_BAD, UNCONFIRMED)},
    )


def _status(statuses: Sequence[str]) -> str:
    """The best of an answer's verdicts."""
    valid, _, pending = standing(statuses)
    if valid:
        return CONFIRMED
    if pending:
        return UNCONFIRMED
    return REFUSED if REFUSED in statuses else NO_MAJORITY


def _standing(query: str, group: str, place: int, answers: Iterable[Sequence[str]]) -> dict[str, object]:
    valid, refused, pending = standing(_status(statuses) for statuses in answers)
    counts = {"valid": valid, "refused": refused, "pending": pending}
    return {"item": query, "group": group, "place": place} | counts


def stage(kind: str, verdicts: Sequence[str] = (VERDICTS.name,)) -> Stage:
    """kind: of the tasks that judge answers; verdicts: the tables of all rounds so far."""
    params = StandingParams(kind)
    return Stage(
        name="questions.standings",
        shape=Whole(),
        kernel=partial(standings, params=params),
        inputs=(CANDIDATES.name, ASKED_ANSWERS.name, *verdicts),
        outputs=(STANDINGS, ANSWER_STATES),
        about="Step 11: how many answers of each question people have found right.",
    )
