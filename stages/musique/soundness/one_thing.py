"""Whether the answers that a hop lists are names of one thing, or several things.

Answers of several people to one question are listed as if they were spellings ("Chetniks | Tito").
They are names of one thing where one is a form of the other: the same words or value, the
other with more words around it, another name that is known, its initials. A place behind a
comma and the parts of a list ("Cathy Dennis and Rob Davis") are others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

from stages.musique.single_hops.forms import Words, bare, form
from stages.musique.spellings.answer_forms import forms
from stages.musique.spellings.other_names import cased_names, other_names

_LISTED = frozenset({"and", "or", "nor", "plus"})
_SIGN = re.compile(r"[,;/&]")


def one_thing(answers: Iterable[str]) -> bool:
    """Whether answers are names of one thing, if need be by way of one another."""
    groups = [{answer} for answer in dict.fromkeys(answers)]
    found = True
    while found:
        found = False
        for one, other in combinations(groups, 2):
            if any(same(a, b) for a in one for b in other):
                one |= other
                groups.remove(other)
                found = True
                break
    return len(groups) <= 1


def same(one: str, other: str) -> bool:
    """Whether one of two answers is a form of the other."""
    if set(forms(one)) & set(forms(other)):
        return True
    shorter, longer = sorted((one, other), key=len)
    return _within(shorter, longer) or _less(shorter, longer) or _named(shorter, longer) or _named(longer, shorter)


def _within(shorter: str, longer: str) -> bool:
    """Whether an answer is another one with more words around it, and not a part of what that one lists."""
    words, inner = Words.of(longer), bare(form(shorter))
    places = words.find(inner)
    if inner == " " or not places:
        return False
    first, last = places[0]
    start, end = words.span(first, last)
    before, after = longer[:start], longer[end:]
    if _LISTED & (set(Words.of(before).words) | set(Words.of(after).words)):
        return False
    # "Paris" of "Paris, France", but not "France".
    return not _SIGN.search(before) and not re.search(r"[;/&]", after)


def _less(shorter: str, longer: str) -> bool:
    """Whether an answer of several words is another one, which is no list, with words left out."""
    own, other = (Words.of(text).words for text in (shorter, longer))
    rest = iter(other)
    return len(own) > 1 and not _LISTED & set(other) and all(word in rest for word in own)


def _named(one: str, other: str) -> bool:
    names = {bare(form(name)) for name in other_names(one)}
    return bare(form(other)) in names or other.replace(".", "") in set(cased_names(one))
