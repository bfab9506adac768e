"""The sentences in which names stand, for a tagger to judge them by: (text, start and end of the name in it)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from stages.musique.single_hops.forms import Words, bare, form, words_of
from stages.wikipedia.sentences import split_sentences

_MAX_CONTEXT = 600


def answer_context(row: Mapping[str, Any]) -> tuple[str, int, int]:
    """The sentence of the paragraph in which an answer stands."""
    words, start = words_of(row["text"]), row["answer_start"]
    length = len(Words.of(row["answer"]).words)
    first = bisect_left(words.spans, (start, 0))
    return _sentence(row["text"], *words.span(first, first + length - 1))


def subject_context(row: Mapping[str, Any]) -> tuple[str, int, int]:
    """The sentence of the paragraph that names the subject first; the subject alone where none does."""
    subject, words = row["subject"], words_of(row["text"])
    places = words.find(bare(form(subject)))
    if not places:
        return subject, 0, len(subject)
    return _sentence(row["text"], *words.span(*places[0]))


def _sentence(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The sentence around a span, and the span in it; a very long one is cut around the span."""
    begin, stop = 0, len(text)
    for boundary in _boundaries(text):
        if boundary <= start:
            begin = boundary
        elif boundary >= end:
            stop = boundary
            break
    begin, stop = max(begin, start - _MAX_CONTEXT // 2), min(stop, end + _MAX_CONTEXT // 2)
    return text[begin:stop].rstrip(), start - begin, end - begin


@lru_cache(maxsize=8192)
def _boundaries(text: str) -> list[int]:
    """Where the sentences of a text begin, but for its first."""
    found, at = [], 0
    for sentence in split_sentences(text):
        at = text.find(sentence, at)
        found.append(at)
        at += len(sentence)
    return found[1:]
