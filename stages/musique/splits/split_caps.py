"""Stage `musique.split_caps`: no split in which too many questions of a shape are alike (section 5.1, composition).

What is alike over all questions gathers in one split, as splits share no answer and no paragraph:
"Istanbul" of some is all in dev. So the shares that bound the choice of graphs (see
`stages.musique.graphs.diversity`) are bounded in each split once more. Where there are too few
others, there are fewer questions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.core.splits import SPLITS
from stages.musique.graphs.diversity import KINDS, TEMPLATE, Trait, traits
from stages.musique.graphs.shapes import SHAPES
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.spellings.answer_forms import digests
from stages.musique.splits.splits import GRAPH_SPLITS

Told = Mapping[str, frozenset[Trait]]
_COLUMNS = ("hop", "question", "relation", "answer", "answer_aliases", "title")


@dataclass(frozen=True)
class SplitCapParams:
    """seed: of the choice between questions that are alike.
    max_share: of one shape's questions in one split, the largest share with one last hop, template, bridge entity, page
        or final answer; share_floor: how many there may be in any case.
    """

    seed: int = 0
    max_share: float = 0.05
    share_floor: int = 3

    def __post_init__(self) -> None:
        if not 0 <= self.max_share <= 1:
            raise StageError(f"max_share: expected a share from 0 to 1, got {self.max_share!r}")
        at_least(self, 1, "share_floor")

    def room(self, questions: int) -> int:
        """The most questions with one trait among so many."""
        return max(self.share_floor, int(self.max_share * questions))


def capped(graph_splits: pa.Table, composed_hops: pa.Table, single_hops: pa.Table, *, params: SplitCapParams) -> Output:
    """GRAPH_SPLITS from all of it, COMPOSED_HOPS and SINGLE_HOPS.

    Rejects, keyed by graph: over_share_of_split. Metrics: questions per split and shape ({split}_{shape}), and the
    largest share that a trait of a kind has in any shape of ten or more questions ({split}_commonest_{kind}).
    """
    told = _told(graph_splits, composed_hops, single_hops)
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for row in graph_splits.to_pylist():
        groups[row["split"], row["graph"].partition("__")[0]].append(row["graph"])
    kept: set[str] = set()
    metrics = {f"{split}_{shape.name}": 0.0 for split in SPLITS for shape in SHAPES}
    metrics |= {f"{split}_commonest_{kind}": 0.0 for split in SPLITS for kind in KINDS}
    for (split, shape), graphs in sorted(groups.items()):
        chosen = choose(sorted(graphs, key=lambda graph: rank(params.seed, graph, "split_caps")), told, params)
        kept |= set(chosen)
        metrics[f"{split}_{shape}"] = float(len(chosen))
        for kind, share in _commonest(chosen, told).items():
            metrics[f"{split}_commonest_{kind}"] = max(metrics[f"{split}_commonest_{kind}"], share)
    table = graph_splits.filter(pc.is_in(graph_splits["graph"], pa.array(sorted(kept), pa.string())))
    rejects = Rejects()
    for graph in sorted(set(graph_splits["graph"].to_pylist()) - kept):
        rejects.add(graph, "over_share_of_split", f"max_share {params.max_share}, share_floor {params.share_floor}")
    return Output({GRAPH_SPLITS.name: table}, rejects.table(), metrics)


_LEAST_TOLD = 10


def _commonest(graphs: Sequence[str], told: Told) -> dict[str, float]:
    counts = {kind: Counter[object]() for kind in KINDS}
    for graph in graphs:
        for kind, value in told[graph]:
            counts[kind][value] += 1
    few = len(graphs) < _LEAST_TOLD
    return {kind: 0.0 if few else max(found.values(), default=0) / len(graphs) for kind, found in counts.items()}


def _told(graph_splits: pa.Table, composed_hops: pa.Table, single_hops: pa.Table) -> Told:
    graphs = composed_hops.filter(pc.is_in(composed_hops["graph"], graph_splits["graph"].combine_chunks()))
    used = pc.is_in(single_hops["hop"], pc.unique(pc.list_flatten(graphs["hops"])))
    hops = {row["hop"]: row for row in single_hops.select(_COLUMNS).filter(used).to_pylist()}
    rows: list[dict[str, Any]] = graphs.select(["graph", "hops", "entities"]).to_pylist()
    return {row["graph"]: frozenset(traits(row, [hops[hop] for hop in row["hops"]])) for row in rows}


def choose(graphs: Sequence[str], told: Told, params: SplitCapParams) -> list[str]:
    """As many of the graphs as the shares bear; of those that are alike the first stay.

    Where there are too few templates for their share, templates are free, as in `graph_selection`.
    """
    templates = {trait for graph in graphs for trait in told[graph] if trait[0] == TEMPLATE}
    free = bool(params.max_share) and len(templates) * params.max_share < 1
    bound = {graph: [trait for trait in told[graph] if not (free and trait[0] == TEMPLATE)] for graph in graphs}
    chosen: list[str] = []
    fewer = list(graphs)
    # As they become fewer, so does the room.
    while fewer != chosen:
        chosen, fewer = fewer, _within(fewer, bound, params.room(len(fewer)))
    # What went beside others that are gone by now may come back.
    while len(more := _within([*chosen, *_others(graphs, chosen)], bound, params.room(len(chosen)))) > len(chosen):
        chosen = more
    return chosen


def _others(graphs: Sequence[str], chosen: Sequence[str]) -> list[str]:
    gone = set(graphs) - set(chosen)
    return [graph for graph in graphs if graph in gone]


def _within(graphs: Sequence[str], bound: Mapping[str, Sequence[Trait]], room: int) -> list[str]:
    counts: Counter[Trait] = Counter()
    kept = []
    for graph in graphs:
        if all(counts[trait] < room for trait in bound[graph]):
            counts.update(bound[graph])
            kept.append(graph)
    return kept


def stage(params: SplitCapParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    """hops: name of a table of SINGLE_HOPS."""
    params = params or SplitCapParams()
    return Stage(
        name="musique.split_caps",
        shape=Whole(),
        kernel=partial(capped, params=params),
        inputs=(GRAPH_SPLITS.name, COMPOSED_HOPS.name, hops),
        outputs=(GRAPH_SPLITS,),
        templates=digests(),
        about="Section 5.1: in no split too many questions of a shape that are alike.",
    )
