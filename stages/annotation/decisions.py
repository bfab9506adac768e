"""From the accepted votes on one task to its verdict.

Workers decide by majority (`stages.annotation.majority`). Experts are asked about every refusal,
about a seeded share of what was found right, and where revised texts differ; what
they say is final, whatever the workers said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from manifests.digest import canonical_json
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.form import TEXT
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.majority import majority
from stages.annotation.reading import REFUSE, REVISE, has_sides, is_writing, revision_of, same, vote_of
from stages.annotation.tables import CONFIRMED, NEEDS_EXPERT, NEEDS_VOTE, NO_MAJORITY, REFUSED, REVISED, UNCONFIRMED
from stages.core.contract import StageError


@dataclass(frozen=True)
class Ballot:
    """The answers of one accepted worker to one task."""

    worker: str
    answers: Answers
    expert: bool = False


@dataclass(frozen=True)
class Answered:
    """What came in for one task. ballots: by worker; dropped: annotations that do not count; by: all who answered."""

    ballots: tuple[Ballot, ...] = ()
    dropped: int = 0
    by: tuple[str, ...] = ()

    @property
    def has_expert(self) -> bool:
        return any(ballot.expert for ballot in self.ballots)


@dataclass(frozen=True)
class VerdictParams:
    """experts: workers whose word is final.
    expert_right: share of the verdicts that found a record right which an expert sees as well.
    expert_refused: whether an expert sees every refusal before it stands.
    seed: of the choice of that share.
    """

    experts: tuple[str, ...] = ()
    expert_right: float = 0.05
    expert_refused: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.expert_right <= 1:
            raise StageError(f"expert_right: expected a share from 0 to 1, got {self.expert_right}")


@dataclass(frozen=True)
class Decision:
    """status, answers, votes, agreeing: see VERDICTS.
    missing: votes of workers still to be asked for; why: the reason of that, or of the need of an expert.
    label: the vote that decided, None where nothing did.
    """

    status: str
    votes: int = 0
    agreeing: int = 0
    answers: Answers = field(default_factory=dict)
    missing: int = 0
    why: str = ""
    label: str | None = None


def decide(
    ballots: Sequence[Ballot], kind: TaskKind, redundancy: int, params: VerdictParams, *, dropped: int, sampled: bool
) -> Decision:
    """The verdict on a task of a kind with a verdict.

    ballots: of accepted workers, all with a vote; dropped: annotations that were left out; sampled: whether
    an expert is to see it even if it was found right.
    """
    experts = [ballot for ballot in ballots if ballot.expert]
    if experts:
        return _by_experts(ballots, experts, kind)
    found = majority(_votes(ballots, kind), redundancy)
    if found.label is None:
        status, why = _open(found.votes, found.missing, redundancy, dropped)
        return Decision(status, found.votes, found.agreeing, missing=found.missing if why else 0, why=why)
    decision = _settled(found.label, ballots, ballots, kind)
    if decision.status == NEEDS_EXPERT or not has_sides(kind):
        return decision
    if decision.status == REFUSED:
        return _to_expert(decision, "refused") if params.expert_refused else decision
    # The texts of a writing kind are drawn per worker instead.
    return _to_expert(decision, "sampled") if sampled and not is_writing(kind) else decision


def _open(votes: int, missing: int, redundancy: int, dropped: int) -> tuple[str, str]:
    """Status and reason of a task without a majority."""
    if not votes and not dropped:
        return UNCONFIRMED, ""
    if not missing:
        return NO_MAJORITY, ""
    if votes >= redundancy:
        return NEEDS_VOTE, "tie"
    return NEEDS_VOTE, "rejected_work" if dropped else "too_few_votes"


def _by_experts(ballots: Sequence[Ballot], experts: Sequence[Ballot], kind: TaskKind) -> Decision:
    label = majority(_votes(experts, kind), 1).label
    if label is None:
        return Decision(NEEDS_EXPERT, len(ballots), why="experts_differ")
    decision = _settled(label, ballots, experts, kind)
    return _to_expert(decision, "experts_differ") if decision.status == NEEDS_EXPERT else decision


def _settled(label: str, ballots: Sequence[Ballot], deciding: Sequence[Ballot], kind: TaskKind) -> Decision:
    """What a vote with a majority comes to, with the contents that those who decided gave."""
    agreeing = sum(vote == label for vote in _votes(ballots, kind))
    side = [ballot for ballot in deciding if vote_of(ballot.answers, kind) == label]
    answers = _common(side, kind)
    status, why = REFUSED if label == REFUSE else CONFIRMED, ""
    if label == REVISE:
        revised = _common_revision(side, kind)
        status, why = (REVISED, "") if revised or is_writing(kind) else (NEEDS_EXPERT, "revisions_differ")
        answers |= revised
    return Decision(status, len(ballots), agreeing, answers, why=why, label=label)


def _to_expert(decision: Decision, why: str) -> Decision:
    return Decision(NEEDS_EXPERT, decision.votes, decision.agreeing, decision.answers, why=why, label=decision.label)


def _votes(ballots: Sequence[Ballot], kind: TaskKind) -> list[str]:
    return [vote for ballot in ballots if (vote := vote_of(ballot.answers, kind)) is not None]


def _common(side: Sequence[Ballot], kind: TaskKind) -> Answers:
    """The verdict's choice, and of other controls without free text what more than half of that side gave."""
    verdict = kind.verdict
    if verdict is None:
        return {}
    choices = Counter(ballot.answers[verdict.control][0] for ballot in side)
    answers = {verdict.control: [min(choices, key=lambda choice: (-choices[choice], choice))]}
    for name, control in kind.controls.items():
        if name != verdict.control and control.kind != TEXT:
            given = Counter(canonical_json(sorted(ballot.answers.get(name, []))) for ballot in side)
            values, count = min(given.items(), key=lambda item: (-item[1], item[0]))
            if 2 * count > len(side) and values != "[]":
                answers[name] = next(v for b in side if canonical_json(v := sorted(b.answers.get(name, []))) == values)
    return answers


def _common_revision(side: Sequence[Ballot], kind: TaskKind) -> Answers:
    """The revised texts that more than half of a side gave alike; empty where there are none such."""
    revisions = [revision for ballot in side if (revision := revision_of(ballot.answers, kind))]
    counts = Counter(same(revision) for revision in revisions)
    text, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    if 2 * count <= len(side):
        return {}
    return min((revision for revision in revisions if same(revision) == text), key=canonical_json)
