"""Exact match and F1 of a short answer as SQuAD's own program has them.

Releases carry this module with them, so it takes nothing from the rest of the project.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad_form(text: str) -> str:
    """Lower case, without ASCII punctuation and English articles, single spaces; "" where nothing else is left."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def exact_match(prediction: str, answers: Iterable[str]) -> float:
    """1 where the prediction's form is that of one of the answers, else 0."""
    form = squad_form(prediction)
    return float(any(form == squad_form(answer) for answer in answers))


def best_f1(prediction: str, answers: Iterable[str]) -> float:
    """The best F1 over the answers."""
    form = squad_form(prediction)
    return max((word_f1(form.split(), squad_form(answer).split()) for answer in answers), default=0.0)


def word_f1(predicted: Sequence[str], wanted: Sequence[str]) -> float:
    """Harmonic mean of the shares of words that the two have in common, repeated ones counted; of two empty ones 1."""
    if not predicted or not wanted:
        return float(not predicted and not wanted)
    common = (Counter(predicted) & Counter(wanted)).total()
    return 2 * common / (len(predicted) + len(wanted))


def support_f1(named: Iterable[object], wanted: Iterable[object]) -> float:
    """F1 of the distinct paragraphs that a prediction rests on; 1 where none is named and none wanted."""
    found, sought = set(named), set(wanted)
    if not found and not sought:
        return 1.0
    return 2 * len(found & sought) / (len(found) + len(sought))
