"""Stage `people.replaced`: enough items with enough valid answers, from more candidates than are needed.

The QAMPARI paper (annotation of dev and test) replaces a question that is left with fewer than
five valid answers, until the target count is reached. Candidates of a group wait in one
order, by their places and among equal places by chance. Those at its head, as many as the
target, are sent to people; for each that is lost the next in line moves up. What is sent is
thus always a head of that order, which only grows as verdicts come in: no verdict is ever
asked for in vain, and repeating a build with more annotations never takes an item out that
people have found good.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.contract import Output, Stage, StageError, TableSpec, Whole
from stages.people.chance import chance
from stages.people.tables import CONFIRMED, NO_MAJORITY, REFUSED, REVISED
from stages.queries.tables import number, text
from stages.rejects import Rejects

KEPT, OPEN, LOST, SPARE = "kept", "open", "lost", "spare"

STANDINGS = TableSpec(
    name="standings",
    schema=pa.schema(
        [text("item"), text("group"), number("place"), number("valid"), number("refused"), number("pending")]
    ),
    key=("item",),
)
"""One row per candidate.

item: such as a question; group: what the target is counted in, such as its split and kind.
place: 0 for items that are wanted from the start; the others wait in line, the lower the sooner.
valid, refused, pending: its answers (or whatever people judge of it) by what they say; see `standing`.
"""

CHOSEN = TableSpec(
    name="chosen",
    schema=pa.schema([text("item"), text("group"), text("state"), number("round"), number("valid"), number("pending")]),
    key=("item",),
)
"""The items that stay: state kept (enough valid answers, nothing pending) or open (people are not through).
round: 1 for those sent at first, 2 for those that replace items of round 1, and so on.
"""


@dataclass(frozen=True)
class Candidate:
    """See STANDINGS."""

    item: str
    group: str
    place: int = 0
    valid: int = 0
    refused: int = 0
    pending: int = 0


@dataclass(frozen=True)
class ReplacementParams:
    """min_valid: answers that an item must have left.
    targets: pairs (group, count) of items wanted; of a group that is not named, as many as have place 0.
    seed: of the order in which candidates of equal places wait.
    """

    min_valid: int = 5
    targets: tuple[tuple[str, int], ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.min_valid < 1:
            raise StageError(f"min_valid: expected at least 1, got {self.min_valid}")
        wrong = [f"{group}: {count}" for group, count in self.targets if count < 0]
        if wrong or len(dict(self.targets)) != len(self.targets):
            raise StageError(f"targets: expected each group once, with 0 or more, got {wrong or self.targets}")


@dataclass(frozen=True)
class Placed:
    """A candidate's fate. state: kept, open, lost or spare; round: in which it is sent, 0 for spare ones."""

    candidate: Candidate
    state: str
    round: int


def state_of(candidate: Candidate, min_valid: int) -> str:
    """kept, open or lost, whatever its place in line."""
    if candidate.valid + candidate.pending < min_valid:
        return LOST
    return OPEN if candidate.pending else KEPT


def place(candidates: Iterable[Candidate], params: ReplacementParams) -> list[Placed]:
    """The fate of every candidate, group by group in the order in which they wait."""
    groups: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.group].append(candidate)
    wanted = _wanted((one for group in groups.values() for one in group), params)
    return [placed for group in sorted(groups) for placed in _place_group(groups[group], wanted[group], params)]


def standing(statuses: Iterable[str]) -> tuple[int, int, int]:
    """(valid, refused, pending) of an item from the statuses of its verdicts.

    Confirmed and revised ones are valid; refused ones and those without a majority are not.
    """
    counts = Counter(statuses)
    valid, refused = counts[CONFIRMED] + counts[REVISED], counts[REFUSED] + counts[NO_MAJORITY]
    return valid, refused, counts.total() - valid - refused


def replaced(standings: pa.Table, *, params: ReplacementParams) -> Output:
    """CHOSEN from all STANDINGS.

    Rejects, keyed by item: replaced (fewer than min_valid valid answers can be left), spare (not needed so far).
    Metrics: kept, open, lost, spare, rounds; short: places of targets that no candidate is left for.
    """
    placed = place((Candidate(**row) for row in standings.to_pylist()), params)
    rejects = Rejects()
    for one in placed:
        if one.state == LOST:
            left, refused = one.candidate.valid, one.candidate.refused
            rejects.add(one.candidate.item, "replaced", f"{left} valid, {refused} refused, round {one.round}")
        elif one.state == SPARE:
            rejects.add(one.candidate.item, "spare", one.candidate.group)
    rows = [_row(one) for one in placed if one.state in (KEPT, OPEN)]
    wanted = _wanted((one.candidate for one in placed), params)
    return Output({CHOSEN.name: CHOSEN.table(rows)}, rejects.table(), _metrics(placed, wanted))


def _wanted(candidates: Iterable[Candidate], params: ReplacementParams) -> dict[str, int]:
    """The target of every group, those of `targets` without any candidate among them."""
    first: Counter[str] = Counter()
    for one in candidates:
        first[one.group] += one.place == 0
    return dict(first) | dict(params.targets)


def _place_group(candidates: Sequence[Candidate], target: int, params: ReplacementParams) -> list[Placed]:
    order = sorted(candidates, key=lambda one: (one.place, chance(params.seed, one.item, "replacement"), one.item))
    placed: list[Placed] = []
    wanted, round_number = target, 0
    while wanted and len(placed) < len(order):
        round_number += 1
        batch = order[len(placed) : len(placed) + wanted]
        sent = [Placed(one, state_of(one, params.min_valid), round_number) for one in batch]
        placed += sent
        wanted = sum(one.state == LOST for one in sent)
    return placed + [Placed(one, SPARE, 0) for one in order[len(placed) :]]


def _row(one: Placed) -> dict[str, object]:
    candidate = one.candidate
    names = {"item": candidate.item, "group": candidate.group, "state": one.state, "round": one.round}
    return names | {"valid": candidate.valid, "pending": candidate.pending}


def _metrics(placed: Sequence[Placed], wanted: Mapping[str, int]) -> dict[str, float]:
    counts = Counter(one.state for one in placed)
    filled = Counter(one.candidate.group for one in placed if one.state in (KEPT, OPEN))
    short = sum(max(0, count - filled[group]) for group, count in wanted.items())
    rounds = max((one.round for one in placed), default=0)
    states: Mapping[str, float] = {state: float(counts[state]) for state in (KEPT, OPEN, LOST, SPARE)}
    return {**states, "rounds": float(rounds), "short": float(short)}


def stage(params: ReplacementParams | None = None, standings: str = STANDINGS.name) -> Stage:
    """standings: the name of the dataset's table of that schema."""
    params = params or ReplacementParams()
    return Stage(
        name="people.replaced",
        shape=Whole(),
        kernel=partial(replaced, params=params),
        inputs=(standings,),
        outputs=(CHOSEN,),
        about="People: what is left with too few valid answers is replaced until the target is reached.",
    )
