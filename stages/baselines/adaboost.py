"""Boosted small trees over features of the change and the effect (scikit-learn's AdaBoost)."""

from __future__ import annotations

from collections.abc import Sequence

from stages.baselines.examples import Example
from stages.baselines.optional import BaselineError, require
from stages.influence.explain import stems
from stages.influence.lexicon import Lexicon, load_lexicon, words

EXTRA = "baselines"


def adaboost(
    train: Sequence[Example], asked: Sequence[Example], seed: int, estimators: int = 200, depth: int = 3
) -> list[str]:
    """Predicted labels. Raises BaselineError without scikit-learn, or where train has only one label."""
    ensemble, tree = require("sklearn.ensemble", EXTRA), require("sklearn.tree", EXTRA)
    extraction = require("sklearn.feature_extraction", EXTRA)
    if len({example.label for example in train}) < 2:
        raise BaselineError("train: expected questions of at least two labels")
    lexicon = load_lexicon()
    vectorizer = extraction.DictVectorizer()
    known = vectorizer.fit_transform([features(example, lexicon) for example in train])
    model = ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=depth, random_state=seed), n_estimators=estimators, random_state=seed
    )
    model.fit(known, [example.label for example in train])
    found = model.predict(vectorizer.transform([features(example, lexicon) for example in asked]))
    return [str(label) for label in found]


def features(example: Example, lexicon: Lexicon) -> dict[str, float]:
    """Words of both texts, which way each speaks and whether they agree, and how much they share with the paragraph."""
    change, effect = lexicon.polarity(example.change), lexicon.polarity(example.effect)
    agreement = _sign(change) * _sign(effect)
    found: dict[str, float] = {"change polarity": change, "effect polarity": effect, "agreement": agreement}
    paragraph = stems(example.paragraph)
    for name, text in (("change", example.change), ("effect", example.effect)):
        own = stems(text)
        found[f"{name} in paragraph"] = len(own & paragraph) / len(own) if own else 0.0
        found |= {f"{name}: {word}": 1.0 for word in words(text)}
    found["shared words"] = len(stems(example.change) & stems(example.effect))
    return {name: float(value) for name, value in found.items()}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
