"""Step `bridge_identity` of `musique.bridge_pairs`: pairs whose bridge is one entity on both sides (MuSiQue, step 2).

The paper asks in three ways: the tagger's type (see `pairs`), the first result of a
search, and a wikifier. Each has its own reject reason and can be left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.rejects import Rejects
from stages.musique.bridges.resolvers import FullerNames, Resolver, Search, Surroundings, Vocabulary, Wikifier, failed
from stages.musique.bridges.tables import BRIDGES, KNOWN_NAMES, PAIRS
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.wikipedia.titles import normalise_title


@dataclass(frozen=True)
class IdentityParams:
    """Which checks are made.

    fuller: whether names are two where the texts tell other first names, or other places that they lie in.
    min_similarity: the wikifier's least similarity (a cosine) for names that nothing else tells apart.
    """

    search: bool = True
    wikify: bool = True
    fuller: bool = True
    min_similarity: float = 0.04

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_similarity <= 1.0:
            raise StageError(f"min_similarity: expected a number from 0 to 1, got {self.min_similarity}")


def identity(pairs: pa.Table, hops: pa.Table, names: pa.Table, *, params: IdentityParams) -> Output:
    """BRIDGES from all PAIRS, SINGLE_HOPS and KNOWN_NAMES.

    Rejects, keyed by the entity and counted: other_full_name, other_search_result, other_entity.
    """
    rows = pairs.to_pylist()
    wanted = {row["entity"] for row in rows}
    known = [row for row in names.to_pylist() if row["name"] in wanted]
    by_hop = {row["hop"]: row for row in hops.to_pylist()}
    resolvers = _resolvers(known, by_hop, params)
    places: dict[tuple[str, str, str], Surroundings] = {}
    kept, dropped = [], Counter[tuple[str, str]]()
    for row in rows:
        head, tail = (_place(places, by_hop[row[side]], row) for side in ("head", "tail"))
        reason = failed(resolvers, head, tail)
        if reason is None:
            kept.append(row)
        else:
            dropped[row["entity"], reason] += 1
    rejects = Rejects()
    for (entity, reason), count in sorted(dropped.items()):
        rejects.add(entity, reason, "", count)
    return Output({BRIDGES.name: BRIDGES.table(kept)}, rejects.table(), _metrics(kept))


def _resolvers(known: list[dict[str, Any]], by_hop: dict[str, Any], params: IdentityParams) -> list[Resolver]:
    found: list[Resolver] = [FullerNames()] if params.fuller else []
    if params.search:
        found.append(Search(known))
    if params.wikify:
        # In a fixed order, though only counts are taken.
        texts = sorted({row["text"] for row in by_hop.values()})
        found.append(Wikifier(known, Vocabulary(texts), params.min_similarity))
    return found


def _place(places: dict[tuple[str, str, str], Surroundings], hop: dict[str, Any], row: dict[str, Any]) -> Surroundings:
    key = (hop["hop"], row["entity"], row["entity_type"])
    if key not in places:
        text = f"{hop['question']} . {hop['text']}"
        places[key] = Surroundings(row["entity"], row["entity_type"], normalise_title(hop["title"]), text)
    return places[key]


def _metrics(kept: list[dict[str, Any]]) -> dict[str, float]:
    distinct = {name: len({row[name] for row in kept}) for name in ("head", "tail", "entity")}
    return {
        "bridges": float(len(kept)),
        "bridge_entities": float(distinct["entity"]),
        "head_hops": float(distinct["head"]),
        "tail_hops": float(distinct["tail"]),
    }


def stage(params: IdentityParams | None = None) -> Stage:
    params = params or IdentityParams()
    return Stage(
        name="musique.bridge_identity",
        shape=Whole(),
        kernel=partial(identity, params=params),
        inputs=(PAIRS.name, SINGLE_HOPS.name, KNOWN_NAMES.name),
        outputs=(BRIDGES,),
        about="S2: pairs whose bridge is one entity on both sides.",
    )
