"""Words that a sentence must have for a sort of relation (templates/sorts.yaml), the second check beside the model.

A model takes "a French poet" for what the poet speaks, for his people and for his
citizenship alike, and the author of piano pieces for a pianist. So the sentence must have
words for the sort: "spoke", "descent", "citizen". Whether they speak of the right two is
left to the model.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.template_files import read_template
from stages.facts import adjectives

TEMPLATES = ("sorts.yaml",)

FILE = "sorts.yaml"

OTHER_SORT = "other_sort"

_KEYS = {"properties", "words", "adjectives", "dates", "near"}
_DATES = r"\([^()]*\d{3,4}[^()]*\)"
# How the adjective of a place ends that is made of its name: "Zambian", "Singaporean", "Bangladeshi".
_MADE = r"\w*(?:an|ese|ish|i|ic|ot)"
_STEM = 4


# Where somebody was born makes no citizen: "an Austrian-born chemist".
_BORN = re.compile(r"(?<![\w-])[^\W\d_][\w-]*+(?<=-born)")
# "was an Arab scholar": what somebody is called.
_COPULA = r"(?<!\w)(?:is|was|are|were|an?|first)(?!\w)"
_WORD = re.compile(r"[\w'’]+(?:-[\w'’]+)*")
# Characters that a list of names beside a word takes at most: "fluent in English, German, Polish".
_NEAR = 160
# Words that take no room between a name and the word for its sort.
_SMALL = frozenset(
    (
        "a",
        "an",
        "and",
        "as",
        "both",
        "from",
        "his",
        "her",
        "in",
        "into",
        "of",
        "or",
        "own",
        "the",
        "their",
        "to",
        "well",
    )
)


@dataclass(frozen=True)
class SortWords:
    """One sort: the pattern of its words. adjectives: "word", "doubt" or "", and near, as the file explains."""

    pattern: str
    adjectives: str
    near: bool


@dataclass(frozen=True)
class Sorts:
    """properties: the sort of each; places: the adjectives of places; digests: of both files."""

    properties: Mapping[str, SortWords]
    places: frozenset[str]
    digests: Mapping[str, str]

    def says(self, prop: str, sentence: str, object_: Iterable[str]) -> bool:
        """Whether a sentence has words for the property's sort, or the property has no sort.

        object_: what the sentence may call the object; by the first its country is known.
        """
        sort = self.properties.get(prop)
        if sort is None:
            return True
        names = list(object_)
        doubted = any(name in self.places for name in names)
        if sort.near:
            called = f"|{_COPULA}" if sort.adjectives == "doubt" and not doubted else ""
            return self._says_near(sort.pattern + called, sentence, names)
        if sort.adjectives == "doubt" and not doubted:
            return True
        if re.search(sort.pattern, sentence, re.IGNORECASE):
            return True
        return sort.adjectives == "word" and self._has_adjective(_BORN.sub("", sentence), names)

    def _says_near(self, pattern: str, sentence: str, names: Iterable[str]) -> bool:
        """Whether a word of a pattern stands in or right after a name, or before it with one other between."""
        words = [found.span() for found in re.finditer(pattern, sentence, re.IGNORECASE)]
        starts, ends = [start for start, _ in words], sorted(end for _, end in words)
        for found in (found for name in names for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)):
            after = bisect_left(starts, found.start())
            before = bisect_right(ends, found.start())
            if after < len(starts) and self._is_near(sentence[found.end() : starts[after]], others=0):
                return True
            if before and self._is_near(sentence[ends[before - 1] : found.start()], others=1):
                return True
        return False

    def _is_near(self, between: str, others: int) -> bool:
        """Whether so many words that count stand in a text at most."""
        return len(between) <= _NEAR and len(self._between(between)) <= others

    def _between(self, text: str) -> list[str]:
        return [word for word in _WORD.findall(text) if word.lower() not in _SMALL and word not in self.places]

    def said_as(self, prop: str, label: str) -> list[str]:
        """The adjectives that name an object too, where they are words for the sort: "Peruvian" for Peru.

        Only of what bears the place's own name: "Italian" does not say which state of Italy is meant.
        """
        sort = self.properties.get(prop)
        if sort is None or sort.adjectives != "word":
            return []
        places = ((adjective, place.removeprefix("the ")) for adjective, place in adjectives.places().items())
        return [adjective for adjective, place in places if label == place or label.startswith(f"{place} of ")]

    def _has_adjective(self, sentence: str, names: list[str]) -> bool:
        """Whether the adjective of a place stands there, or the object as where somebody is from: "from Peru"."""
        made = "|".join(re.escape(word[:_STEM]) + _MADE for name in names for word in name.split()[-1:])
        listed = "|".join(re.escape(word) for word in sorted(self.places))
        adjective = re.finditer(rf"(?<!\w)(?:{listed}|{made})(?!\w)", sentence)
        own = "|".join(re.escape(name) for name in names)
        return any(found[0] in self.places or found[0] not in names for found in adjective) or bool(
            re.search(rf"\bfrom (?:the )?(?:{own})(?!\w)|(?<!\w)(?:{own})['’]s?(?!\w)", sentence)
        )


def load_sorts(file: Path | None = None) -> Sorts:
    """Raises StageError naming the file, the sort and what was expected."""
    read = read_template(FILE, file)
    data, where = read.data, read.where
    if set(data) != {"version", "sorts"} or not isinstance(data["sorts"], dict):
        raise StageError(f"{where}: expected version and sorts")
    properties: dict[str, SortWords] = {}
    for name, fields in data["sorts"].items():
        sort, pids = _sort(f"{where}: {name}", fields)
        repeated = sorted(set(pids) & set(properties))
        if repeated:
            raise StageError(f"{where}: {name}: {', '.join(repeated)}: a property is of one sort")
        properties |= dict.fromkeys(pids, sort)
    digests = template_files.digests(FILE) | adjectives.digests()
    return Sorts(properties, frozenset(adjectives.places()), digests)


def _sort(place: str, fields: Any) -> tuple[SortWords, list[str]]:
    if not isinstance(fields, dict) or not {"properties", "words"} <= set(fields) <= _KEYS:
        raise StageError(f"{place}: expected properties and words, and at most adjectives, dates and near beside them")
    for key in ("properties", "words"):
        if not isinstance(fields[key], list) or not all(isinstance(text, str) and text for text in fields[key]):
            raise StageError(f"{place}: {key}: expected a list of texts")
    if fields.get("adjectives", "") not in ("", "word", "doubt"):
        raise StageError(f"{place}: adjectives: expected word or doubt, found {fields['adjectives']!r}")
    parts = [_pattern(word) for word in fields["words"]] + ([_DATES] if fields.get("dates") else [])
    sort = SortWords("|".join(parts), fields.get("adjectives", ""), fields.get("near") is True)
    return sort, fields["properties"]


def _pattern(word: str) -> str:
    start = "" if word.startswith("-") else r"(?<!\w)"
    end = r"\w*" if word.endswith("-") else r"(?!\w)"
    return start + re.escape(word.removesuffix("-")) + end
