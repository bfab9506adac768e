"""Answerers of multiple-choice questions without a neural network.

majority takes the commonest label, polarity asks a lexicon of more and less, and adaboost boosts small trees over
features of the change and the effect (scikit-learn's AdaBoost).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from stages.core.seeds import rank
from stages.evaluation.outcome import BaselineError, require
from stages.wiqa.explanations import stems
from stages.wiqa.graph import LESS, MORE
from stages.wiqa.polarity import PolarityLexicon, load_lexicon, words
from stages.wiqa.release.records import LABELS, ChoiceRecord

EXTRA = "baselines"


def majority(train: Sequence[ChoiceRecord], asked: Sequence[ChoiceRecord]) -> list[str]:
    """The commonest label of train for every question; of equals the first of more, less, no_effect."""
    counts = Counter(question.label for question in train)
    commonest = max(LABELS, key=lambda label: (counts[label], -LABELS.index(label)))
    return [commonest] * len(asked)


def polarity(asked: Sequence[ChoiceRecord], seed: int) -> list[str]:
    """more where change and effect speak of the same direction, less where of opposite ones, else one at random."""
    lexicon = load_lexicon()
    return [_polar(question, seed, lexicon) for question in asked]


def _polar(question: ChoiceRecord, seed: int, lexicon: PolarityLexicon) -> str:
    change, effect = map(lexicon.direction, question.parts)
    if change is None or effect is None:
        return LABELS[rank(seed, question.identity, "polarity")[0] % len(LABELS)]
    return MORE if change == effect else LESS


def adaboost(
    train: Sequence[ChoiceRecord], asked: Sequence[ChoiceRecord], seed: int, estimators: int = 200, depth: int = 3
) -> list[str]:
    """Predicted labels. Raises BaselineError without scikit-learn, or where train has only one label."""
    ensemble, tree = require("sklearn.ensemble", EXTRA), require("sklearn.tree", EXTRA)
    extraction = require("sklearn.feature_extraction", EXTRA)
    if len({question.label for question in train}) < 2:
        raise BaselineError("train: expected questions of at least two labels")
    lexicon = load_lexicon()
    vectorizer = extraction.DictVectorizer()
    known = vectorizer.fit_transform([features(question, lexicon) for question in train])
    model = ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=depth, random_state=seed), n_estimators=estimators, random_state=seed
    )
    model.fit(known, [question.label for question in train])
    found = model.predict(vectorizer.transform([features(question, lexicon) for question in asked]))
    return [str(label) for label in found]


def features(question: ChoiceRecord, lexicon: PolarityLexicon) -> dict[str, float]:
    """Words of both texts, which way each speaks and whether they agree, and how much they share with the paragraph."""
    texts = dict(zip(("change", "effect"), question.parts, strict=True))
    change, effect = map(lexicon.polarity, texts.values())
    agreement = _sign(change) * _sign(effect)
    found: dict[str, float] = {"change polarity": change, "effect polarity": effect, "agreement": agreement}
    paragraph, own = stems(question.paragraph), {name: stems(text) for name, text in texts.items()}
    for name, text in texts.items():
        found[f"{name} in paragraph"] = len(own[name] & paragraph) / len(own[name]) if own[name] else 0.0
        found |= {f"{name}: {word}": 1.0 for word in words(text)}
    found["shared words"] = len(own["change"] & own["effect"])
    return {name: float(value) for name, value in found.items()}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
