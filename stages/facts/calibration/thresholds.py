"""Chooses the thresholds: as strict as possible while a given share of right alignments is lost.

The check of roles and the threshold are set together: what the check loses is part of
the share, so a family with a busy check gets a laxer threshold. A family with too few
rows, or rows of too few properties to speak for it, takes the default, chosen on all rows.

Rows whose sentence has no word for the property's sort choose nothing, since no threshold
could keep them: labels of the sort ("citizen" for whoever was born in a country) say more
than the sentence does. The report counts them as lost.

A family's threshold lies half way (in log-odds) between its own and that of all rows. On
its own it would lose the same share in every family, but at the price of waving through
false alignments where the model is weak; one for all removes the most, but loses up to a
sixth of the right rows of a family. Half way removes nearly as much and evens out the loss.

With n right rows, the threshold is the k-th smallest of their scores, k = share * (n + 1)
rounded down: then a new right row is lost with at most that probability, as long as rows
are exchangeable (the conformal quantile). Taking share * n would lose more than asked for
on new rows, the more so the fewer rows there are.

Figures on the rows that chose the thresholds flatter. `held_out` therefore reports by
cross-validation: each fold's rows are judged with thresholds from the other folds, and
all rows of a group (a document) are in one fold.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from stages.core.contract import Scorer, StageError
from stages.facts.calibration.labelled import Labelled
from stages.facts.readings import names_entity
from stages.facts.relations.model import Relations
from stages.facts.relations.render import hypotheses
from stages.facts.roles.check import check
from stages.facts.roles.clauses import MentionNames
from stages.facts.roles.lexicon import RoleLexicon, load_lexicon
from stages.facts.sorts import Sorts, load_sorts
from stages.facts.thresholds import VERSION, Thresholds
from stages.io.folders import write_file

LOST = 0.075
LEAST = 50
PROPERTIES = 3
ROWS_PER_PROPERTY = 5
FOLDS = 10
PULL = 0.5


@dataclass(frozen=True)
class JudgedPair:
    """A labelled pair with what the judges say of it.

    passed: by the check of roles; sorted: whether the sentence has words for the property's sort.
    """

    row: Labelled
    family: str
    score: float
    passed: bool
    sorted: bool = True


@dataclass(frozen=True)
class AlignmentTally:
    """Counts of one slice of the rows."""

    right: int = 0
    right_lost: int = 0
    false: int = 0
    false_removed: int = 0

    @property
    def lost(self) -> float:
        return self.right_lost / self.right if self.right else math.nan

    @property
    def removed(self) -> float:
        return self.false_removed / self.false if self.false else math.nan


@dataclass(frozen=True)
class CalibrationReport:
    """thresholds: from all rows. overall, families, kinds: held-out tallies. skipped: rows without a template."""

    thresholds: Thresholds
    overall: AlignmentTally
    families: dict[str, AlignmentTally] = field(default_factory=dict)
    kinds: dict[str, AlignmentTally] = field(default_factory=dict)
    skipped: int = 0


def calibrate(
    rows: Sequence[Labelled],
    scorer: Scorer,
    relations: Relations,
    *,
    lost: float = LOST,
    least: int = LEAST,
    roles: bool = True,
    lexicon: RoleLexicon | None = None,
) -> CalibrationReport:
    """Thresholds for a model from labelled rows, and how well they do on rows held out.

    lost: share of right alignments that may go, by threshold and check together.
    least: rows of each label that a family needs for a threshold of its own; they must also be of
        PROPERTIES properties with ROWS_PER_PROPERTY right ones each.
    roles: whether the checks take part.

    Raises StageError where the rows are too few to choose any threshold.
    """
    judged = judge(rows, scorer, relations, lexicon or load_lexicon())
    if not roles:
        judged = [JudgedPair(one.row, one.family, one.score, True) for one in judged]
    tallies = held_out(judged, lost=lost, least=least, model=scorer.identity)
    return CalibrationReport(
        choose(judged, lost=lost, least=least, model=scorer.identity), *tallies, len(rows) - len(judged)
    )


def judge(rows: Sequence[Labelled], scorer: Scorer, relations: Relations, lexicon: RoleLexicon) -> list[JudgedPair]:
    """The rows that have a template, scored and checked."""
    known = [row for row in rows if row.property in relations.properties]
    stated = [list(_stated(relations, row)) for row in known]
    pairs = [(one, row.premise) for row, several in zip(known, stated, strict=True) for one in several]
    scores = iter(scorer.load()([one for one, _ in pairs], [premise for _, premise in pairs]))
    best = [max(next(scores) for _ in several) for several in stated]
    sorts = load_sorts()
    return [
        JudgedPair(row, relations.properties[row.property].family, score, _passes(lexicon, row), _sorted(sorts, row))
        for row, score in zip(known, best, strict=True)
    ]


def _stated(relations: Relations, row: Labelled) -> Iterator[str]:
    """The hypotheses that a build reads: by the given names, and by one other name that the sentence has."""
    yield from hypotheses(relations, row.property, row.subject, row.object)
    for name in row.object_names:
        if name in row.sentence and names_entity(name, row.object):
            yield from hypotheses(relations, row.property, row.subject, name)
            return


def _sorted(sorts: Sorts, row: Labelled) -> bool:
    names = [name for name in (row.object, *row.object_names) if name in row.sentence]
    return sorts.says(row.property, row.sentence, names or [row.object])


def _passes(lexicon: RoleLexicon, row: Labelled) -> bool:
    subject = MentionNames((row.subject, *row.subject_names))
    return check(lexicon, row.property, row.sentence, subject, MentionNames((row.object, *row.object_names))) is None


def choose(judged: Sequence[JudgedPair], *, lost: float, least: int, model: str) -> Thresholds:
    """The strictest thresholds that lose no more than `lost`."""
    families: dict[str, list[JudgedPair]] = defaultdict(list)
    for one in judged:
        families[one.family].append(one)
    default = strictest(judged, lost)
    own = {name: strictest(rows, lost) for name, rows in sorted(families.items()) if _enough(rows, least)}
    return Thresholds(model, default, {name: between(value, default) for name, value in own.items()})


def between(own: float, default: float) -> float:
    """The probability PULL of the way from a family's own threshold to that of all rows, in log-odds."""
    odds = (1 - PULL) * _log_odds(own) + PULL * _log_odds(default)
    return 1 / (1 + math.exp(-odds))


