"""Sentence boundaries by Punkt with its English parameters, as the papers of this field use it.

A boundary counts only where white space follows, and every line break of the text is
one, so the words of the sentences are the words of the text. Punkt's own are mended where
they cannot be one: inside a bracket, before a word in lower case, and after abbreviations
that stand before a year ("b. 1950", "ca. 300").
"""

from __future__ import annotations

import re

from stages.wikipedia.holes import HOLE

# After these, what begins with a digit or a bracket goes on.
_BEFORE_DIGITS = re.compile(
    r"(?:^|[\s(\[,;])"
    r"(?:b|d|fl|ca|c|r|lit|aft|bef|approx|est|i\.e|e\.g|viz|et al|a\.k\.a|cf|no|nos|vol|pp?|chap|sec|fig)\.$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[\"“”‘’'(\[]*[^\W\d_]")
# "iPhone", "eBay" begin sentences; no other word in lower case does.
_CAMEL = re.compile(r"[a-z]{1,2}[A-Z]")
# A bracket that is not closed within so many of Punkt's sentences is a slip of the pen.
_LONGEST_BRACKET = 8


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order, each with single spaces; none is empty."""
    return [sentence for line in text.split("\n") for sentence in mended(punkt_sentences(line))]


def whole_sentences(text: str) -> tuple[list[str], int]:
    """The sentences without those that have a hole, and how many these are."""
    sentences = split_sentences(text)
    whole = [sentence for sentence in sentences if HOLE not in sentence] if HOLE in text else sentences
    return whole, len(sentences) - len(whole)


def punkt_sentences(line: str) -> list[str]:
    """Punkt's own sentences of one line, each with single spaces."""
    from stages.wikipedia.punkt import tokenizer

    spans: list[str] = []
    end = 0
    for start, stop in tokenizer().span_tokenize(line):
        # Without white space between them, two spans are one word cut in two.
        glued = spans and start == end
        words = " ".join(line[start:stop].split())
        if glued:
            spans[-1] += words
        elif words:
            spans.append(words)
        end = stop
    return spans


def mended(spans: list[str]) -> list[str]:
    """Punkt's sentences of one line, joined where a boundary cannot be one."""
    if len(spans) < 2:
        return spans
    sentences = [[spans[0]]]
    inside = _bracket_end(spans, 0)
    for place, span in enumerate(spans[1:], start=1):
        if place <= inside or _is_one(spans[place - 1], span):
            sentences[-1].append(span)
        else:
            sentences.append([span])
        if place >= inside:
            inside = _bracket_end(spans, place)
    return [" ".join(parts) for parts in sentences]


def _bracket_end(spans: list[str], first: int) -> int:
    """The span in which a bracket that a span leaves open is closed; the span itself where there is none."""
    depth = _depth(spans[first])
    if depth > 0:
        for place in range(first + 1, min(first + _LONGEST_BRACKET, len(spans))):
            depth += _depth(spans[place])
            if depth <= 0:
                return place
    return first


def _depth(span: str) -> int:
    return span.count("(") + span.count("[") - span.count(")") - span.count("]")


def _is_one(before: str, after: str) -> bool:
    if (after[0].isdigit() or after[0] in "([") and _BEFORE_DIGITS.search(before[-12:]) is not None:
        return True
    begins = _GOES_ON.match(after)
    return begins is not None and begins.group()[-1].islower() and _CAMEL.match(after, begins.end() - 1) is None
