"""Other names of a thing, read from templates/contexts/other_names.yaml, and those that its own name gives away."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from stages.core import template_files
from stages.core.overlay import remembered
from stages.core.template_files import read_template
from stages.facts import adjectives
from stages.musique.single_hops.forms import plain
from stages.normalise.lexicon import lexicon
from stages.normalise.number_words import ordinal_number
from stages.normalise.roman import numeral
from stages.normalise.spelling import ordinal, ordinal_words, words
from stages.wikipedia.title_lookup import base

TEMPLATES = ("contexts/other_names.yaml",)

FILE = "contexts/other_names.yaml"
_NUMERALS = {number: numeral(number) for number in range(1, 100)}
_ROMAN = {written: number for number, written in _NUMERALS.items()}
_CAPITAL = re.compile(r"[^\W\d_][.]?(?:[\w'’.-]*\w)?")
_PARTICLES = frozenset(
    {"al", "bin", "da", "de", "del", "della", "der", "di", "du", "el", "ibn", "la", "le", "van", "von"}
)
_AFTER_NAMES = frozenset({"Jr", "Sr", *_ROMAN})
_ARTICLE = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
_LONGEST_SURNAME_HOLDER = 5
_SHORTEST_STEM = 4
_ENDINGS = ("an", "ian", "ese", "er")


@dataclass(frozen=True)
class OtherNames:
    """same: by a name's `plain` form all names of what it may stand for; things: what that is, each by its first name;
    no_surnames, no_first_names: see the file."""

    same: Mapping[str, frozenset[str]]
    things: Mapping[str, frozenset[str]]
    no_surnames: frozenset[str]
    no_first_names: frozenset[str]


@remembered()
def load_names(file: Path | None = None) -> OtherNames:
    """Raises StageError where the file has another shape."""
    read = read_template(FILE, file)
    data = read.data
    lists = {"no_surnames", "no_first_names", "same", "version"}
    if data.keys() != lists or data["version"] != 1:
        raise read.fault(f"expected version 1 and {', '.join(sorted(lists))}")
    same: defaultdict[str, set[str]] = defaultdict(set)
    things: defaultdict[str, set[str]] = defaultdict(set)
    pairs = [[_ARTICLE.sub("", place), adjective] for adjective, place in adjectives.places().items()]
    for group in [*data["same"], *pairs]:
        for name in group:
            same[plain(name)].update(group)
            things[plain(name)].add(group[0])
    return OtherNames(
        _frozen(same),
        _frozen(things),
        *(frozenset(word.casefold() for word in data[key]) for key in ("no_surnames", "no_first_names")),
    )


def _frozen(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(group) for name, group in found.items()}


def digests() -> dict[str, str]:
    """Of all files that these names and other spellings of values come from, for stages that depend on them."""
    return template_files.digests(FILE) | adjectives.digests() | lexicon().digest


def other_names(spelling: str) -> Iterator[str]:
    """Names that may stand for what a name stands for, rather too many: a contrast may go without a paragraph.

    What the file lists; what comes before a qualifier ("Houston" of "Houston, Texas"); a numeral as an ordinal and
    in figures ("Second World War", "World War 2" of "World War II"); its parts the other way round; another name for
    its beginning; the inhabitants of a place of one word.
    """
    name = _ARTICLE.sub("", spelling.strip(), count=1)
    short = base(name)
    head, comma, rest = short.partition(", ")
    if comma and "," not in rest and head[:1].isupper() and rest[:1].isupper():
        short = head
    yield short
    yield from load_names().same.get(plain(name), ())
    yield from _numbered(name)
    yield from _turned(name)
    yield from _with_other_names(name)
    if beginning(short) and len(short) > _SHORTEST_STEM:
        yield from _inhabitants(short)


def cased_names(spelling: str) -> Iterator[str]:
    """Single words that stand for a name where they are written as here: its initials, a person's surname."""
    name = _ARTICLE.sub("", base(spelling.strip()), count=1)
    found = name.split()
    if found and found[-1] not in _ROMAN:
        yield from _initials(found)
    # What stands behind a comma is a place, a title or one more name.
    surname = None if "," in name else _surname(found)
    if surname:
        yield surname


def beginning(spelling: str) -> str | None:
    """A name of one word, with which others begin that come of it: "Pittsburgh" of "Pitt", "Chechens" of "Chechen"."""
    name = _ARTICLE.sub("", spelling.strip(), count=1)
    return name if name.isalpha() and name[0].isupper() and len(name) >= _SHORTEST_STEM else None


def _numbered(name: str) -> Iterator[str]:
    rest, _, last = name.rpartition(" ")
    number = _ROMAN.get(last)
    if rest and number:
        spelt = ordinal_words(number)
        yield from (f"{rest} {number}", f"{rest} {words(Fraction(number))}", f"{rest} the {spelt}")
        yield from (f"{spelt} {rest}", f"{ordinal(number)} {rest}")
        initials = "".join(word[0] for word in rest.split())
        if len(initials) > 1:
            yield from (f"{initials}{last}", f"{initials} {last}", f"{initials}{number}")
    first, _, rest = name.partition(" ")
    number = ordinal_number(first.casefold())
    if number in _NUMERALS and rest[:1].isupper():
        yield from (f"{rest} {_NUMERALS[number]}", f"{rest} {number}", f"{rest} {words(Fraction(number))}")


def _turned(name: str) -> Iterator[str]:
    """ "University of Oxford" of "Oxford University", and the other way round."""
    first, of, rest = name.partition(" of ")
    if of:
        yield f"{_ARTICLE.sub('', rest)} {first}"
    rest, _, last = name.rpartition(" ")
    if rest and last.casefold() in load_names().no_surnames:
        yield from (f"{last} of {rest}", f"{last} of the {rest}")


def _with_other_names(name: str) -> Iterator[str]:
    """ "US Navy" of "United States Navy"."""
    found, same = name.split(), load_names().same
    for count in range(1, len(found)):
        for other in same.get(plain(" ".join(found[:count])), ()):
            yield " ".join([other, *found[count:]])


def _inhabitants(place: str) -> Iterator[str]:
    """ "Asian" of "Asia" and the other way round, however irregular; what is no word does no harm."""
    stem = place[:-1] if place[-1] in "aeoy" else place
    yield from (stem + ending for ending in _ENDINGS)
    for ending in _ENDINGS:
        if place.endswith(ending) and len(place) - len(ending) >= _SHORTEST_STEM:
            stem = place[: -len(ending)]
            yield from (stem, stem + "a", stem + "y")


def _initials(found: list[str]) -> Iterator[str]:
    capitals = "".join(word[0] for word in found if word[0].isupper())
    if len(capitals) > 1 and all(word[0].isupper() or word.casefold() in ("of", "the", "and", "for") for word in found):
        yield capitals


def _surname(found: list[str]) -> str | None:
    """The last word of what may be a person's name, as the end of "swimmer Michael Phelps" may."""
    while found and found[-1].rstrip(".") in _AFTER_NAMES:
        found = found[:-1]
    start = len(found)
    while start and (_is_name(found[start - 1]) or (start < len(found) and found[start - 1] in _PARTICLES)):
        start -= 1
    name, known = found[start:], load_names()
    if not 2 <= len(name) <= _LONGEST_SURNAME_HOLDER or len(name[-1]) < _SHORTEST_STEM - 1:
        return None
    first, last = name[0].casefold().rstrip("."), name[-1].casefold()
    return None if last in known.no_surnames or first in known.no_first_names else name[-1]


def _is_name(word: str) -> bool:
    return word[0].isupper() and _CAPITAL.fullmatch(word) is not None