def _log_odds(share: float) -> float:
    bounded = min(max(share, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def _enough(judged: Sequence[JudgedPair], least: int) -> bool:
    right = Counter(one.row.property for one in judged if one.row.stated)
    spread = sum(count >= ROWS_PER_PROPERTY for count in right.values())
    return min(right.total(), len(judged) - right.total()) >= least and spread >= PROPERTIES


def strictest(judged: Sequence[JudgedPair], lost: float) -> float:
    """The highest score to ask for where threshold and check may lose the share `lost` of new right rows."""
    right = [one for one in judged if one.row.stated and one.sorted]
    if not right:
        raise StageError("calibration: no row is labelled as stated, so no threshold can be chosen")
    passing = sorted(one.score for one in right if one.passed)
    rank = math.floor(lost * (len(right) + 1) + 1e-9) - (len(right) - len(passing))
    # Where the check alone loses as much as may be lost, the threshold has nothing left to take.
    return passing[min(rank, len(passing)) - 1] if rank > 0 and passing else 0.0


def held_out(
    judged: Sequence[JudgedPair], *, lost: float, least: int, model: str, folds: int = FOLDS
) -> tuple[AlignmentTally, dict[str, AlignmentTally], dict[str, AlignmentTally]]:
    """(overall, per family, per kind): each row judged by thresholds that other groups chose."""
    parts: dict[int, list[JudgedPair]] = defaultdict(list)
    for one in judged:
        parts[_fold(one.row.group, folds)].append(one)
    verdicts: list[tuple[JudgedPair, bool]] = []
    for fold, part in sorted(parts.items()):
        others = [one for other, rows in sorted(parts.items()) if other != fold for one in rows]
        limits = choose(others or part, lost=lost, least=least, model=model)
        verdicts += apply(limits, part)
    return tallies(verdicts)


def apply(limits: Thresholds, judged: Iterable[JudgedPair]) -> list[tuple[JudgedPair, bool]]:
    """The rows with whether threshold and check keep them."""
    return [(one, one.passed and one.sorted and one.score >= limits.of(one.family)) for one in judged]


def tallies(
    verdicts: list[tuple[JudgedPair, bool]],
) -> tuple[AlignmentTally, dict[str, AlignmentTally], dict[str, AlignmentTally]]:
    """(overall, per family, per kind) of rows with whether each was kept."""
    return (
        tally(verdicts),
        _by(verdicts, lambda one: one.family),
        _by(verdicts, lambda one: one.row.kind or ("stated" if one.row.stated else "not stated")),
    )


def _fold(group: str, folds: int) -> int:
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:8], "big") % folds


def tally(verdicts: Iterable[tuple[JudgedPair, bool]]) -> AlignmentTally:
    """Counts of rows with whether each was kept."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for one, kept in verdicts:
        counts[one.row.stated, kept] += 1
    right = counts[True, True] + counts[True, False]
    false = counts[False, True] + counts[False, False]
    return AlignmentTally(right, counts[True, False], false, counts[False, False])


def _by(verdicts: list[tuple[JudgedPair, bool]], name: Callable[[JudgedPair], str]) -> dict[str, AlignmentTally]:
    groups: dict[str, list[tuple[JudgedPair, bool]]] = defaultdict(list)
    for verdict in verdicts:
        groups[name(verdict[0])].append(verdict)
    return {key: tally(rows) for key, rows in sorted(groups.items())}


def write_thresholds(report: CalibrationReport, scorer: Scorer, path: str | Path, *, lost: float = LOST) -> None:
    """The thresholds as the YAML file that `facts.nli_validation` reads; rounded down, so that no more is lost."""
    content = {
        "version": VERSION,
        "model_name": scorer.name,
        "model": report.thresholds.model,
        "lost": lost,
        "default": _down(report.thresholds.default),
        "families": {name: _down(value) for name, value in sorted(report.thresholds.families.items())},
    }
    comment = "# Least scores per relation family, written by `benchwright calibrate`; they belong to one model.\n"
    write_file(Path(path), comment + yaml.safe_dump(content, sort_keys=False))


def _down(value: float) -> float:
    return math.floor(value * 10_000) / 10_000
