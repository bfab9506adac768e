"""Whether a text mentions an answer, however either of them is punctuated.

It does where the answer's words stand in it one after the other, with marks as gaps
("U.S." is two words) or with marks left out ("us"). Rather once too often than too
seldom: a context that must not hold an answer shall not hold it in any spelling.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from stages.hops.forms import bare, form
from stages.metrics.normalise import normalise


def forms(answers: Iterable[str]) -> tuple[str, ...]:
    """What to look for, for all spellings of an answer."""
    found = {variant for answer in answers for variant in (bare(form(answer)), f" {normalise(answer)} ")}
    return tuple(sorted(variant for variant in found if variant.strip()))


# A paragraph is shown with many questions.
@lru_cache(maxsize=8192)
def searchable(text: str) -> str:
    """A text in both forms, between which nothing is found."""
    return f"{form(text)}\n {normalise(text)} "


def mentions(text: str, answer: Iterable[str]) -> bool:
    """Whether a searchable text holds one of an answer's forms."""
    return any(variant in text for variant in answer)
