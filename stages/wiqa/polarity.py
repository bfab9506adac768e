"""Does a text speak of more or of less? By a small lexicon of words, nothing learned."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import templates
from manifests.digest import sha256
from stages.core.contract import StageError
from stages.core.strict_yaml import parse
from stages.wiqa.graph import LESS, MORE

TEMPLATES = ("lexicons/polarity.yaml",)

FILE = "lexicons/polarity.yaml"
_WORD = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*")
# A negation reaches this many words further: "not a lot of rain", "no clear sky".
_REACH = 4


@dataclass(frozen=True)
class PolarityLexicon:
    """more, less, negations: lower-case words; digest: of the file they come from."""

    more: frozenset[str]
    less: frozenset[str]
    negations: frozenset[str]
    digest: str = ""

    @property
    def templates(self) -> Mapping[str, str]:
        return {FILE: self.digest}

    def polarity(self, text: str) -> int:
        """How many words of more the text has beyond words of less; negated words count for the other side.

        A negation that reaches no such word counts as less itself: "no trees".
        """
        total, negated_until, pending = 0, -1, False
        for place, word in enumerate(words(text)):
            if word in self.negations:
                total -= pending
                negated_until, pending = place + _REACH, True
                continue
            sign = (word in self.more) - (word in self.less)
            if sign:
                inside = place <= negated_until
                total += -sign if inside else sign
                pending = pending and not inside
        return total - pending

    def direction(self, text: str) -> str | None:
        """more or less; None where the lexicon cannot tell."""
        total = self.polarity(text)
        return None if total == 0 else MORE if total > 0 else LESS


def words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return _WORD.findall(text.casefold().replace("’", "'"))


@cache
def load_lexicon(path: Path | None = None) -> PolarityLexicon:
    """The lexicon that ships with the project, or one of the same shape.

    Raises StageError naming the file where it has another shape or a word on both sides.
    """
    file = path or Path(templates.__file__).resolve().parent / FILE
    data = file.read_bytes()
    try:
        content = parse(data.decode("utf-8"))
    except ValueError as error:
        raise StageError(f"{file}: {error}") from error
    if not isinstance(content, dict) or set(content) != {"version", "more", "less", "negations"}:
        raise StageError(f"{file}: expected the keys version, more, less and negations")
    sides = {name: _words(file, name, content[name]) for name in ("more", "less", "negations")}
    if both := sides["more"] & sides["less"] | sides["negations"] & (sides["more"] | sides["less"]):
        raise StageError(f"{file}: in two lists: {', '.join(sorted(both))}")
    return PolarityLexicon(**sides, digest=sha256(data))


def _words(file: Path, name: str, value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) and words(word) == [word] for word in value):
        raise StageError(f"{file}: {name}: expected a list of single lower-case words")
    return frozenset(value)
