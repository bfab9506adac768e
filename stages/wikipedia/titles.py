"""Page titles in MediaWiki's canonical form, and the namespace a title names.

Canonical form: NFC, underscores are spaces, runs of white space are one space, none at
the ends, no invisible direction marks, first letter upper case where that yields one
character (so "ß" stays).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

MAIN = 0
FILE = 6
CATEGORY = 14
MEDIA = -2

MAX_TITLE_BYTES = 255

# The names every MediaWiki accepts, whatever its language; (id, name).
DEFAULT_NAMESPACES: tuple[tuple[int, str], ...] = (
    (-2, "Media"),
    (-1, "Special"),
    (1, "Talk"),
    (2, "User"),
    (3, "User talk"),
    (4, "Project"),
    (4, "Wikipedia"),
    (5, "Project talk"),
    (5, "Wikipedia talk"),
    (6, "File"),
    (6, "Image"),
    (7, "File talk"),
    (7, "Image talk"),
    (8, "MediaWiki"),
    (9, "MediaWiki talk"),
    (10, "Template"),
    (11, "Template talk"),
    (12, "Help"),
    (13, "Help talk"),
    (14, "Category"),
    (15, "Category talk"),
    (100, "Portal"),
    (101, "Portal talk"),
    (118, "Draft"),
    (119, "Draft talk"),
    (710, "TimedText"),
    (711, "TimedText talk"),
    (828, "Module"),
    (829, "Module talk"),
)

_DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_ILLEGAL = re.compile(r"[#<>\[\]{}|\x00-\x1f\x7f\ufffd]|^\.{1,2}$|^\.{1,2}/|/\.{1,2}/|/\.{1,2}$")


def normalise_title(text: str) -> str:
    """The canonical form of a title; may be empty. Does not check that the title is legal."""
    words = _DIRECTION_MARKS.sub("", unicodedata.normalize("NFC", text)).replace("_", " ").split()
    title = " ".join(words)
    first = title[:1].upper()
    return first + title[1:] if len(first) == 1 else title


def title_fault(title: str) -> str | None:
    """Why no page can have this (canonical) title; None where one can."""
    if not title:
        return "the title is empty"
    if found := _ILLEGAL.search(title):
        return f"a title cannot hold {found.group()!r}"
    if len(title.encode("utf-8", "surrogatepass")) > MAX_TITLE_BYTES:
        return f"a title has at most {MAX_TITLE_BYTES} bytes"
    return None


@dataclass(frozen=True)
class Namespaces:
    """Namespace ids by name, from a dump's siteinfo and the names that hold everywhere."""

    ids: dict[str, int]

    @classmethod
    def of(cls, local: Iterable[tuple[int, str]] = ()) -> Namespaces:
        """local: (id, name) as siteinfo lists them; they win over the general names."""
        pairs = [*DEFAULT_NAMESPACES, *local]
        return cls({_fold(name): number for number, name in pairs if name and number != MAIN})

    def split(self, title: str) -> tuple[int, str]:
        """(namespace id, title without its prefix), both of a title in any form; main is 0."""
        prefix, colon, rest = normalise_title(title).partition(":")
        number = self.ids.get(_fold(prefix)) if colon else None
        return (MAIN, normalise_title(title)) if number is None else (number, normalise_title(rest))

    def names_of(self, number: int) -> tuple[str, ...]:
        """All (folded) names of a namespace, sorted."""
        return tuple(sorted(name for name, found in self.ids.items() if found == number))


def _fold(name: str) -> str:
    return normalise_title(name).casefold()
