"""Sorts of things: what tells a place from an organisation where P279 leads from one to the other.

Chains of P279 are long, and many of their steps are false or only half true: a city is a
community, a community an organization. A sort is named by a path from general to narrow
("organisation/school"); two sorts fit where one is a part of the other's path.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

Sorts = Mapping[str, tuple[str, ...]]
"""The sorts of some classes (QIDs)."""


def fits(first: str, second: str) -> bool:
    """Whether a thing may be of both sorts: "place" and "place/area" are, "place/area" and "place/nature" are not."""
    return f"{second}/".startswith(f"{first}/") or f"{first}/".startswith(f"{second}/")


def fitting(sorts: Sorts, classes: tuple[str, ...]) -> pa.Table:
    """Pairs (class, sort) for those of some classes that have a sort: all the sorts that fit one of theirs."""
    known = sorted({sort for named in sorts.values() for sort in named})
    pairs = [
        (qid, sort)
        for qid in sorted(set(classes))
        for sort in known
        if any(fits(sort, own) for own in sorts.get(qid, ()))
    ]
    return pa.table(
        {
            "class": pa.array([qid for qid, _ in pairs], pa.string()),
            "sort": pa.array([s for _, s in pairs], pa.string()),
        }
    )
