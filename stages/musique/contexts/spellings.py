"""All spellings of an answer that a build knows: those of any hop with that answer, and of the alias table.

What a hop lists beside its answer may be another answer ("France" beside "Spain"). Of other hops, only such spellings
are taken as are part of the answer, have it as a part, or are its initials or what it is the initials of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import pyarrow as pa

from stages.core.columns import values
from stages.core.english import FUNCTION_WORDS
from stages.musique.single_hops.forms import bare, form, plain
from stages.wikipedia.title_lookup import fold

# The alias table has names in small letters, among which "us" would be found for "US".
_SHORTEST_NAME = 4


class AnswerSpellings:
    """single_hops: SINGLE_HOPS; known_names: KNOWN_NAMES."""

    def __init__(self, single_hops: pa.Table, known_names: pa.Table | None) -> None:
        self._groups: list[tuple[str, ...]] = sorted(
            {(answer, *aliases) for answer, aliases in values(single_hops, "answer", "answer_aliases") if aliases}
        )
        self._spelt: defaultdict[str, list[int]] = defaultdict(list)
        for number, group in enumerate(self._groups):
            for key in {plain(spelling) for spelling in group}:
                self._spelt[key].append(number)
        self._targets: defaultdict[str, set[str]] = defaultdict(set)
        self._names: defaultdict[str, set[str]] = defaultdict(set)
        for name, target in values(known_names, "name", "target") if known_names is not None else ():
            self._targets[name].add(target)
            self._names[target].add(name)

    def of(self, answers: Sequence[str]) -> list[str]:
        """The given spellings first, then others that a hop or the table has beside one of them, sorted."""
        found = {spelling for answer in answers for spelling in self._others(answer)}
        return [*answers, *sorted(found - set(answers))]

    def _others(self, answer: str) -> Iterable[str]:
        for number in self._spelt.get(plain(answer), ()):
            yield from (other for other in self._groups[number] if _alike(answer, other))
        name = bare(form(answer)).strip()
        for target in self._targets.get(name, ()):
            yield from (other for other in self._names[target] if other != name and len(other) >= _SHORTEST_NAME)


def _alike(one: str, other: str) -> bool:
    first, second = (form(fold(text)).split() for text in (one, other))
    # A name, not a small word or a description.
    if not first or not second or other == other.lower():
        return False
    return set(first) <= set(second) or set(second) <= set(first) or _initials(one, second) or _initials(other, first)


def _initials(short: str, words: Sequence[str]) -> bool:
    letters = short.replace(".", "").replace(" ", "").casefold()
    return len(words) > 1 and letters == "".join(word[0] for word in words if word not in FUNCTION_WORDS)
