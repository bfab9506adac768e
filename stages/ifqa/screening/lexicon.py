"""Cue words for passages about causes and events: data with a weight and a reason word per cue.

    version: 1
    past: 0.9            # weight of the share of finite verbs in the past tense
    reasons:
      plan:              # a reason word
        planned to: 0.3  # a cue, and the log-odds that it adds

A cue is one to four words in lower case. It counts once per text, only as whole words, and
not across a punctuation mark. Where one cue stands in another ("originally", "was
originally"), both count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import fsum
from pathlib import Path

from ahocorasick_rs import AhoCorasick

import templates
from manifests.digest import sha256
from stages.core.contract import StageError
from stages.core.strict_yaml import parse

TEMPLATES = ("screening/causal.yaml",)

FILE = "screening/causal.yaml"
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
class CueLexicon:
    """cues: sorted by their words; past: weight of the past share; digest: of the file they come from."""

    cues: tuple[Cue, ...]
    past: float
    digest: str = ""

    @property
    def templates(self) -> Mapping[str, str]:
        return {FILE: self.digest}

    def found(self, text: str) -> tuple[Cue, ...]:
        """The cues of a text, each once, sorted by their words."""
        matches = _matcher(self).find_matches_as_indexes(plain(text), overlapping=True)
        return tuple(self.cues[index] for index in sorted({match[0] for match in matches}))

    def score(self, cues: tuple[Cue, ...], past: float) -> float:
        """The sum of the cues' weights, and the share of past tense with its own."""
        return round(fsum([*(cue.weight for cue in cues), self.past * past]), DIGITS)


@lru_cache(maxsize=4)
def _matcher(lexicon: CueLexicon) -> AhoCorasick:
    return AhoCorasick([f" {cue.words} " for cue in lexicon.cues])


def plain(text: str) -> str:
    """The words and punctuation marks of a text in lower case, a space before and after each."""
    return f" {' '.join(_TOKEN.findall(text.replace('’', chr(39)).lower()))} "


@cache
def load_lexicon(path: Path | None = None) -> CueLexicon:
    """The lexicon that ships with the project, or one of the same shape.

    Raises StageError naming file and key where it has another shape, or a cue twice.
    """
    file = path or Path(templates.__file__).resolve().parent / FILE
    data = file.read_bytes()
    try:
        content = parse(data.decode("utf-8"))
        return read_lexicon(content, sha256(data))
    except ValueError as error:
        raise StageError(f"{file}: {error}") from error


def read_lexicon(content: object, digest: str = "") -> CueLexicon:
    """The lexicon of a parsed file; raises ValueError naming the key."""
    if not isinstance(content, dict) or set(content) != {"version", "past", "reasons"}:
        raise ValueError("expected the keys version, past and reasons")
    reasons = content["reasons"]
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
    past = content["past"]
    if not _is_weight(past):
        raise ValueError(f"past: expected a number of 0 or more, got {past!r}")
    return CueLexicon(tuple(sorted(cues, key=lambda cue: cue.words)), float(past), digest)


def _cue(reason: object, words: object, weight: object) -> Cue:
    if not isinstance(reason, str) or not _REASON.fullmatch(reason):
        raise ValueError(f"reasons: {reason!r}: expected a word of lower-case letters")
    if not isinstance(words, str) or plain(words) != f" {words} " or not 0 < words.count(" ") + 1 <= MOST_WORDS:
        raise ValueError(f"reasons: {reason}: {words!r}: expected one to {MOST_WORDS} lower-case words")
    if not _is_weight(weight) or not weight:
        raise ValueError(f"reasons: {reason}: {words}: expected a weight above 0, got {weight!r}")
    return Cue(words, float(str(weight)), reason)


def _is_weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1000
