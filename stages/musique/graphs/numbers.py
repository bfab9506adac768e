"""Hops and bridges by numbers, for joins that need not look at texts again.

Numbers follow the sorted ids, and the random place of a bridge its ids and the seed
alone, so that neither depends on how the rows came.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.seeds import rank
from stages.core.sql import sql
from stages.musique.single_hops.forms import Words, bare, form

EDGE_COLUMNS = ("edge", "head", "tail", "entity", "start", "end", "chance")


@dataclass(frozen=True)
class Numbered:
    """hops: the rows of the single hops that any bridge uses, by id; a hop's number is its row.

    nodes: hop, paragraph, page (its title; a paragraph without one is a page of its own), answer (numbers, equal for
        equal ones), tokens.
    edges: EDGE_COLUMNS; an edge's number is its row in `bridges`, which is sorted by (head, tail).
    occurrences: hop, answer, start, end: where the question of a hop contains any hop's answer as whole words.
    """

    hops: pa.Table
    bridges: pa.Table
    nodes: pa.Table
    edges: pa.Table
    occurrences: pa.Table


def numbered(kept_bridges: pa.Table, single_hops: pa.Table, seed: int) -> Numbered:
    """The bridges and the hops that they join."""
    used = pa.table({"hop": pc.unique(pa.concat_arrays(_ends(kept_bridges)))})
    hops = sql("SELECT s.* FROM single_hops s SEMI JOIN used USING (hop)", single_hops=single_hops, used=used)
    hops = hops.sort_by("hop").combine_chunks()
    bridges = kept_bridges.sort_by([("head", "ascending"), ("tail", "ascending")]).combine_chunks()
    forms = [bare(form(answer)) for answer in hops["answer"].to_pylist()]
    answers = {answer: at for at, answer in enumerate(sorted(set(forms)))}
    nodes = pa.table(
        {
            "hop": pa.array(np.arange(hops.num_rows), pa.int32()),
            "paragraph": _ranks(hops["paragraph"]),
            "page": _ranks(_pages(hops)),
            "answer": pa.array([answers[answer] for answer in forms], pa.int32()),
            "tokens": hops["tokens"],
        }
    )
    return Numbered(hops, bridges, nodes, _edges(bridges, hops["hop"], seed), _occurrences(hops, answers))


def _ends(bridges: pa.Table) -> list[pa.Array]:
    return [chunk for name in ("head", "tail") for chunk in bridges[name].cast(pa.string()).chunks] or [
        pa.array([], pa.string())
    ]


def _ranks(column: pa.ChunkedArray) -> pa.Array:
    """The place of each value among the sorted distinct ones."""
    return pc.index_in(column, pc.unique(column).sort()).combine_chunks()


def _pages(hops: pa.Table) -> pa.ChunkedArray:
    titles = (form(title) for title in hops["title"].to_pylist())
    # No title has more than its words, and a space on either side.
    own = (f"#{paragraph}" for paragraph in hops["paragraph"].to_pylist())
    pages = [other if title == " " else title for title, other in zip(titles, own, strict=True)]
    return pa.chunked_array([pages], pa.string())


def _edges(bridges: pa.Table, hops: pa.ChunkedArray, seed: int) -> pa.Table:
    pairs = zip(bridges["head"].to_pylist(), bridges["tail"].to_pylist(), strict=True)
    # 62 bits, so that the sum of two still fits a signed integer.
    chances = [int.from_bytes(rank(seed, f"{head}\x1f{tail}", "bridge")[:8]) >> 2 for head, tail in pairs]
    columns = [
        pa.array(np.arange(bridges.num_rows), pa.int32()),
        pc.index_in(bridges["head"], hops),
        pc.index_in(bridges["tail"], hops),
        _ranks(bridges["entity"]),
        bridges["start"],
        bridges["end"],
        pa.array(chances, pa.int64()),
    ]
    return pa.table(columns, names=list(EDGE_COLUMNS))


def _occurrences(hops: pa.Table, answers: dict[str, int]) -> pa.Table:
    longest = max((answer.count(" ") - 1 for answer in answers), default=0)
    rows: list[tuple[int, int, int, int]] = []
    for number, question in enumerate(hops["question"].to_pylist()):
        words = Words.of(question)
        for first in range(len(words.words)):
            for last in range(first, min(first + longest, len(words.words))):
                answer = answers.get(f" {' '.join(words.words[first : last + 1])} ")
                if answer is not None:
                    rows.append((number, answer, *words.span(first, last)))
    columns = zip(*rows, strict=True) if rows else [()] * 4
    return pa.table([pa.array(column, pa.int32()) for column in columns], names=["hop", "answer", "start", "end"])
