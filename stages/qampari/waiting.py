"""Who waits to replace a question of dev or test: questions of the same pool and kind, in a line for each split."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stages.core.quota import divide, spread
from stages.core.seeds import rank
from stages.qampari.cleaning import KINDS


def by_relation(rows: Iterable[Mapping[str, Any]]) -> defaultdict[str, defaultdict[str, list[str]]]:
    """Queries by kind and relations."""
    groups: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        groups[row["kind"]][" ".join(row["properties"])].append(row["query"])
    return groups


def line(
    pool: Sequence[Mapping[str, Any]], chosen: Mapping[str, Sequence[str]], share: float, seed: int
) -> dict[str, tuple[str, int]]:
    """Query to (split, place) of those that wait; places count from 1 within a split and kind.

    pool: rows with query, kind and properties; chosen: the queries of two splits, which do not wait.
    share: how many wait per chosen query of the same kind. They are taken relation by relation in turns,
    and shared out over the splits as their chosen queries of that kind are.
    """
    taken = {query for queries in chosen.values() for query in queries}
    groups = by_relation(row for row in pool if row["query"] not in taken)
    kinds = {row["query"]: row["kind"] for row in pool}
    counts = Counter((split, kinds[query]) for split, queries in chosen.items() for query in queries)
    waiting: dict[str, tuple[str, int]] = {}
    for kind in KINDS:
        sizes = [counts[split, kind] for split in chosen]
        queue = _in_turns(groups[kind], math.ceil(round(share * sum(sizes), 9)), seed, kind)
        first = round(len(queue) * sizes[0] / max(1, sum(sizes)))
        for split, queries in zip(chosen, divide(queue, first), strict=True):
            waiting |= {query: (split, place) for place, query in enumerate(queries, start=1)}
    return waiting


def _in_turns(groups: Mapping[str, Sequence[str]], total: int, seed: int, kind: str) -> list[str]:
    """Up to `total` queries, the first of each group before the second of any."""
    turns = spread(groups, total, seed, f"{kind} line")
    return [
        query
        for *_, query in sorted(
            (turn, rank(seed, query, "line"), query) for queries in turns.values() for turn, query in enumerate(queries)
        )
    ]
