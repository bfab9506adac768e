"""Whether the tail's answer can be read in the head's paragraph already, so that no second step is needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pyarrow as pa

from stages.musique.bridges.whole import SHORT, same_case, without_article
from stages.musique.single_hops.forms import bare, form, words_of

Spelling = tuple[str, str]
_CACHED = 65536


def answered_in_head(pairs: pa.Table, hops: pa.Table) -> list[bool]:
    """Of each pair (head, tail): whether the head's paragraph holds the tail's answer, in any of its spellings.

    hops: SINGLE_HOPS, those of the pairs at least.
    """
    texts = dict(zip(hops["hop"].to_pylist(), hops["text"].to_pylist(), strict=True))
    named = zip(hops["answer"].to_pylist(), hops["answer_aliases"].to_pylist(), strict=True)
    spelt = dict(zip(hops["hop"].to_pylist(), (tuple(_spellings(one, others)) for one, others in named), strict=True))
    ends = zip(pairs["head"].to_pylist(), pairs["tail"].to_pylist(), strict=True)
    return [_holds(texts[head], spelt[tail]) for head, tail in ends]


def _spellings(answer: str, aliases: list[str]) -> Iterator[Spelling]:
    for name in (answer, *aliases):
        if (found := bare(form(name))) != " ":
            yield found, without_article(name)


# The pairs of one entity are all its heads with all its tails.
@lru_cache(maxsize=_CACHED)
def _holds(text: str, spellings: tuple[Spelling, ...]) -> bool:
    words = words_of(text)
    return any(
        _is_meant(text[slice(*words.span(*place))], name) for found, name in spellings for place in words.find(found)
    )


def _is_meant(found: str, name: str) -> bool:
    """The letters of a short name are those of many a word: "us" is not the US."""
    return len(found) > SHORT or same_case(found, name)
