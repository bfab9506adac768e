"""Stage `wiqa.path_questions`: every question that a path of 1 to 3 edges answers (WIQA, section 3.2).

Works on columns: the texts of all graphs lie in one array, and each pair of nodes joins
ranges of it. A question is asked once per pair of texts, by the first path of PATHS
that the graph has; others between the same nodes agree with it in sign and length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Map, Output, Stage
from stages.core.rejects import Rejects
from stages.wiqa.graph import LESS, MORE, NEITHER, OUTCOMES, PAIRS, PATHS, POLARITY, question_type
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.phrases import Phrases, codes, lay_out
from stages.wiqa.tables import PATH_QUESTIONS, PATH_STRATA, strata


def questions(graphs: pa.Table) -> Output:
    """PATH_QUESTIONS and PATH_STRATA from all graphs of some paragraphs.

    Two texts count as one where they differ only in case, spaces and outer punctuation. Rejects, keyed by question:
    same_text (change and effect are one text), contradictory (the paragraph has the same change and effect with
    another answer; all of them go), duplicate_text (with the same answer; the one with the fewest hops stays).
    """
    graphs = graphs.sort_by([(name, "ascending") for name in GRAPHS.key]).combine_chunks()
    phrases = lay_out(graphs)
    asked = _Asked.concatenate([_ask(graphs, phrases, *pair) for pair in PAIRS])
    table = _table(graphs, phrases, asked)
    paragraph = codes(graphs["para_id"])[asked.graph]
    kept, rejects = _without_repeats(table, paragraph, phrases.code[asked.change], phrases.code[asked.effect], asked)
    return Output(
        {PATH_QUESTIONS.name: kept, PATH_STRATA.name: strata(kept, PATH_STRATA)},
        rejects,
        {"path_questions": float(kept.num_rows), "node_pairs": float(asked.pairs)},
    )


@dataclass(frozen=True)
class _Asked:
    """One entry per question. graph: row of its graph; path: number in PATHS; change, effect: phrases;
    grounding: number of the pair of texts; more: its label. pairs: node pairs of all graphs."""

    graph: np.ndarray
    path: np.ndarray
    change: np.ndarray
    effect: np.ndarray
    grounding: np.ndarray
    more: np.ndarray
    pairs: int

    @classmethod
    def concatenate(cls, parts: list[_Asked]) -> _Asked:
        def all_of(name: str) -> np.ndarray:
            return np.concatenate([getattr(part, name) for part in parts])

        return cls(
            graph=all_of("graph"),
            path=all_of("path"),
            change=all_of("change"),
            effect=all_of("effect"),
            grounding=all_of("grounding"),
            more=all_of("more"),
            pairs=sum(part.pairs for part in parts),
        )


def _ask(graphs: pa.Table, phrases: Phrases, source: str, target: str) -> _Asked:
    """Every text of one node with every text of another, in all graphs that join the two."""
    path = _first_path(graphs, phrases, source, target)
    rows = np.flatnonzero(path >= 0)
    sources, targets = phrases.counts[source][rows], phrases.counts[target][rows]
    sizes = sources * targets
    which = np.repeat(np.arange(len(rows)), sizes)
    grounding = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    graph, width = rows[which], targets[which]
    sign = POLARITY[source] * POLARITY[target]
    flips = (_is(graphs, LESS) if target in OUTCOMES else np.zeros(graphs.num_rows, bool))[graph]
    return _Asked(
        graph=graph,
        path=path[graph],
        change=phrases.starts[source][graph] + grounding // width,
        effect=phrases.starts[target][graph] + grounding % width,
        grounding=grounding,
        more=(sign > 0) ^ flips,
        pairs=len(rows),
    )


def _first_path(graphs: pa.Table, phrases: Phrases, source: str, target: str) -> np.ndarray:
    """Per graph the number of its first path between two nodes, -1 where it has none."""
    found = np.full(graphs.num_rows, -1)
    allowed = ~_is(graphs, NEITHER) if target in OUTCOMES else np.ones(graphs.num_rows, bool)
    for number in reversed(range(len(PATHS))):
        path = PATHS[number]
        if (path[0], path[-1]) == (source, target):
            found[allowed & np.all([phrases.counts[node] > 0 for node in path], axis=0)] = number
    return found


def _is(graphs: pa.Table, value: str) -> np.ndarray:
    return pc.equal(graphs["y_affects"], value).to_numpy(zero_copy_only=False)


def _table(graphs: pa.Table, phrases: Phrases, asked: _Asked) -> pa.Table:
    own = graphs.select(["para_id", "graph_id", "topic"]).take(pa.array(asked.graph))
    number = pa.array(asked.path)
    return pa.table(
        {
            "question": _ids(own, number, pa.array(asked.grounding)),
            **{name: own[name] for name in own.schema.names},
            "source_node": pa.array([path[0] for path in PATHS]).take(number),
            "target_node": pa.array([path[-1] for path in PATHS]).take(number),
            "change": phrases.texts.take(pa.array(asked.change)),
            "effect": phrases.texts.take(pa.array(asked.effect)),
            "label": pa.array([LESS, MORE]).take(pa.array(asked.more.astype(np.int8))),
            "hops": pa.array([len(path) - 1 for path in PATHS], pa.int32()).take(number),
            "path": pa.array([list(path) for path in PATHS]).take(number),
            "question_type": pa.array([question_type(path[0]) for path in PATHS]).take(number),
            "from_para": own["para_id"],
            "from_graph": own["graph_id"],
            "confirmed": pa.repeat(False, len(number)),
        },
        schema=PATH_QUESTIONS.schema,
    )


def _ids(own: pa.Table, path: pa.Array, grounding: pa.Array) -> pa.ChunkedArray:
    place = pc.binary_join_element_wise("influence_graph", own["para_id"], own["graph_id"], path.cast(pa.string()), ":")
    return pc.binary_join_element_wise(place, grounding.cast(pa.string()), "#")


def _without_repeats(
    table: pa.Table, paragraph: np.ndarray, change: np.ndarray, effect: np.ndarray, asked: _Asked
) -> tuple[pa.Table, pa.Table]:
    """The questions of which each pair of texts in a paragraph is asked once and with one answer; and the rejects."""
    # PATHS begins with the short ones, so ordering by path puts the fewest hops first.
    order = np.lexsort((asked.grounding, asked.path, asked.graph, asked.path, effect, change, paragraph))
    keys = np.stack([paragraph, change, effect])[:, order]
    starts = np.ones(len(order), bool)
    starts[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    group = np.cumsum(starts) - 1
    answers = np.zeros((starts.sum(), 2), bool)
    more = asked.more[order]
    answers[group[more], 0] = True
    answers[group[~more], 1] = True
    same = change[order] == effect[order]
    contradictory = ~same & (answers[:, 0] & answers[:, 1])[group]
    repeated = ~same & ~contradictory & ~starts
    rejects = Rejects()
    for mask, reason in ((same, "same_text"), (contradictory, "contradictory"), (repeated, "duplicate_text")):
        rejects.add_all(table["question"].take(pa.array(order[mask])), reason)
    return table.take(pa.array(order[~(same | contradictory | repeated)])), rejects.table()


def stage() -> Stage:
    return Stage(
        name="wiqa.path_questions",
        shape=Map(),
        kernel=questions,
        inputs=(GRAPHS.name,),
        outputs=(PATH_QUESTIONS, PATH_STRATA),
        about="Section 3.2: all questions along paths of one to three edges, answered by their signs.",
    )
