"""What a name stands for in its surroundings: two ways to tell, behind one interface.

`Search` asks for the name among titles and redirects, as one would ask a wiki, and takes
the first result. `Wikifier` asks the alias table, and chooses by how much the surroundings
have in common with each candidate's text. Where the table knows no candidate, a name that
many bear (one word of a person's, an organisation's in common words, a work's title) is
known by the company it keeps.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from stages.musique.bridges.known_names import TITLE, unqualified
from stages.musique.bridges.whole import FUNCTION_WORDS
from stages.musique.single_hops.forms import Words

Weights = dict[str, float]
# Cosines: what a page whose title is the name alone is ahead by, and how far the first candidate has to lead.
_PREMIUM, _LEAD = 0.15, 0.05
# Paragraphs that must write a word without a capital before it counts as a common one, and their least share of all
# that hold it: "united" is written small now and then, and yet the United States Navy is one.
_MIN_COMMON, _COMMON_SHARE = 2, 0.1
# Letters of a name that other words may be made of.
_LEAST_STEM = 5
# Words with a capital before a surname that are no first name.
_RANKS = frozenset(
    """president senator governor mayor chancellor minister professor doctor dr mr mrs ms miss king queen prince
    princess emperor sir lord lady saint pope general colonel captain admiral justice judge""".split()  # noqa: SIM905
)
# Types of which many may bear one name in common words; persons are judged by their number of words.
_SHARED_TYPES = ("", "ORG")
# Works take their titles from anything: songs, films and towns share them.
_TITLED = "WORK_OF_ART"


@dataclass(frozen=True)
class Surroundings:
    """Where a name stands: its hop's title, question and paragraph, without the name's own words."""

    entity: str
    entity_type: str
    title: str
    text: str

    @cached_property
    def words(self) -> Counter[str]:
        own = set(self.entity.split())
        return Counter(word for word in Words.of(f"{self.title} {self.text}").words if word not in own)

    @cached_property
    def proper(self) -> frozenset[str]:
        """The words that are written with a capital here, besides the name's own."""
        whole = f"{self.title} . {self.text}"
        found = Words.of(whole)
        own = set(self.entity.split())
        capital = {word for word, (start, _) in zip(found.words, found.spans, strict=True) if whole[start].isupper()}
        return frozenset(capital - own - FUNCTION_WORDS)

    def speaks_of(self, word: str) -> bool:
        """Whether a proper word is a name, or made of it: "Australian" of Australia."""
        return word in self.proper or (
            len(word) >= _LEAST_STEM and any(found.startswith(word) for found in self.proper)
        )


class Resolver(Protocol):
    """One check of identity. reason: the reject word of pairs that fail it."""

    reason: str

    def same(self, head: Surroundings, tail: Surroundings) -> bool:
        """Whether a name is taken to stand for one thing in both places."""


