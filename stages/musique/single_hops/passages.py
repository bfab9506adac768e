"""Passages that stand in the pool more than once: typed, cut or edited otherwise.

Two texts are copies where so large a share of the shorter one's runs of five words stands in the
other, and where both are about one thing: they have one title, or one has none, or what one is
called stands in the other. Without that, any two articles of one mould ("... is a village in
...") would be copies.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from stages.core.sql import sql
from stages.musique.single_hops.forms import bare, form, words_of
from stages.musique.single_hops.stated import digest
from stages.wikipedia.title_lookup import base

_RUN = 5
# Marks as tokenisers leave them: "U.S. , the", "( 1969 )", "Prince George 's", "``".
_TOKENISED = re.compile(r"\s[.,;:!?%)\]]|[(\[]\s|\s['’](?:s|ll|re|ve|d|m)\b|\s-\s|\bn't\b|``|''")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class PooledPassage:
    """A title and a text as some source types them."""

    title: str
    text: str

    @cached_property
    def words(self) -> tuple[str, str]:
        """What all ways to type this passage have in common; a text without any word is as it is."""
        return form(self.title), found if (found := words_of(self.text).joined) != " " else self.text

    @cached_property
    def id(self) -> str:
        """16 hex digits over the words."""
        return digest(*self.words)[:16]

    @property
    def untidy(self) -> tuple[int, int, int, PooledPassage]:
        """The less, the better it is typed: marks that stand apart, small letters, accents that were left out."""
        text = f"{self.title} {self.text}"
        capitals = sum(c.isupper() for c in text)
        marked = sum(1 for c in unicodedata.normalize("NFD", text) if unicodedata.combining(c))
        return len(_TOKENISED.findall(text)), -capitals, -marked, self

    def __lt__(self, other: PooledPassage) -> bool:
        return (self.title, self.text) < (other.title, other.text)


def about_one(one: PooledPassage, other: PooledPassage) -> bool:
    """Whether two passages may be of one article: by their titles, or by what one says of the other."""
    if not one.title or not other.title or one.words[0] == other.words[0]:
        return True
    return _speaks_of(one, other) or _speaks_of(other, one)


def _speaks_of(one: PooledPassage, other: PooledPassage) -> bool:
    name = bare(form(base(other.title)))
    return name != " " and (name in one.words[0] or name in one.words[1])


def copies(passages: Sequence[PooledPassage], share: float) -> list[list[int]]:
    """Groups of passages that are one, by number; those that are like no other are groups of their own.

    share: of the shorter passage's runs, how many the other must have.
    """
    groups = list(range(len(passages)))
    for one, other in _alike([passage.words[1] for passage in passages], share):
        if about_one(passages[one], passages[other]):
            _join(groups, one, other)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for number in range(len(passages)):
        found[_root(groups, number)].append(number)
    return list(found.values())


def _root(groups: list[int], number: int) -> int:
    while groups[number] != number:
        groups[number] = number = groups[groups[number]]
    return number


def _join(groups: list[int], one: int, other: int) -> None:
    first, second = sorted((_root(groups, one), _root(groups, other)))
    groups[second] = first


def _alike(texts: Sequence[str], share: float) -> Iterator[tuple[int, int]]:
    """Pairs of texts (as `form`) of which one holds so large a share of the other's runs."""
    if len(texts) < 2:
        return
    runs = [np.unique(hashes) for hashes in _hashes(texts)]
    sizes = np.array([len(found) for found in runs])
    table = pa.table({"run": np.concatenate(runs), "number": np.repeat(np.arange(len(texts)), sizes)})
    pairs = sql(_PAIRS, runs=table)
    one, other, shared = (pairs[name].to_numpy() for name in ("one", "other", "shared"))
    near = shared >= share * np.minimum(sizes[one], sizes[other])
    yield from zip(one[near].tolist(), other[near].tolist(), strict=True)


# A run that more passages have is a phrase of many articles; copies have runs enough that few have.
_PAIRS = """
    WITH telling AS (
        SELECT run, number FROM runs WHERE run IN (
            SELECT run FROM runs GROUP BY run HAVING count(*) BETWEEN 2 AND 50
        )
    )
    SELECT a.number AS one, b.number AS other, count(*) AS shared
    FROM telling a JOIN telling b ON a.run = b.run AND a.number < b.number
    GROUP BY ALL
"""


def _hashes(texts: Iterable[str]) -> Iterator[np.ndarray]:
    """A number per run of five words of each text; of a shorter text, one for all of it."""
    numbers: dict[str, int] = {}
    for text in texts:
        words = np.array([numbers.setdefault(word, len(numbers) + 1) for word in text.split()] or [0], np.uint64)
        size = min(_RUN, len(words))
        run = np.zeros(len(words) - size + 1, np.uint64)
        for at in range(size):
            run = run * _MULTIPLIER + words[at : at + len(run)]
        yield run
