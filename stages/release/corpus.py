"""The collection to search: passages of a build's pages and of its questions, each text once.

Pages repeat each other's text, as where one title was moved and both were kept. Such a text is
written once, under the first of its ids, with the others under `also`, so that every id that a
record names is found. Three looks at the corpus do it: one for digests of eight bytes, of which
the repeated ones are remembered, one for the ids of these, and one for the lines.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from stages.core.columns import values

CORPUS = "corpus.jsonl"
PASSAGE = ("passage", "title", "text")
_BYTES = 8
_SCHEMA = pa.schema([(name, pa.string()) for name in PASSAGE])


class Look(Protocol):
    """Gives the tables of a corpus, from the first one on, with some of the columns {passage, title, text}."""

    def __call__(self, *columns: str) -> Iterable[pa.Table]: ...


def no_corpus(*columns: str) -> Iterable[pa.Table]:
    """A look at nothing."""
    return ()


def text_id(kind: str, text: str) -> str:
    """What a passage from outside the build's own corpus is called: a hash of its text."""
    return f"{kind}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class Collection:
    """lines: {"_id", "title", "text", "also": its other ids, one a line} each, to be read once; repeated: passages of
    the corpus with the text of an earlier one; standing: for each id whose text stands under another, that other."""

    lines: Iterable[Mapping[str, Any]] = ()
    repeated: int = 0
    standing: Mapping[str, str] = field(default_factory=dict)


def collect(look: Look, outside: pa.Table | None = None) -> Collection:
    """The texts of a corpus in its order, then those of `outside`, {passage, title, text}, that it does not hold."""
    contexts = _SCHEMA.empty_table() if outside is None else outside
    digests, repeated = _repeats(look("text"))
    standing = _standing(look("passage", "text"), contexts, digests) if digests or contexts.num_rows else {}
    return Collection(_lines(look(*PASSAGE), contexts, standing), repeated, standing)


def _repeats(corpus: Iterable[pa.Table]) -> tuple[frozenset[int], int]:
    """The digests of texts that several passages have, and how many passages that are without the first of each."""
    parts = [np.fromiter(map(_digest, table["text"].to_pylist()), np.uint64, table.num_rows) for table in corpus]
    found, counts = np.unique(np.concatenate([np.empty(0, np.uint64), *parts]), return_counts=True)
    return frozenset(found[counts > 1].tolist()), int(counts.sum() - len(counts))


def _standing(corpus: Iterable[pa.Table], contexts: pa.Table, repeats: frozenset[int]) -> dict[str, str]:
    own = dict(values(contexts, "text", "passage"))
    names: defaultdict[str, list[str]] = defaultdict(list)
    for table in corpus:
        for text, name in values(table, "text", "passage"):
            if text in own or (repeats and _digest(text) in repeats):
                names[text].append(name)
    found = {}
    for text, held in names.items():
        first, *others = sorted(held)
        found.update(dict.fromkeys(others, first))
        if text in own:
            found[own[text]] = first
    return found


def _lines(corpus: Iterable[pa.Table], contexts: pa.Table, standing: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    also: defaultdict[str, list[str]] = defaultdict(list)
    for other, name in sorted(standing.items()):
        also[name].append(other)
    for table in chain(corpus, [contexts.sort_by("passage")]):
        for name, title, text in values(table, *PASSAGE):
            if name not in standing:
                yield {"_id": name, "title": title or "", "text": text, "also": "\n".join(also[name])}


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_BYTES).digest(), "big")
