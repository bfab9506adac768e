"""Question, answers and passages of a counterfactual question: made tidy, or refused with a reason."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from stages.core.limits import at_least
from stages.core.short_answers import ARTICLES
from stages.core.texts import Refused, tidy
from stages.wikipedia.brackets import UnparsableMarkupError
from stages.wikipedia.holes import HOLE, settle_all
from stages.wikipedia.prose import clean_characters
from stages.wikipedia.tags import strip_tags
from stages.wikipedia.wikitext import clean_wikitext

LEFTOVERS = ("character_references", "tags", "wikitext")
"""What extraction leaves of a page's markup in its passages."""

# Pairs alone: a bracket or an apostrophe without a partner is a sign of the text.
_WIKITEXT = re.compile(
    r"\[\[[^\[\]\n]+\]\]|\{\{[^{}]+\}\}|"
    r"(?<!')('{2,5})(?=[^\s'])[^'\n]+\1(?!')|\[(?:https?:)?//[^\s\[\]]++ [^\[\]\n]++\]"
)
_REFERENCE = re.compile(r"&(?:#\w+|\w+);")
_TAG = re.compile(r"</?[a-z][^<>]*>|<!--", re.IGNORECASE)
# No page's wikitext can hold these as markup: a text that has them escaped tells of them.
_NEVER_WIKITEXT = re.compile(
    r"</?(?:a|audio|button|form|iframe|img|input|label|object|script|select|style|textarea|title|video)(?=[\s/>])",
    re.IGNORECASE,
)
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
    """The question, which supposes something, without wikitext.

    Raises Refused: no_question, no_if, and question_{reason} for the reasons of `tidy`.
    """
    words = _unlinked("question", value, limits.max_question)
    if not words:
        raise Refused("no_question", "the record has no text under question")
    if not _IF.search(words):
        raise Refused("no_if", words)
    return words


def answer_text(value: object, limits: TextLimits) -> str:
    """One answer without wikitext; "" for blank text.

    Raises Refused: answer_is_nothing (no letter and no digit remains once articles are left out, as metrics do),
        and answer_{reason} for the reasons of `tidy`.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    words = _unlinked("answer", value, limits.max_answer)
    if words and not any(word not in ARTICLES for word in _WORD.findall(words.lower())):
        raise Refused("answer_is_nothing", repr(words))
    return words


def context_texts(value: object, limits: TextLimits) -> list[str]:
    """The passages, distinct, without what extraction left of their page's markup ("<br>", "&amp;", "[[a|b]]").

    A passage that tells of tags ("the &lt;script&gt; element") is refused: without them it would say something else.

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


def leftovers(value: object) -> list[str]:
    """Which of LEFTOVERS the passages of a record have, as they are handed in."""
    found: set[str] = set()
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            decoded = html.unescape(item)
            references = decoded != item and _REFERENCE.search(item)
            signs = (references, _TAG.search(decoded), _WIKITEXT.search(decoded))
            found.update(name for name, sign in zip(LEFTOVERS, signs, strict=True) if sign)
    return sorted(found)


def _plain(passage: str) -> str:
    if "<" in passage or "&" in passage:
        passage = html.unescape(strip_tags(clean_characters(passage), piece=True))
        if about := _NEVER_WIKITEXT.search(passage):
            raise Refused("context_markup", f"tells of tags: {passage[about.start() :][:80]}")
        passage = settle_all(strip_tags(passage, piece=True))
    return _whole("context", _prose("context", passage))


def _whole(name: str, words: str) -> str:
    if HOLE in words:
        raise Refused(
            f"{name}_hole", f"a formula or template is missing: {words[max(words.index(HOLE) - 60, 0) :][:120]}"
        )
    return words


def _unlinked(name: str, value: object, limit: int) -> str:
    words = _part(name, value, limit)
    plain = _whole(name, _prose(name, words))
    if words and not plain:
        raise Refused(f"{name}_markup", words)
    return _part(name, plain, limit) if plain != words else words


def _prose(name: str, words: str) -> str:
    """The words of wikitext; a text without any stays as it is."""
    if not _WIKITEXT.search(words):
        return words
    try:
        return clean_wikitext(words)
    except UnparsableMarkupError as fault:
        raise Refused(f"{name}_markup", str(fault)) from fault


def _part(name: str, value: object, limit: int) -> str:
    if value is None:
        return ""
    try:
        return tidy(value, limit)
    except Refused as fault:
        raise Refused(f"{name}_{fault.reason}", str(fault)) from fault
