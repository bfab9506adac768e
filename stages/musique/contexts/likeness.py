"""Which paragraphs may not stand beside a supporting one, as they may support the question as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import pyarrow as pa

from stages.core.columns import values
from stages.musique.single_hops.forms import form, plain, relation_sides, words_of

# Of the words of the shorter text, how many the other has in a copy of it with a few changes.
COPIED = 0.8


def same_questions(single_hops: pa.Table) -> dict[str, frozenset[str]]:
    """Per hop the paragraphs of all hops that ask the same, however its subject is punctuated.

    Hops whose question is asked of no other paragraph have no entry.
    """
    asked: defaultdict[str, set[str]] = defaultdict(set)
    rows = [
        (hop, _key(question), paragraph)
        for hop, question, paragraph in values(single_hops, "hop", "question", "paragraph")
    ]
    for _, question, paragraph in rows:
        asked[question].add(paragraph)
    several = {question: frozenset(places) for question, places in asked.items() if len(places) > 1}
    return {hop: several[question] for hop, question, _ in rows if question in several}


def copies(supports: Iterable[str], titles: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Per supporting paragraph the others with its title and most of its words; none has no entry."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name, title in titles.items():
        alike[plain(title)].append(name)
    found = {}
    for name in set(supports):
        others = alike[plain(titles[name])]
        same = frozenset(other for other in others if other != name and _copied(texts[name], texts[other]))
        if same:
            found[name] = same
    return found


def _key(question: str) -> str:
    sides = relation_sides(question)
    return f"{plain(sides[0])}\x1f{form(sides[1])}" if sides else form(question)


def _copied(one: str, other: str) -> bool:
    first, second = (set(words_of(text).words) for text in (one, other))
    return len(first & second) >= COPIED * max(min(len(first), len(second)), 1)
