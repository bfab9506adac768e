"""Names sought in questions: one automaton over all of them, and which of its matches a longer name covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick

from stages.musique.single_hops.forms import Words


@dataclass(frozen=True, slots=True)
class Match:
    """A name, by its joined form, and the words at which it stands."""

    form: str
    first: int
    last: int


class NameFinder:
    """Finds the forms of names (see `Words.joined`) in any number of texts, each in one pass."""

    def __init__(self, forms: Iterable[str]) -> None:
        self._forms = sorted({form for form in forms if form != " "})
        # A form begins and ends with the space that parts words, so it matches whole words only.
        self._automaton = AhoCorasick(self._forms) if self._forms else None

    def matches(self, words: Words) -> Iterator[Match]:
        """Every match, overlapping ones too, ordered by where it ends."""
        if self._automaton is None:
            return
        for number, start, end in self._automaton.find_matches_as_indexes(words.joined, overlapping=True):
            first = words.number_at(start)
            yield Match(self._forms[number], first, words.number_at(end - 1) - 1)


def covered(match: Match, others: Iterable[Match]) -> bool:
    """Whether a longer match holds this one."""
    return any(
        other.first <= match.first
        and match.last <= other.last
        and (other.first, other.last) != (match.first, match.last)
        for other in others
    )
