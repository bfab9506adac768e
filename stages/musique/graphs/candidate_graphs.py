"""Step `candidate_graphs`: sound graphs of the six shapes, drawn at random (section 5.1, composition).

Every shape grows out of a smaller one (see `stages.musique.graphs.shapes`). After each step at
most `oversample * max_per_entity` graphs of any one bridge entity go on, so that a
popular entity cannot crowd out the others, and of the finished ones `oversample` times
as many as are wanted, the entities taking turns.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, Whole
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.musique.graphs.grow import first, grow, problems
from stages.musique.graphs.numbers import Numbered, numbered
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.shapes import BY_NAME, SHAPES, Shape
from stages.musique.graphs.tables import CANDIDATE_GRAPHS
from stages.musique.single_hops.tables import SINGLE_HOPS


def candidates(kept_bridges: pa.Table, single_hops: pa.Table, *, params: ReasoningGraphParams) -> Output:
    """CANDIDATE_GRAPHS from BRIDGES and SINGLE_HOPS.

    Metrics: hops (that a bridge uses), hops_over_length; per shape {shape}_sound, {shape}_over_length (of the sound
    ones), {shape}_candidates. Lengths count against the reported limits, whether or not they are kept to.
    Rejects, keyed by shape with a count of the graphs that were looked at: repeated_hop, repeated_paragraph,
    repeated_page, repeated_answer, answer_in_question, over_length, not_drawn; over_length also per "hop".
    """
    parts = numbered(kept_bridges, single_hops, params.seed)
    metrics: Counter[str] = Counter(hops=parts.nodes.num_rows)
    metrics["hops_over_length"] = _over(parts.nodes["tokens"], params.report_hop_tokens)
    rejects = Rejects()
    parts = _short(parts, params.hop_tokens, rejects)
    found: list[pa.Table] = []
    grown: dict[str, pa.Table] = {}
    for shape in SHAPES:
        if not _wanted(shape, params):
            continue
        parent = BY_NAME.get(shape.parent)
        graphs = first(parts) if parent is None else grow(parts, grown[parent.name], shape, parent, params.fan)
        graphs = _sound(problems(parts, graphs, shape), shape, rejects)
        metrics[f"{shape.name}_sound"] = graphs.num_rows
        metrics[f"{shape.name}_over_length"] = _over(graphs["tokens"], params.report_tokens(shape.level))
        grown[shape.name] = _in_turns(graphs, shape, params)
        drawn = _drawn(grown[shape.name], shape, params, rejects)
        if graphs.num_rows > drawn.num_rows:
            rejects.add(shape.name, "not_drawn", count=graphs.num_rows - drawn.num_rows)
        metrics[f"{shape.name}_candidates"] = drawn.num_rows
        found.append(_named(drawn, shape, parts))
    tables = {CANDIDATE_GRAPHS.name: pa.concat_tables([CANDIDATE_GRAPHS.empty(), *found])}
    return Output(tables, rejects.table(), {name: float(count) for name, count in metrics.items()})


def _wanted(shape: Shape, params: ReasoningGraphParams) -> bool:
    """Whether the shape, or one that grows out of it, is wanted."""
    return params.targets[shape.name] > 0 or any(
        _wanted(child, params) for child in SHAPES if child.parent == shape.name
    )


def _over(tokens: pa.ChunkedArray, most: int) -> int:
    return int(pc.sum(pc.greater(tokens, most)).as_py() or 0)


def _short(parts: Numbered, most: int | None, rejects: Rejects) -> Numbered:
    """Without the bridges of hops that are too long."""
    if most is None:
        return parts
    rejects.add("hop", "over_length", f"over {most} words", _over(parts.nodes["tokens"], most))
    edges = sql(
        f"""
        SELECT e.* FROM edges e JOIN nodes h ON h.hop = head JOIN nodes t ON t.hop = tail
        WHERE h.tokens <= {int(most)} AND t.tokens <= {int(most)}
        """,  # noqa: S608
        edges=parts.edges,
        nodes=parts.nodes,
    )
    return Numbered(parts.hops, parts.bridges, parts.nodes, edges, parts.occurrences)


def _sound(graphs: pa.Table, shape: Shape, rejects: Rejects) -> pa.Table:
    for row in pc.value_counts(graphs["problem"]).to_pylist():
        if row["values"] is not None:
            rejects.add(shape.name, row["values"], count=row["counts"])
    return graphs.filter(pc.is_null(graphs["problem"])).drop_columns("problem")


def _in_turns(graphs: pa.Table, shape: Shape, params: ReasoningGraphParams) -> pa.Table:
    """The graphs that go on, with their turn: entity by entity the first of each, then the second of each, ..."""
    hops = ", ".join(f"n{place}" for place in range(1, shape.level + 1))
    edges = ", ".join(f"e{place}" for place in range(1, len(shape.edges) + 1))
    return sql(
        f"""
        SELECT * EXCLUDE (turn), row_number() OVER (ORDER BY turn, chance, {hops}, {edges}) AS turn FROM (
            SELECT *, row_number() OVER (PARTITION BY entity ORDER BY chance, {hops}, {edges}) AS turn FROM graphs
        ) WHERE turn <= {params.oversample * params.max_per_entity} ORDER BY turn LIMIT {params.partials}
        """,  # noqa: S608
        graphs=graphs,
    )


def _drawn(graphs: pa.Table, shape: Shape, params: ReasoningGraphParams, rejects: Rejects) -> pa.Table:
    most = params.most_tokens(shape.level)
    if most is not None:
        long = _over(graphs["tokens"], most)
        if long:
            rejects.add(shape.name, "over_length", f"over {most} words", long)
        graphs = graphs.filter(pc.less_equal(graphs["tokens"], most))
    return graphs.sort_by("turn").slice(0, params.oversample * params.targets[shape.name])


def _named(graphs: pa.Table, shape: Shape, parts: Numbered) -> pa.Table:
    """Rows of CANDIDATE_GRAPHS."""
    names, bridges = parts.hops["hop"], parts.bridges
    order = sorted(range(1, shape.level + 1), key=lambda place: shape.built[place - 1])
    hops = [names.take(graphs[f"n{place}"]).combine_chunks().to_pylist() for place in order]
    used = [graphs[f"e{place}"] for place in range(1, len(shape.edges) + 1)]
    entities = [bridges["entity"].take(edge).to_pylist() for edge in used]
    spans = [
        [
            {"from": head, "to": tail, "start": start, "end": end}
            for start, end in zip(graphs[f"s{place}"].to_pylist(), graphs[f"t{place}"].to_pylist(), strict=True)
        ]
        for place, (head, tail) in enumerate(shape.edges, start=1)
    ]
    chains = [list(chain) for chain in zip(*hops, strict=True)]
    columns = [
        [f"{shape.name}__{'_'.join(chain)}" for chain in chains],
        [shape.name] * len(chains),
        chains,
        [list(edges) for edges in zip(*spans, strict=True)],
        [list(row) for row in zip(*entities, strict=True)],
        graphs["tokens"].to_pylist(),
    ]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, CANDIDATE_GRAPHS.schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=CANDIDATE_GRAPHS.schema)


def stage(
    params: ReasoningGraphParams | None = None, bridges: str = "kept_bridges", hops: str = SINGLE_HOPS.name
) -> Stage:
    """bridges, hops: the tables to read, of the columns of BRIDGES and SINGLE_HOPS."""
    params = params or ReasoningGraphParams()
    return Stage(
        name="musique.candidate_graphs",
        shape=Whole(),
        kernel=partial(candidates, params=params),
        inputs=(bridges, hops),
        outputs=(CANDIDATE_GRAPHS,),
        about="Section 5.1: sound graphs of the six shapes, drawn at random.",
    )
