"""The collection to search: passages of a build's pages and of its questions, each text once.

Pages repeat each other's text, as where one title was moved and both were kept. Such a text is
written once, under the first of its ids, with the others under `also`, so that every id that a
record names is found. Two looks at the corpus do it: one for digests of eight bytes, of which
the repeated ones are remembered, and one for the lines.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

_BYTES = 8


@dataclass(frozen=True)
class Repeats:
    """digests: of texts that more than one passage has; passages: how many passages that are, without the first."""

    digests: frozenset[int] = frozenset()
    passages: int = 0


def find_repeats(corpus: Iterable[pa.Table]) -> Repeats:
    """The repeated texts of tables with a column `text`."""
    parts = [np.fromiter(map(_digest, table["text"].to_pylist()), np.uint64, table.num_rows) for table in corpus]
    if not parts:
        return Repeats()
    values, counts = np.unique(np.concatenate(parts), return_counts=True)
    return Repeats(frozenset(values[counts > 1].tolist()), int(counts.sum() - len(counts)))


def corpus_lines(contexts: pa.Table, corpus: Iterable[pa.Table], repeats: Repeats) -> Iterator[Mapping[str, Any]]:
    """{"id", "title", "text"} and where a text has several ids "also": the others, sorted.

    contexts, corpus: tables of {passage, title, text}; a context whose text the corpus holds is left out.
    Texts of one passage come first, in the order of the corpus, then the repeated ones, then the contexts.
    """
    own = {row["text"]: row for row in contexts.sort_by("passage").to_pylist()}
    shared: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for table in corpus:
        for row in table.to_pylist():
            own.pop(row["text"], None)
            if repeats.digests and _digest(row["text"]) in repeats.digests:
                shared[row["text"]].append(row)
            else:
                yield _line(row)
    for first, *others in sorted((sorted(rows, key=_id) for rows in shared.values()), key=lambda rows: _id(rows[0])):
        yield _line(first) | ({"also": [_id(row) for row in others]} if others else {})
    yield from map(_line, own.values())


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_BYTES).digest(), "big")


def _id(row: Mapping[str, Any]) -> str:
    return str(row["passage"])


def _line(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": row["passage"], "title": row["title"], "text": row["text"]}
