"""Stage `qampari.replacement`: enough questions with enough valid answers, from more candidates than are needed.

The QAMPARI paper (step 11, annotation of dev and test) replaces a question that is left with fewer than
five valid answers, until the target count is reached. Candidates of a group wait in one
order, by their places and among equal places by chance. Those at its head, as many as the
target, are sent to people; for each that is lost the next in line moves up. What is sent is
thus always a head of that order, which only grows as verdicts come in: no verdict is ever
asked for in vain, and repeating a build with more annotations never takes a question out that
people have found good.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.annotation.tables import CONFIRMED, NO_MAJORITY, REFUSED, REVISED, UNCONFIRMED, VERDICTS
from stages.core.chance import chance
from stages.core.columns import number, text
from stages.core.contract import Output, Stage, TableSpec, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.qampari.judging.answer_drafts import REPLACEMENT_DRAFTS, WAITING_DRAFTS
from stages.qampari.judging.asked_answers import ASKED_ANSWERS
from stages.qampari.splits import CANDIDATES

KEPT, OPEN, LOST, SPARE = "kept", "open", "lost", "spare"
_BAD = (REFUSED, NO_MAJORITY)

ANSWER_STATES = TableSpec(
    name="answer_states",
    schema=pa.schema(
        [
            *map(text, ("query", "answer", "unit", "status")),
            pa.field("refused_paths", pa.list_(pa.int32()), nullable=False),
        ]
    ),
    key=("query", "answer", "unit"),
)
"""What people say of an answer: one row per answer of a candidate question.

status: confirmed (on one path at least); refused or no_majority (on all that were shown); unconfirmed.
refused_paths: the paths that did not hold, sorted.
"""

CHOSEN = TableSpec(
    name="chosen",
    schema=pa.schema([text("item"), text("group"), text("state"), number("round"), number("valid"), number("pending")]),
    key=("item",),
)
"""The questions that stay: state kept (enough valid answers, nothing pending) or open (people are not through).
item: the query; group: its split and kind; valid, pending: its answers of different texts by what people say.
round: 1 for those sent at first, 2 for those that replace questions of round 1, and so on.
"""


@dataclass(frozen=True)
class ReplacementParams:
    """min_valid: answers that a question must have left; seed: of the order in which those of equal places wait.
    kind: of the tasks that judge answers; round: the last whose verdicts are looked at.
    """

    min_valid: int = 5
    seed: int = 0
    kind: str = ""
    round: int = 1

    def __post_init__(self) -> None:
        at_least(self, 1, "min_valid")


@dataclass(frozen=True)
class Candidate:
    """A question. group: what a target is counted in; as many are wanted of each as have place 0 in it.
    place: the others wait in line, the lower the sooner. valid, refused, pending: its answers; see `standing`.
    """

    item: str
    group: str
    place: int = 0
    valid: int = 0
    refused: int = 0
    pending: int = 0

    def state(self, min_valid: int) -> str:
        """kept, open or lost, whatever its place in line."""
        if self.valid + self.pending < min_valid:
            return LOST
        return OPEN if self.pending else KEPT


@dataclass(frozen=True)
class Placed:
    """A candidate's fate. state: kept, open, lost or spare; round: in which it is sent, 0 for spare ones."""

    candidate: Candidate
    state: str
    round: int


def standing(statuses: Iterable[str]) -> tuple[int, int, int]:
    """(valid, refused, pending) of a question from the statuses of its answers.

    Confirmed and revised ones are valid; refused ones and those without a majority are not.
    """
    counts = Counter(statuses)
    valid, refused = counts[CONFIRMED] + counts[REVISED], counts[REFUSED] + counts[NO_MAJORITY]
    return valid, refused, counts.total() - valid - refused


def place(candidates: Iterable[Candidate], params: ReplacementParams) -> list[Placed]:
    """The fate of every candidate, group by group in the order in which they wait."""
    groups: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.group].append(candidate)
    return [placed for group in sorted(groups) for placed in _place_group(groups[group], params)]


def _place_group(candidates: Sequence[Candidate], params: ReplacementParams) -> list[Placed]:
    order = sorted(candidates, key=lambda one: (one.place, chance(params.seed, one.item, "replacement"), one.item))
    placed: list[Placed] = []
    wanted, round_number = sum(one.place == 0 for one in order), 0
    while wanted and len(placed) < len(order):
        round_number += 1
        batch = order[len(placed) : len(placed) + wanted]
        sent = [Placed(one, one.state(params.min_valid), round_number) for one in batch]
        placed += sent
        wanted = sum(one.state == LOST for one in sent)
    return placed + [Placed(one, SPARE, 0) for one in order[len(placed) :]]


