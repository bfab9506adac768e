"""Cue words for passages about causes and events: data with a weight and a reason word per cue.

    version: 2
    past: 0.9            # weight of the share of finite verbs in the past tense
    reasons:
      plan:              # a reason word
        planned to: 0.3  # a cue, and the log-odds that it adds
    terms:
      once: 0.2          # a term, and the log-odds that it adds or, below 0, takes
      such as: -0.4

Cues are the reasons for which a passage is taken; terms only say which of two passages with
cues is the likelier one. Both are one to four words in lower case and count once per text,
only as whole words, and not across a punctuation mark. Where one stands in another
("originally", "was originally"), both count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import fsum
from pathlib import Path
from typing import TypeGuard

from ahocorasick_rs import AhoCorasick

from stages.core import template_files
from stages.core.overlay import remembered
from stages.core.template_files import read_template

TEMPLATES = ("screening/causal.yaml",)

FILE = "screening/causal.yaml"
VERSION = 2
MOST_WORDS = 4
# Scores are rounded, so that they read as sums of weights of two decimals and a share.
DIGITS = 6
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[.,;:!?()–—]")
_REASON = re.compile(r"[a-z][a-z_]{0,19}")


@dataclass(frozen=True)
class Cue:
    """words: lower case, single spaces; weight: above 0; reason: why such a passage may be worth asking about."""

    words: str
    weight: float
    reason: str


@dataclass(frozen=True)
class Found:
    """cues: of a text, each once, sorted by their words; weight: the sum of theirs and of the terms'."""

    cues: tuple[Cue, ...]
    weight: float


@dataclass(frozen=True)
class CueLexicon:
    """cues: sorted by their words; past: weight of the past share; terms: with their weights, sorted, none of them
    a cue; digests: of the files they come from.
    """

    cues: tuple[Cue, ...]
    past: float
    terms: tuple[tuple[str, float], ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict, hash=False)

    def found(self, text: str) -> Found:
        matches = _matcher(self).find_matches_as_indexes(plain(text), overlapping=True)
        places, most = sorted({match[0] for match in matches}), len(self.cues)
        cues = tuple(self.cues[place] for place in places if place < most)
        terms = (self.terms[place - most][1] for place in places if place >= most)
        return Found(cues, fsum([*(cue.weight for cue in cues), *terms]))

    def score(self, found: Found, past: float) -> float:
        """What was found, and the share of past tense with its weight."""
        return round(found.weight + self.past * past, DIGITS)


@lru_cache(maxsize=4)
def _matcher(lexicon: CueLexicon) -> AhoCorasick:
    words = [*(cue.words for cue in lexicon.cues), *(words for words, _ in lexicon.terms)]
    return AhoCorasick([f" {each} " for each in words])


def plain(text: str) -> str:
    """The words and punctuation marks of a text in lower case, a space before and after each."""
    return f" {' '.join(_TOKEN.findall(text.replace('’', chr(39)).lower()))} "


@remembered()
def load_lexicon(path: Path | None = None) -> CueLexicon:
    """The lexicon that ships with the project, or one of the same shape.

    Raises StageError naming file and key where it has another shape, or a cue twice.
    """
    read = read_template(FILE, path)
    try:
        return replace(read_lexicon(read.data), digests=template_files.digests(FILE))
    except ValueError as error:
        raise read.fault(str(error)) from error


def read_lexicon(content: object) -> CueLexicon:
    """The lexicon of a parsed file; raises ValueError naming the key."""
    if not isinstance(content, dict) or set(content) != {"version", "past", "reasons", "terms"}:
        raise ValueError("expected the keys version, past, reasons and terms")
    if content["version"] != VERSION:
        raise ValueError(f"version: expected {VERSION}, got {content['version']!r}")
    past = content["past"]
    if not _is_weight(past) or past < 0:
        raise ValueError(f"past: expected a number of 0 or more, got {past!r}")
    cues = _cues(content["reasons"])
    terms = _terms(content["terms"], {cue.words for cue in cues})
    return CueLexicon(cues, float(past), terms)


def _cues(reasons: object) -> tuple[Cue, ...]:
    if not isinstance(reasons, dict) or not all(isinstance(cues, dict) for cues in reasons.values()):
        raise ValueError("reasons: expected {reason: {cue: weight}}")
    cues = [_cue(reason, words, weight) for reason, weights in reasons.items() for words, weight in weights.items()]
    if not cues:
        raise ValueError("reasons: expected at least one cue")
    seen: set[str] = set()
    for cue in cues:
        if cue.words in seen:
            raise ValueError(f"reasons: {cue.reason}: {cue.words!r} stands under another reason too")
        seen.add(cue.words)
    return tuple(sorted(cues, key=lambda cue: cue.words))


def _cue(reason: object, words: object, weight: object) -> Cue:
    if not isinstance(reason, str) or not _REASON.fullmatch(reason):
        raise ValueError(f"reasons: {reason!r}: expected a word of lower-case letters")
    named = _words(f"reasons: {reason}", words)
    if not _is_weight(weight) or weight <= 0:
        raise ValueError(f"reasons: {reason}: {named}: expected a weight above 0, got {weight!r}")
    return Cue(named, float(weight), reason)


def _terms(terms: object, cues: Set[str]) -> tuple[tuple[str, float], ...]:
    if not isinstance(terms, dict):
        raise ValueError("terms: expected {words: weight}")
    for words, weight in terms.items():
        if _words("terms", words) in cues:
            raise ValueError(f"terms: {words!r} is a cue too")
        if not _is_weight(weight) or not weight:
            raise ValueError(f"terms: {words}: expected a weight above or below 0, got {weight!r}")
    return tuple(sorted((words, float(weight)) for words, weight in terms.items()))


def _words(key: str, words: object) -> str:
    if not isinstance(words, str) or plain(words) != f" {words} " or not 0 < words.count(" ") + 1 <= MOST_WORDS:
        raise ValueError(f"{key}: {words!r}: expected one to {MOST_WORDS} lower-case words")
    return words


def _is_weight(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1000 < value < 1000