class Vocabulary:
    """How telling words are: by the number of paragraphs that hold them, and that hold them without a capital."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        self._small: Counter[str] = Counter()
        self._texts = 0
        for text in texts:
            found = Words.of(text)
            self._counts.update(set(found.words))
            pairs = zip(found.words, found.spans, strict=True)
            self._small.update({word for word, (start, _) in pairs if text[start].islower()})
            self._texts += 1

    def is_common(self, name: str) -> bool:
        """Whether a name is made of words that are no names: "labour party", but not "bank of montreal"."""
        return all(word in FUNCTION_WORDS or self._is_common(word) for word in name.split())

    def _is_common(self, word: str) -> bool:
        return self._small[word] >= max(_MIN_COMMON, _COMMON_SHARE * self._counts[word])

    def weight(self, word: str) -> float:
        return math.log((self._texts + 1) / (self._counts[word] + 1))

    def vector(self, words: Mapping[str, int]) -> Weights:
        """tf-idf of length 1."""
        found = {word: (1 + math.log(count)) * self.weight(word) for word, count in words.items()}
        length = math.sqrt(math.fsum(value * value for value in sorted(found.values()))) or 1.0
        return {word: value / length for word, value in found.items()}


def cosine(one: Weights, other: Weights) -> float:
    """Of two vectors of length 1; the sum is exact, so it does not depend on the order of words."""
    shared = one.keys() & other.keys()
    return math.fsum(one[word] * other[word] for word in shared)


class Search:
    """The first result for a name among titles and redirects that are the name, qualifiers aside.

    The page on which the name stands comes first, then results whose qualifier ("Texas" of "Victoria, Texas") is a
    proper name of the surroundings, then the page whose title is the name alone, then redirects. A title whose
    qualifier is not met is no result: "Nashville (season 6)" is not what others mean by Nashville. A name without a
    result on either side passes.
    """

    reason = "other_search_result"

    def __init__(self, names: Iterable[Mapping[str, Any]]) -> None:
        self._found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in names:
            if row["kind"] != "alias":
                self._found[row["name"]].append((row["target"], row["kind"]))

    def first(self, place: Surroundings) -> str | None:
        results = [(self._rank(result, place), result[0]) for result in self._found.get(place.entity, [])]
        return min(((rank, title) for rank, title in results if rank is not None), default=(None, None))[1]

    def same(self, head: Surroundings, tail: Surroundings) -> bool:
        return self.first(head) == self.first(tail)

    def _rank(self, result: tuple[str, str], place: Surroundings) -> tuple[bool, bool, bool, bool] | None:
        title, kind = result
        own = set(Words.of(unqualified(title)).words)
        qualifier = [word for word in Words.of(title).words if word not in own and word not in FUNCTION_WORDS]
        here = title == place.title
        met = bool(qualifier) and all(place.speaks_of(word) for word in qualifier)
        if qualifier and kind == TITLE and not (here or met):
            return None
        return not here, not met, bool(qualifier), kind != TITLE


class Wikifier:
    """The candidate of the alias table that the surroundings speak of.

    A candidate's score is the cosine of its text and the surroundings, with a premium for the page whose title is
    the name alone: it is what most who use the name mean. A name is linked where one candidate leads clearly.

    min_similarity: least cosine of the two surroundings' proper names where a name that many bear is not linked
    on both sides.
    """

    reason = "other_entity"

    def __init__(self, names: Iterable[Mapping[str, Any]], vocabulary: Vocabulary, min_similarity: float) -> None:
        self._vocabulary = vocabulary
        self._min = min_similarity
        self._candidates: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in names:
            self._candidates[row["name"]].append(row)
        self._vectors: dict[str, Weights] = {}
        self._linked: dict[Surroundings, str | None] = {}

    def link(self, place: Surroundings) -> str | None:
        """The candidate that leads; None where there is none, or several are alike."""
        if place not in self._linked:
            self._linked[place] = self._link(place, self._candidates.get(place.entity, []))
        return self._linked[place]

    def _link(self, place: Surroundings, candidates: list[Mapping[str, Any]]) -> str | None:
        if len(candidates) < 2:
            return candidates[0]["target"] if candidates else None
        context = self._vocabulary.vector(place.words)
        scored = sorted(((self._score(context, row), row["target"]) for row in candidates), reverse=True)
        return scored[0][1] if scored[0][0] - scored[1][0] >= _LEAD else None

    def same(self, head: Surroundings, tail: Surroundings) -> bool:
        one, other = self.link(head), self.link(tail)
        if one is not None and other is not None:
            return one == other
        one_page = head.title != "" and head.title == tail.title
        return one_page or not self._is_shared(head) or self._near(head, tail)

    def _is_shared(self, place: Surroundings) -> bool:
        """Whether many bear such a name: one word of a person's, an organisation's in common words, a work's title."""
        if place.entity_type == _TITLED:
            return True
        if place.entity_type == "PERSON":
            return " " not in place.entity
        return place.entity_type in _SHARED_TYPES and self._vocabulary.is_common(place.entity)

    def _near(self, head: Surroundings, tail: Surroundings) -> bool:
        vectors = [self._vocabulary.vector(dict.fromkeys(place.proper, 1)) for place in (head, tail)]
        return cosine(*vectors) >= self._min

    def _score(self, context: Weights, row: Mapping[str, Any]) -> float:
        target = row["target"]
        if target not in self._vectors:
            self._vectors[target] = self._vocabulary.vector(Counter(Words.of(f"{target} {row['about']}").words))
        alone = row["kind"] == TITLE and unqualified(target) == target
        return cosine(context, self._vectors[target]) + (_PREMIUM if alone else 0.0)


class FullerNames:
    """Whether two places give one name of a single word more words that tell two things apart.

    "Nathaniel Bacon" and "Francis Bacon" are two, and so are "in Lima, Ohio" and "in Lima, Peru". Where one place adds
    nothing to the name, nothing is told.
    """

    reason = "other_full_name"

    def __init__(self) -> None:
        self._found: dict[Surroundings, tuple[frozenset[str], frozenset[str]]] = {}

    def same(self, head: Surroundings, tail: Surroundings) -> bool:
        if " " in head.entity:
            return True
        pairs = zip(self._fuller(head), self._fuller(tail), strict=True)
        return not any(one and other and not one & other for one, other in pairs)

    def _fuller(self, place: Surroundings) -> tuple[frozenset[str], frozenset[str]]:
        """The names that end in the name, of a person; what stands behind its comma, of a place."""
        if place not in self._found:
            whole, word = f"{place.title} . {place.text}", rf"(?i:{re.escape(place.entity)})\b"
            is_person = place.entity_type == "PERSON"
            before = re.findall(rf"((?:\b[A-Z][\w.’-]* )+){word}", whole) if is_person else []
            behind = [] if is_person else re.findall(rf"\b(?:in|of|from|near) {word} ?, ([A-Z]\w+)", whole)
            self._found[place] = frozenset(map(_first_names, before)) - {""}, frozenset(map(str.casefold, behind))
        return self._found[place]


def _first_names(run: str) -> str:
    """The first of the words before a surname that is neither a title nor a word that only begins a sentence."""
    words = (word for word in Words.of(run).words if word not in FUNCTION_WORDS | _RANKS)
    return next(words, "")


def failed(resolvers: Sequence[Resolver], head: Surroundings, tail: Surroundings) -> str | None:
    """The reason of the first check that a pair fails."""
    return next((resolver.reason for resolver in resolvers if not resolver.same(head, tail)), None)