def replacement(
    candidates: pa.Table, asked: pa.Table, waiting: pa.Table, *verdicts: pa.Table, params: ReplacementParams
) -> Output:
    """ANSWER_STATES, CHOSEN and REPLACEMENT_DRAFTS from all CANDIDATES, ASKED_ANSWERS and WAITING_DRAFTS, and the
    VERDICTS of some rounds.

    Answers with the same text count once, as the best of them; answers that nobody has judged are pending, so
    that a question stays until people are through with it. Drafts are those of the questions of the next round.
    Rejects, keyed by query: replaced (fewer than min_valid valid answers can be left), spare (not needed so far).
    Metrics: answers per status; kept, open, lost, spare, rounds; short: places that no candidate is left for;
    drafts.
    """
    judged = (row for table in verdicts for row in table.to_pylist() if row["kind"] == params.kind)
    states, by_text = _states(asked, {row["origin"]: row["status"] for row in judged})
    rows = candidates.select(["query", "split", "kind", "place"]).to_pylist()
    placed = place((_candidate(row, by_text[row["query"]].values()) for row in rows), params)
    rejects = Rejects()
    for one in placed:
        if one.state == LOST:
            left, refused = one.candidate.valid, one.candidate.refused
            rejects.add(one.candidate.item, "replaced", f"{left} valid, {refused} refused, round {one.round}")
        elif one.state == SPARE:
            rejects.add(one.candidate.item, "spare", one.candidate.group)
    due = pa.array([one.candidate.item for one in placed if one.round == params.round + 1], pa.string())
    drafts = waiting.filter(pc.is_in(waiting["query"], due)).select(REPLACEMENT_DRAFTS.schema.names)
    tables = {
        ANSWER_STATES.name: ANSWER_STATES.table(states),
        CHOSEN.name: CHOSEN.table([_row(one) for one in placed if one.state in (KEPT, OPEN)]),
        REPLACEMENT_DRAFTS.name: drafts.cast(REPLACEMENT_DRAFTS.schema),
    }
    counts = Counter(row["status"] for row in states)
    metrics = {status: float(counts[status]) for status in (CONFIRMED, *_BAD, UNCONFIRMED)}
    return Output(tables, rejects.table(), metrics | _metrics(placed) | {"drafts": float(drafts.num_rows)})


def _states(
    asked: pa.Table, said: Mapping[str, str]
) -> tuple[list[dict[str, Any]], Mapping[str, Mapping[str, list[str]]]]:
    """Rows of ANSWER_STATES, and the statuses of answers by query and normal text. said: by origin of a task."""
    key = [(name, "ascending") for name in ASKED_ANSWERS.key]
    shown: defaultdict[tuple[str, str, str, str], list[tuple[int, str]]] = defaultdict(list)
    columns = ["query", "answer", "unit", "path", "origin", "normal"]
    for row in asked.select(columns).sort_by(key).to_pylist():
        answer = (row["query"], row["answer"], row["unit"], row["normal"])
        shown[answer].append((row["path"], said.get(row["origin"], UNCONFIRMED)))
    rows = []
    by_text: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (query, name, unit, normal), paths in shown.items():
        status = _status([status for _, status in paths])
        refused = [path for path, status in paths if status in _BAD]
        rows.append({"query": query, "answer": name, "unit": unit, "status": status, "refused_paths": refused})
        by_text[query][normal].append(status)
    return rows, by_text


def _status(statuses: Sequence[str]) -> str:
    """The best of an answer's verdicts."""
    valid, _, pending = standing(statuses)
    if valid:
        return CONFIRMED
    if pending:
        return UNCONFIRMED
    return REFUSED if REFUSED in statuses else NO_MAJORITY


def _candidate(row: Mapping[str, Any], answers: Iterable[Sequence[str]]) -> Candidate:
    """answers: the statuses of those of each text."""
    counts = standing(_status(statuses) for statuses in answers)
    return Candidate(row["query"], f"{row['split']} {row['kind']}", row["place"], *counts)


def _row(one: Placed) -> dict[str, object]:
    candidate = one.candidate
    names = {"item": candidate.item, "group": candidate.group, "state": one.state, "round": one.round}
    return names | {"valid": candidate.valid, "pending": candidate.pending}


def _metrics(placed: Sequence[Placed]) -> dict[str, float]:
    counts = Counter(one.state for one in placed)
    wanted = sum(one.candidate.place == 0 for one in placed)
    rounds = max((one.round for one in placed), default=0)
    states = {state: float(counts[state]) for state in (KEPT, OPEN, LOST, SPARE)}
    return states | {"rounds": float(rounds), "short": float(wanted - counts[KEPT] - counts[OPEN])}


def stage(params: ReplacementParams, verdicts: Sequence[str] = (VERDICTS.name,)) -> Stage:
    """verdicts: the tables of all rounds so far."""
    return Stage(
        name="qampari.replacement",
        shape=Whole(),
        kernel=partial(replacement, params=params),
        inputs=(CANDIDATES.name, ASKED_ANSWERS.name, WAITING_DRAFTS.name, *verdicts),
        outputs=(ANSWER_STATES, CHOSEN, REPLACEMENT_DRAFTS),
        about="Step 11: questions that people leave with too few answers are replaced until the target is reached.",
    )
