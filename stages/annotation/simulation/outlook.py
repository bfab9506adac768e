"""How many votes and workers does a batch need, so that enough of its labels are right?

Two answers that must agree. In closed form: votes of independent workers are drawn from one
distribution over the labels, so a label's votes are binomial. Simulated: the same workers
as in the tests vote on tasks (`stages.annotation.simulation.crowd`), and the majority rule of the build
(`stages.annotation.majority`) decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from stages.annotation.majority import full, needed


@dataclass(frozen=True)
class Outlook:
    """What some votes per task come to. right: share of tasks whose decided label is the true one;
    wrong: whose decided label is another; the rest stays without a majority.
    votes: per task, with the extra vote after a tie.
    """

    right: float
    wrong: float
    votes: float


def outlook(truth: Mapping[str, float], confusion: Mapping[str, Mapping[str, float]], redundancy: int) -> Outlook:
    """Closed form: the share of tasks per true label, and the chance of each vote given the true label."""
    right = wrong = votes = 0.0
    for label, share in truth.items():
        chances = confusion[label]
        decided = {given: decides(chance, redundancy) for given, chance in chances.items()}
        right += share * decided.get(label, 0.0)
        wrong += share * sum(chance for given, chance in decided.items() if given != label)
        votes += share * (redundancy + extra(tuple(chances.values()), redundancy))
    return Outlook(right, wrong, votes)


def decides(chance: float, redundancy: int) -> float:
    """The chance that a label with some chance per vote gets the majority.

    An even number of votes is one more after a tie, and before the last vote of an odd
    number nothing is lost by stopping early; so all comes to the binomial of the odd number.
    """
    whole = full(redundancy)
    return sum(
        comb(whole, votes) * chance**votes * (1 - chance) ** (whole - votes)
        for votes in range(needed(redundancy), whole + 1)
    )


def extra(chances: tuple[float, ...], redundancy: int) -> float:
    """The chance that an even number of votes ends with some label one short of the majority: one more is asked."""
    if redundancy % 2:
        return 0.0
    half = redundancy // 2
    one = sum(comb(redundancy, half) * chance**half * (1 - chance) ** half for chance in chances)
    # Two labels may hold half each: counted twice above.
    both = sum(
        comb(redundancy, half) * (first * second) ** half
        for at, first in enumerate(chances)
        for second in chances[at + 1 :]
    )
    return one - both


def expected_alpha(truth: Mapping[str, float], confusion: Mapping[str, Mapping[str, float]]) -> float | None:
    """Krippendorff's alpha that two or more such workers come to over many tasks; None where all votes are equal."""
    labels = sorted({given for chances in confusion.values() for given in chances})
    observed = sum(share * (1 - sum(p * p for p in confusion[label].values())) for label, share in truth.items())
    overall = [sum(share * confusion[label].get(given, 0.0) for label, share in truth.items()) for given in labels]
    expected = 1 - sum(p * p for p in overall)
    return None if expected <= 1e-12 else 1 - observed / expected
