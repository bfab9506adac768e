"""A sentence as tokens, with the mentions of two entities marked, and the lists of names in it.

Just enough syntax for the structural check: runs of capitalised words are names, and
names joined by commas and "and" are a list. No parser, so that a check costs microseconds
and gives the same result everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stages.core.steps import Steps

SUBJECT, OBJECT = "subject", "object"


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


POSSESSIVE = "'s"
_TOKEN = re.compile(r"'s\b|\w+|[^\w\s]")
_SAME = str.maketrans("\u2018\u2019\u201c\u201d\u2010\u2011\u2012\u2013\u2014", "''\"\"-----")
_PARTICLES = word_set("de del della di da do dos du des la le el al der den van von zu ten ter bin ibn of y")
_ABBREVIATED = frozenset({"jr", "sr", "dr", "st", "mr", "mrs", "ms", "no", "vs"})
_FUNCTION = word_set(
    "the a an in on at of for from by with and or but as after before during while when where who whose which that "
    "this these those he she it they his her its their him them one two both also later then since until although "
    "though because if there here not no however following"
)
_JOINTS = (
    ("as", "well", "as"),
    ("along", "with"),
    ("together", "with"),
    ("in", "collaboration", "with"),
    ("alongside",),
    ("and",),
    ("&",),
    ("or",),
    ("with",),
    ("/",),
    ("-",),
    (";",),
    (",",),
)
# Turns per token: of 93,288 checks of sentences from released datasets none took more than 3.3.
_STEPS = 100
_OPENERS = frozenset({"the", "a", "an", "his", "her", "their", "its", "both", "either", ":", '"', "'"})
_PRONOUNS = frozenset({"he", "she"})


@dataclass(frozen=True)
class MentionNames:
    """What an entity may be called in the sentence; topic: the page is about it, so "he" and "she" are it."""

    names: tuple[str, ...]
    topic: bool = False


@dataclass(frozen=True)
class Clause:
    """tokens: as written; words: case-folded; owner: "subject", "object" or None per token.

    steps: those that all readings of the clause may take together.
    """

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    owner: tuple[str | None, ...]
    steps: Steps = field(compare=False, repr=False)

    def is_name(self, at: int) -> bool:
        """Whether a token can begin a name."""
        if not 0 <= at < len(self.tokens):
            return False
        if self.owner[at] is not None:
            return True
        token = self.tokens[at]
        return (token[0].isupper() or token[0].isdigit()) and self.words[at] not in _FUNCTION

    def name_end(self, start: int) -> int:
        """End of the name that begins at `start`."""
        at = start + 1
        while at < len(self.tokens) and self._continues(start, at) and self.steps.on():
            at += 1
        return at

    def _continues(self, start: int, at: int) -> bool:
        if self.owner[at] is not None:
            return True
        if self.is_name(at):
            return True
        word = self.words[at]
        if word == ".":
            return len(self.tokens[at - 1]) == 1 or self.words[at - 1] in _ABBREVIATED
        if word == POSSESSIVE:
            return False
        glue = word in _PARTICLES or word in ("-", "'", '"')
        return glue and (self.is_name(at + 1) or (word == '"' and self.owner[at - 1] is not None))

    def name_start(self, end: int) -> int:
        """Start of the name whose last token is at `end` - 1."""
        start = end
        while start > 0 and (self.is_name(start - 1) or self._joins_left(start - 1, end)) and self.steps.on():
            start -= 1
        return start

    def _joins_left(self, at: int, end: int) -> bool:
        if at + 1 >= end or not self.is_name(at - 1):
            return False
        word = self.words[at]
        return word in _PARTICLES or word in ("-", "'") or (word == "." and len(self.tokens[at - 1]) == 1)

    def names_right(self, at: int, joints: Sequence[tuple[str, ...]] = _JOINTS, most: int = 40) -> list[range]:
        """The list of names that begins at `at`, after an article or a kinship word, if there is one."""
        found: list[range] = []
        while len(found) < most and self.steps.on():
            start = self._open(at)
            if start is None:
                break
            end = self.name_end(start)
            found.append(range(start, end))
            at = self.skip_brackets(end)
            length = self.joint(at, joints)
            if not length:
                break
            at += length
            at += self.joint(at, joints)
        return found

    def _open(self, at: int) -> int | None:
        for start in range(at, min(at + 4, len(self.tokens))):
            if self.is_name(start):
                return start
            if self.words[start] not in _OPENERS and self.words[start] not in _TITLES:
                return None
        return None

    def names_left(self, end: int) -> list[range]:
        """The list of names that ends at `end`, the last first."""
        found: list[range] = []
        while self.steps.on():
            end = self.skip_brackets_left(end)
            if end > 0 and self.words[end - 1] in ('"', "'"):
                end -= 1
            start = self.name_start(end)
            if start == end:
                break
            found.append(range(start, end))
            end = start
            if end > 0 and self.words[end - 1] in ("and", "&", ","):
                end -= 1
                if end > 0 and self.words[end - 1] == ",":
                    end -= 1
            else:
                break
        return found

    def joint(self, at: int, joints: Sequence[tuple[str, ...]] = _JOINTS) -> int:
        """How many tokens at `at` join two names of a list; 0 for none."""
        for words in joints:
            if self.words[at : at + len(words)] == words:
                return len(words)
        return 0

    def skip_brackets(self, at: int) -> int:
        """Past the bracket that opens at a place; the place itself where none does, or none closes it."""
        if self.words[at : at + 1] != ("(",):
            return at
        ends = (end + 1 for end in range(at, len(self.words)) if self.steps.on() and self.words[end] == ")")
        return next(ends, at)

    def skip_brackets_left(self, end: int) -> int:
        """Before the bracket that closes at an end; the end itself where none does, or none opens it."""
        if self.words[max(end - 1, 0) : end] != (")",):
            return end
        starts = (start for start in range(end - 1, -1, -1) if self.steps.on() and self.words[start] == "(")
        return next(starts, end)

    def held(self, spans: Iterable[range], possessors: bool = False) -> frozenset[str]:
        """Whose mentions lie in the spans; "other" where a span is nobody's.

        "NAME's friend" is not NAME, so possessors hold nothing unless they are asked for.
        """
        owners: set[str] = set()
        for span in spans:
            if not possessors and self.words[span.stop : span.stop + 1] == (POSSESSIVE,):
                continue
            own = {self.owner[at] for at in span} - {None}
            owners |= {str(name) for name in own} or {"other"}
        return frozenset(owners)


_TITLES = word_set(
    "brother sister son daughter wife husband father mother friend partner fellow king queen prince princess emperor "
    "empress duke duchess count lord lady sir actor actress singer musician rapper author writer novelist "
    "poet painter artist"
)


def clause(sentence: str, subject: MentionNames, object_: MentionNames) -> Clause:
    """The sentence with the mentions of both entities; where they overlap, the longer name wins."""
    tokens = tokenise(sentence)
    words = tuple(token.casefold() for token in tokens)
    owner: list[str | None] = [None] * len(tokens)
    for _, whose, name in _longest_first(subject, object_):
        for start in _places(words, name):
            if not any(owner[start : start + len(name)]):
                owner[start : start + len(name)] = [whose] * len(name)
    for whose, names in ((SUBJECT, subject), (OBJECT, object_)):
        if names.topic:
            owner = [whose if word in _PRONOUNS else own for word, own in zip(words, owner, strict=True)]
    return Clause(tokens, words, tuple(owner), Steps(tokens, _STEPS))


def tokenise(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(unicodedata.normalize("NFC", text).translate(_SAME)))


def _longest_first(subject: MentionNames, object_: MentionNames) -> list[tuple[int, str, tuple[str, ...]]]:
    forms = {SUBJECT: _forms(subject.names), OBJECT: _forms(object_.names)}
    shared = forms[SUBJECT] & forms[OBJECT]
    every = [(-len(name), whose, name) for whose, names in forms.items() for name in names - shared]
    return sorted(every)


def _forms(names: Iterable[str]) -> set[tuple[str, ...]]:
    """Token sequences of the names, with the last word of a longer name as its short form."""
    forms: set[tuple[str, ...]] = set()
    for name in names:
        words = tuple(token.casefold() for token in tokenise(re.sub(r"(?<!\s)\s*+\([^()]*+\)$", "", name)))
        if words:
            forms.add(words)
        if len(words) in (2, 3) and len(words[-1]) > 3 and words[-1].isalpha() and name.split()[-1][0].isupper():
            forms.add(words[-1:])
    return forms


def _places(words: tuple[str, ...], name: tuple[str, ...]) -> list[int]:
    size = len(name)
    return [at for at in range(len(words) - size + 1) if words[at : at + size] == name]
