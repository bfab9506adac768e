"""Does a text speak of more or of less? By a small lexicon of words and phrases, nothing learned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.overlay import remembered
from stages.core.template_files import read_template
from stages.wiqa.graph import LESS, MORE

TEMPLATES = ("lexicons/polarity.yaml",)

FILE = "lexicons/polarity.yaml"
SIDES = ("more", "less", "raising", "turning", "neutral", "boundaries")
_TOKEN = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*|[,;:]")
# What raises or turns reaches this many words further: "not a lot of rain", "no clear sky".
_REACH = 4


@dataclass(frozen=True)
class PolarityLexicon:
    """kinds: the side of each phrase of lower-case words, one of SIDES; longest: most words of one; digests: of the
    files they come from."""

    kinds: Mapping[str, str]
    longest: int
    digests: Mapping[str, str] = field(default_factory=dict)

    def polarity(self, text: str) -> int:
        """How many words of more the text has beyond words of less.

        What raises or turns ("more", "no", "reduces") speaks of the words that it reaches; of those before it where
        it ends the clause; and of itself where there are none: "more loss", "growth is reduced" and "no trees" are
        less, "fewer losses" and "the drought ends" more.
        """
        tokens = _tokens(text)
        total, clause = 0, _Clause()
        for start, end, kind in self._found(tokens):
            if kind == "boundaries":
                total += clause.ended(start)
                clause = _Clause()
            else:
                clause.add(start, end, kind)
        return total + clause.ended(len(tokens))

    def direction(self, text: str) -> str | None:
        """more or less; None where the lexicon cannot tell."""
        total = self.polarity(text)
        return None if total == 0 else MORE if total > 0 else LESS

    def _found(self, tokens: list[str]) -> Iterator[tuple[int, int, str]]:
        """Where a known phrase begins and ends, the longest that begins at a word, and its side."""
        place = 0
        for start in range(len(tokens)):
            if start < place:
                continue
            for size in range(min(self.longest, len(tokens) - start), 0, -1):
                kind = self.kinds.get(" ".join(tokens[start : start + size]))
                if kind is not None:
                    place = start + size
                    yield start, place, kind
                    break


@dataclass
class _Clause:
    """A clause as far as it has been read. sign: of what raises or turns; it begins at `begin`, reaches before `until`,
    and is open while it has reached no word."""

    total: int = 0
    sign: int = 1
    begin: int = 0
    until: int = 0
    open: bool = False

    def add(self, start: int, end: int, kind: str) -> None:
        if start >= self.until:
            self._close()
        if kind in ("raising", "turning"):
            self.sign *= 1 if kind == "raising" else -1
            self.begin, self.until, self.open = end, end + _REACH, True
        elif kind in ("more", "less"):
            self.total += self.sign if kind == "more" else -self.sign
            self.open = False

    def ended(self, at: int) -> int:
        """What the clause says, which ends before a place."""
        if self.open and self.total and self.begin == at:
            return self.total * self.sign
        self._close()
        return self.total

    def _close(self) -> None:
        self.total += self.sign if self.open else 0
        self.sign, self.open = 1, False


def words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [word for word in _tokens(text) if word not in ",;:"]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold().replace("’", "'"))


@remembered()
def load_lexicon(path: Path | None = None) -> PolarityLexicon:
    """The lexicon that ships with the project, or one of the same shape.

    Raises StageError naming the file where it has another shape or a phrase on two sides.
    """
    read = read_template(FILE, path)
    content, where = read.data, read.where
    if set(content) != {"version", *SIDES}:
        raise StageError(f"{where}: expected the keys version, {', '.join(SIDES)}")
    kinds: dict[str, str] = {}
    for side in SIDES:
        for phrase in _phrases(where, side, content[side]):
            if kinds.setdefault(phrase, side) != side:
                raise StageError(f"{where}: in two lists: {phrase}")
    return PolarityLexicon(
        kinds, max((phrase.count(" ") + 1 for phrase in kinds), default=0), template_files.digests(FILE)
    )


def _phrases(where: str, name: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) and " ".join(_tokens(one)) == one for one in value):
        raise StageError(f"{where}: {name}: expected a list of phrases in lower-case words with a space between")
    return value
