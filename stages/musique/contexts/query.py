"""What BM25 is asked for a composed question: the words of its single hops without the answers in between
(section 5.1).

Words such as "which" and "did" are left out, as they find whatever text happens to have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from stages.core.english import FUNCTION_WORDS

_PLACEHOLDER = re.compile(r"#\d+")
_WORD = re.compile(r"[^\W_]+")


def query(steps: Iterable[str]) -> str:
    """The words of all steps, in their order."""
    return " ".join(word for step in steps for word in _WORD.findall(_PLACEHOLDER.sub(" ", step)) if _names(word))


def _names(word: str) -> bool:
    # "US" is no "us", "It" in a film's title no loss.
    return word.casefold() not in FUNCTION_WORDS or (len(word) > 1 and word.isupper())
