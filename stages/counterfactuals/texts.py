"""Question, answers and passages of a counterfactual question: made tidy, or refused with a reason."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from stages.limits import at_least
from stages.metrics.normalise import ARTICLES
from stages.processes.texts import Refused, tidy
from stages.wikipedia.tags import strip_tags

_IF = re.compile(r"\bif\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class TextLimits:
    """Most characters of a question, of an answer and of all passages of a question; most answers of one."""

    max_question: int = 1000
    max_answer: int = 200
    max_context: int = 10000
    max_answers: int = 20

    def __post_init__(self) -> None:
        at_least(self, 1, "max_question", "max_answer", "max_context", "max_answers")


def question_text(value: object, limits: TextLimits) -> str:
    """The question, which supposes something.

    Raises Refused: no_question, no_if, and question_{reason} for the reasons of `tidy`.
    """
    words = _part("question", value, limits.max_question)
    if not words:
        raise Refused("no_question", "the record has no text under question")
    if not _IF.search(words):
        raise Refused("no_if", words)
    return words


def answer_text(value: object, limits: TextLimits) -> str:
    """One answer; "" for blank text.

    Raises Refused: answer_is_nothing (no letter and no digit remains once articles are left out, as metrics do),
        and answer_{reason} for the reasons of `tidy`.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    words = _part("answer", value, limits.max_answer)
    if words and not any(word not in ARTICLES for word in _WORD.findall(words.lower())):
        raise Refused("answer_is_nothing", repr(words))
    return words


def context_texts(value: object, limits: TextLimits) -> list[str]:
    """The passages, distinct, without what extraction left of their page's markup ("<br>", "&amp;").

    Raises Refused: no_context, and context_{reason} for the reasons of `tidy`.
    """
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list):
        raise Refused("no_context", "expected a passage or a list of passages under context or passage")
    left = limits.max_context
    found: dict[str, None] = {}
    for item in listed:
        passage = _part("context", _plain(item) if isinstance(item, str) and len(item) <= left else item, left)
        left = max(left - len(passage), 0)
        if passage:
            found[passage] = None
    if not found:
        raise Refused("no_context", "no passage holds any text")
    return list(found)


def _plain(passage: str) -> str:
    return strip_tags(html.unescape(passage)) if "<" in passage or "&" in passage else passage


def _part(name: str, value: object, limit: int) -> str:
    if value is None:
        return ""
    try:
        return tidy(value, limit)
    except Refused as fault:
        raise Refused(f"{name}_{fault.reason}", str(fault)) from fault
