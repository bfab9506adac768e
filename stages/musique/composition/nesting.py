"""How deep phrases stand in phrases, and which of them get a sentence of their own so that a question can be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from stages.core.steps import Steps
from stages.musique.composition.frames import hops_in

# Phrases within one another before the question that asks about them.
_DEEPEST = 2
# Words and clauses of a phrase behind which a phrase, or the question, still goes on.
_MOST_WITHIN_PHRASE, _MOST_WITHIN_QUESTION = 6, 14
_CLAUSE = re.compile(r"\b(?:that|who|which|where|whose|whom)\b")

# "did the one that Ada lived with control Brig"; "the one who met Ada and Brig": a list goes on, or the clause?
_STRANDED = re.compile(r" (?:about|at|by|for|from|in|into|near|of|on|to|under|with)$")
_LISTED = re.compile(r",? (?:and|or) |, ")


def hard_to_read(texts: Mapping[int, str], apart: Sequence[int]) -> list[int]:
    """Numbers of the hops that are told apart: those given, and those that would make a sentence hard to read.

    texts: of hops by number, the last one's a question, others phrases, or questions where the hop is apart.
    """
    told, steps = sorted(apart), Steps(list(texts.values()))
    while (more := _hardest(texts, told)) is not None and steps.on():
        told = sorted([*told, more])
    return told


def _hardest(texts: Mapping[int, str], apart: Sequence[int]) -> int | None:
    for number in sorted(texts):
        is_question = number == max(texts) or number in apart
        for hop in hops_in(texts[number]):
            if hop in apart:
                continue
            deepest = _DEEPEST if is_question else _DEEPEST - 1
            if _depth(hop, texts, apart) > deepest or _goes_on(number, hop, texts, apart, is_question):
                return hop
    return None


def _depth(hop: int, texts: Mapping[int, str], apart: Sequence[int]) -> int:
    return 1 + max((_depth(inner, texts, apart) for inner in hops_in(texts[hop]) if inner not in apart), default=0)


def _goes_on(number: int, hop: int, texts: Mapping[int, str], apart: Sequence[int], is_question: bool) -> bool:
    """Whether the text goes on behind a phrase that is too long for it."""
    _, _, after = texts[number].partition(f"#{hop}")
    if not after.strip(" ?.,"):
        return False
    phrase = _whole(hop, texts, apart)
    words, clauses = len(phrase.split()), len(_CLAUSE.findall(phrase))
    if clauses and (_LISTED.match(after) or _STRANDED.search(phrase)):
        return True
    if is_question:
        return words > _MOST_WITHIN_QUESTION or clauses > 1
    return words > _MOST_WITHIN_PHRASE or clauses > 0


def _whole(hop: int, texts: Mapping[int, str], apart: Sequence[int]) -> str:
    text = texts[hop]
    for inner in hops_in(text):
        if inner not in apart:
            text = text.replace(f"#{inner}", _whole(inner, texts, apart))
    return text
