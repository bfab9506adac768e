"""Do answers to the questions of one graph agree with each other? (WIQA, section 5)

Each score is the share of situations, found in the gold questions, that the predictions
treat consistently, whether or not they are right. A prediction is directed if it is more
or less; as a sign, more is + and less is -. Only situations whose questions were all
asked (in the gold file) count. Texts are compared in their form (case and outer
punctuation aside), and only questions of one graph are compared.

opposite_change   Two questions with the same effect whose gold answers are opposite: their
                  changes work against each other. Consistent: one prediction is more and
                  the other less.
opposite_effect   The same with one change and two effects.
transitive_chain  Questions x -> y, y -> z and x -> z with directed gold answers. Counts where
                  the predictions of the first two are directed; consistent where that of
                  x -> z is the product of their signs.
disjunction       A change x and an effect z that two or more texts y join (x -> y and y -> z
                  both asked). The predictions of a route are its product of signs, or
                  nothing where one is not directed. Counts where at least one route says
                  something; consistent where the prediction of x -> z is what at least one
                  of them says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from stages.core.texts import form
from stages.evaluation.report import Figures
from stages.wiqa.graph import LESS, MORE
from stages.wiqa.release.records import ChoiceRecord

SIGNS = {MORE: 1, LESS: -1}
KINDS = ("opposite_change", "opposite_effect", "transitive_chain", "disjunction")
Predictions = Mapping[str, str | None]


def consistency(gold: Iterable[ChoiceRecord], predictions: Predictions) -> dict[str, Figures]:
    """The scores named in KINDS, each with how many situations counted and in how many the predictions agree.

    A question without a prediction is one without a directed prediction.
    """
    graphs: defaultdict[str, dict[tuple[str, str], ChoiceRecord]] = defaultdict(dict)
    for question in gold:
        if question.label in SIGNS:
            change, effect = question.parts
            graphs[question.graph][form(change), form(effect)] = question
    found: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for name in sorted(graphs):
        asked = graphs[name]
        signs = {pair: SIGNS.get(predictions.get(question.identity) or "", 0) for pair, question in asked.items()}
        found["opposite_change"] += _opposites(asked, signs, shared=1)
        found["opposite_effect"] += _opposites(asked, signs, shared=0)
        routes = dict(_routes(asked))
        found["transitive_chain"] += _chains(routes, signs)
        found["disjunction"] += _disjunctions(routes, signs)
    return {
        kind: {
            "situations": len(verdicts),
            "consistent": sum(verdicts),
            "score": sum(verdicts) / len(verdicts) if verdicts else None,
        }
        for kind, verdicts in found.items()
    }


Pair = tuple[str, str]
Signs = Mapping[Pair, int]


def _opposites(asked: Mapping[Pair, ChoiceRecord], signs: Signs, shared: int) -> Iterator[bool]:
    """Pairs of questions that share their change (0) or effect (1) and have opposite gold answers."""
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in asked:
        groups[pair[shared]].append(pair)
    for group in groups.values():
        for first, second in combinations(group, 2):
            if asked[first].label != asked[second].label:
                yield signs[first] * signs[second] == -1


def _routes(asked: Mapping[Pair, ChoiceRecord]) -> Iterator[tuple[Pair, list[str]]]:
    """(x, z) with the texts y for which x -> y, y -> z and x -> z are all asked."""
    onward: defaultdict[str, list[str]] = defaultdict(list)
    for change, effect in asked:
        onward[change].append(effect)
    for change, effect in asked:
        through = [middle for middle in onward[change] if (middle, effect) in asked and middle not in (change, effect)]
        if through:
            yield (change, effect), through


def _chains(routes: Mapping[Pair, list[str]], signs: Signs) -> Iterator[bool]:
    for (change, effect), through in routes.items():
        for middle in through:
            product = signs[change, middle] * signs[middle, effect]
            if product:
                yield signs[change, effect] == product


def _disjunctions(routes: Mapping[Pair, list[str]], signs: Signs) -> Iterator[bool]:
    for (change, effect), through in routes.items():
        said = {signs[change, middle] * signs[middle, effect] for middle in through} - {0}
        if len(through) > 1 and said:
            yield signs[change, effect] in said
