"""Whether a name in a sentence is only a part of a longer name, such as "America" in "North America".

Two ways tell it: the words beside the name (templates/mentions.yaml, signs that join
names), and longer names that are known to stand there. A longer name that contains the
shorter one as a part that means it is left alone: "West Asia" is in Asia, "Dallas, Texas"
in Texas, and a "film director" is a director.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.template_files import read_template
from stages.facts import adjectives

TEMPLATES = ("mentions.yaml",)

Span = tuple[int, int]

FILE = "mentions.yaml"

_KEYS = ("words", "initials", "before", "parts", "after", "of", "names")
_BEFORE = re.compile(r"([^\s,;:.!?()\"“”]+)(\s&\s|[ -])$")
_AFTER = re.compile(r"(\s&\s|[ -])([^\s,;:.!?()\"“”]+)")
_OF = re.compile(r"(\w+) of (?:the )?$")
_LONGEST = 40


@dataclass(frozen=True)
class MentionWords:
    """The lists of templates/mentions.yaml, with what each is for; words are folded.

    adjectives: of places ("Franco-German" is no longer name); digests: of the files.
    """

    words: frozenset[str] = frozenset()
    initials: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    adjectives: frozenset[str] = frozenset()
    digests: tuple[tuple[str, str], ...] = ()

    def is_word(self, name: str) -> bool:
        """Whether a name is a word of the language too."""
        return name not in self.initials and name.casefold() in self.words


def load_words(file: Path | None = None) -> MentionWords:
    """Raises StageError naming the file and key, and what was expected."""
    read = read_template(FILE, file)
    data, where = read.data, read.where
    if set(data) != {"version", *_KEYS}:
        raise StageError(f"{where}: expected version and {', '.join(_KEYS)}")
    for key in _KEYS:
        if not isinstance(data[key], list) or not all(isinstance(word, str) and word for word in data[key]):
            raise StageError(f"{where}: {key}: expected a list of texts (quote what YAML reads as something else)")
    lists = {key: frozenset(data[key]) for key in _KEYS if key != "names"}
    return MentionWords(
        **lists,
        names=tuple(data["names"]),
        adjectives=frozenset(adjectives.places()),
        digests=tuple((template_files.digests(FILE) | adjectives.digests()).items()),
    )


def opens_sentence(text: str, start: int) -> bool:
    """Whether nothing but signs stands before a place in its sentence; sentences are divided by line breaks."""
    before = text[max(0, start - _LONGEST) : start].rpartition("\n")[2]
    return not any(map(str.isalnum, before)) or before[-1] in "\"“'‘(" or before.rstrip()[-1] in ".!?:"


def within_longer(text: str, span: Span, common: bool, words: MentionWords) -> bool:
    """Whether the words beside a span of the text make a longer name of it.

    common: whether the name sought is a common noun ("actor"), which the text may have in a name ("Best Actor").
    """
    start, end = span
    name = text[start:end]
    if not name[:1].isupper():
        return False
    before = _BEFORE.search(text, max(0, start - _LONGEST), start)
    after = _AFTER.match(text, end, end + _LONGEST)
    first, last = (before[1] if before else ""), (after[2] if after else "")
    # "British Army officer" is no name: it ends as a common noun does.
    if common and name.split()[-1][0].isupper() and _is_name(first, words):
        return True
    signs = (before[2] if before else "", after[1] if after else "")
    if any(_joined(name, other, sign.strip(), words) for other, sign in zip((first, last), signs, strict=True)):
        return True
    if first in words.before and not _part(first, name, words):
        return True
    of = _OF.search(text, max(0, start - _LONGEST), start)
    return last.removesuffix("'s") in words.after or (of is not None and of[1] in words.of)


def _is_name(word: str, words: MentionWords) -> bool:
    return word[:1].isupper() and word.casefold() not in words.words


def _joined(name: str, other: str, sign: str, words: MentionWords) -> bool:
    """Whether a hyphen or "&" binds a name of one word to another: "Guinea-Bissau", "Simon & Garfunkel"."""
    if not sign or " " in name or not _is_name(other, words):
        return False
    return sign == "&" or (sign == "-" and name not in words.adjectives and other not in words.adjectives)


def _part(point: str, name: str, words: MentionWords) -> bool:
    return name in words.parts or point.endswith("ern")


class Longer:
    """The spans of known names in a text, those inside others left out.

    always: whether they take away whatever lies across them, even where it could be a part that means it.
    """

    def __init__(self, spans: Iterable[Span], always: bool = False) -> None:
        self._always = always
        self._spans: list[Span] = []
        for span in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not self._spans or span[1] > self._spans[-1][1]:
                self._spans.append(span)
        self._starts = [start for start, _ in self._spans]

    def takes(self, span: Span, text: str) -> bool:
        """Whether a name's span is no mention of its own: a part of a longer name, or cut out of two."""
        for at in range(bisect_left(self._starts, span[1]) - 1, -1, -1):
            longer = self._spans[at]
            # Spans end in the order in which they begin.
            if longer[1] <= span[0]:
                break
            if span[0] <= longer[0] and longer[1] <= span[1]:
                continue
            if self._always or (longer[0] <= span[0] and span[1] <= longer[1] and not _means(span, longer, text)):
                return True
        return False

    def begins_or_ends(self, span: Span) -> bool:
        """Whether one of the names begins or ends with a span."""
        return any(span[0] == start or span[1] == end for start, end in self._spans)


def _means(span: Span, longer: Span, text: str) -> bool:
    """Whether a longer name has the shorter as a part that means it.

    As common words before or behind it have it ("city of Germany", "American football team"), as an article before
    it has it, a comma ("Dallas, Texas"), or a word before a common noun ("film director").
    """
    lead, rest = text[longer[0] : span[0]], text[span[1] : longer[1]]
    if any(map(str.isupper, rest)):
        return False
    return not any(map(str.isupper, lead.removeprefix("The "))) or lead.endswith(", ") or text[span[0]].islower()
