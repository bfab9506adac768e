"""What a composed question lets its readers know: its paragraphs, and its hops' answers in every spelling.

Answers are one where they share a form (see `stages.musique.spellings.answer_forms`). With `spellings`
they also are where one hop of the pool lists both as spellings of its answer ("USA" and
"United States"), where both are names of one page, and where the installed list of other names
has both for one thing ("African" and "Africa"). Each of these is a feature of its
own that two questions share or do not: what is one with a third is not one by that, so
that a spelling of many things ("Washington") does not tie them all together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.musique.bridges.known_names import ALIAS, REDIRECT, TITLE
from stages.musique.spellings.answer_forms import forms, names, things

Feature = tuple[str, str | int]
_KINDS = (TITLE, REDIRECT, ALIAS)


class KnownSpellings:
    """Which spellings are known to be of one thing beside those that share a form.

    single_hops: of the pool; known_names: the alias table; asked: the spellings that will be asked for.
    """

    def __init__(self, single_hops: pa.Table, known_names: pa.Table, asked: Iterable[str]) -> None:
        self._lists: defaultdict[str, set[int]] = defaultdict(set)
        for number, listed in enumerate(_listings(single_hops)):
            for form in listed:
                self._lists[form].add(number)
        self._pages = _pages(known_names, {name for spelling in asked for name in names(spelling)})

    def ties(self, spelling: str) -> set[Feature]:
        """The hops that list the spelling, the pages that it stands for, and the things of the installed list."""
        found: set[Feature] = {("listing", number) for form in forms(spelling) for number in self._lists.get(form, ())}
        found |= {("thing", thing) for thing in things(spelling)}
        return found | {("page", self._pages[name]) for name in names(spelling) if name in self._pages}


def _listings(single_hops: pa.Table) -> set[frozenset[str]]:
    """The forms of each hop's answer and aliases, of hops with aliases."""
    several = single_hops.filter(pc.greater(pc.list_value_length(single_hops["answer_aliases"]), 0))
    columns = (several[name].to_pylist() for name in ("answer", "answer_aliases"))
    return {
        frozenset(form for spelling in (answer, *aliases) for form in forms(spelling))
        for answer, aliases in zip(*columns, strict=True)
    }


def _pages(known_names: pa.Table, asked: Iterable[str]) -> dict[str, str]:
    """The page of each name that has one: the only one of those that bear it as title, else as redirect, else alias."""
    rows = known_names.filter(pc.is_in(known_names["name"], pa.array(sorted(asked), pa.string())))
    found: defaultdict[str, defaultdict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows.select(["name", "target", "kind"]).to_pylist():
        found[row["name"]][_KINDS.index(row["kind"])].add(row["target"])
    best = {name: kinds[min(kinds)] for name, kinds in found.items()}
    return {name: next(iter(targets)) for name, targets in best.items() if len(targets) == 1}


def spelled(row: Mapping[str, Any]) -> set[str]:
    """Every spelling of every hop's answer that a row of COMPOSED_HOPS lists."""
    return {*row["hop_answers"], *(alias for aliases in row["hop_aliases"] for alias in aliases)}


def known(rows: Sequence[Mapping[str, Any]], spellings: KnownSpellings | None) -> list[list[int]]:
    """Numbers for all that each question lets know; without spellings answers count as they are spelled, aliases not.

    Questions with a hop in common have its paragraph in common, so hops need no numbers of their own.
    """
    numbers: dict[Feature, int] = {}
    ties: dict[str, set[Feature]] = {}
    found = []
    for row in rows:
        shown: set[Feature] = {("paragraph", paragraph) for paragraph in row["paragraphs"]}
        for spelling in row["hop_answers"] if spellings is None else spelled(row):
            if spelling not in ties:
                own: set[Feature] = {("answer", form) for form in forms(spelling)}
                ties[spelling] = own if spellings is None else own | spellings.ties(spelling)
            shown |= ties[spelling]
        found.append([numbers.setdefault(feature, len(numbers)) for feature in shown])
    return _merged(found, len(numbers))


def _merged(found: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """With one number for all features of the same questions, which would count them several times over."""
    questions: list[list[int]] = [[] for _ in range(count)]
    for at, row in enumerate(found):
        for number in row:
            questions[number].append(at)
    merged: dict[tuple[int, ...], int] = {}
    number_of = [merged.setdefault(tuple(held), len(merged)) for held in questions]
    return [sorted({number_of[number] for number in row}) for row in found]
