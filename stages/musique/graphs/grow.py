"""Growing graphs by one hop at a time, with joins that never make more rows than are wanted.

Rows describe graphs by numbers: per hop, in the order of adding, n1, p1, g1, a1, ... (hop,
paragraph, page, answer); per edge e1, s1, t1, ... (edge, where its mention starts and ends);
`entity` of the latest edge, `chance` (the graph's random number), `tokens` in all.

A hop may have thousands of bridges. They are numbered in random order, and a graph is
joined with `fan` of them, beginning at a place that its chance gives: an equality join
on the place, in which the full product never comes to be.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.sql import sql
from stages.musique.graphs.numbers import Numbered
from stages.musique.graphs.shapes import FOLLOW, Shape

_REPEATED = (("n", "repeated_hop"), ("p", "repeated_paragraph"), ("g", "repeated_page"), ("a", "repeated_answer"))


def first(parts: Numbered) -> pa.Table:
    """Every bridge as a graph of two hops."""
    return sql(
        """
        SELECT head AS n1, h.paragraph AS p1, h.page AS g1, h.answer AS a1,
            tail AS n2, t.paragraph AS p2, t.page AS g2, t.answer AS a2,
            edge AS e1, start AS s1, "end" AS t1, entity, chance, h.tokens + t.tokens AS tokens
        FROM edges JOIN nodes h ON h.hop = head JOIN nodes t ON t.hop = tail
        """,
        edges=parts.edges,
        nodes=parts.nodes,
    )


def grow(parts: Numbered, graphs: pa.Table, shape: Shape, parent: Shape, fan: int) -> pa.Table:
    """Graphs of the parent's shape with one more hop, whether sound or not."""
    old = [f"{letter}{place}" for letter in "npga" for place in range(1, parent.level + 1)]
    old += [f"{letter}{place}" for letter in "est" for place in range(1, len(parent.edges) + 1)]
    new, edge, last = shape.level, len(shape.edges), f"n{parent.last}"
    if shape.grows == FOLLOW:
        group, added, free = "head", "tail", "TRUE"
    else:
        # The last question must ask about the other answer where it does not ask about one yet.
        group, added = 'tail, start, "end"', "head"
        free = f"m.start >= t{edge - 1}" + ("" if shape.symmetric else f' OR m."end" <= s{edge - 1}')
    joined = " AND ".join(f"b.{name} = w.m.{name}" for name in group.split(", "))
    return sql(
        f"""
        WITH ways AS (
            SELECT g.*, m, degree, unnest(range(least({fan}, degree))) AS way
            FROM graphs g JOIN (
                SELECT {group}, count(*) AS degree FROM edges GROUP BY ALL
            ) m ON m.{group.split(",")[0]} = g.{last} AND ({free})
        ), bridges AS (
            SELECT *, row_number() OVER (PARTITION BY {group} ORDER BY chance, edge) - 1 AS place FROM edges
        )
        SELECT {", ".join(f"w.{name}" for name in old)}, x.hop AS n{new}, x.paragraph AS p{new}, x.page AS g{new},
            x.answer AS a{new},
            b.edge AS e{edge}, b.start AS s{edge}, b."end" AS t{edge},
            b.entity, xor(w.chance, b.chance // 2) AS chance, w.tokens + x.tokens AS tokens
        FROM ways w JOIN bridges b ON {joined} AND b.place = (w.chance + w.way) % w.degree
        JOIN nodes x ON x.hop = b.{added}
        """,  # noqa: S608
        graphs=graphs,
        edges=parts.edges,
        nodes=parts.nodes,
    )


def problems(parts: Numbered, graphs: pa.Table, shape: Shape) -> pa.Table:
    """The graphs with a column `problem`: why one is unsound, null where it is sound.

    repeated_hop, repeated_paragraph, repeated_page (another paragraph of one page), repeated_answer: of the hop that
    was added last.
    answer_in_question: some hop's question gives away an answer of the graph outside the places that ask about one.
    What grows out of an unsound graph does not come to be, even where a further edge would cover the place.
    """
    new = shape.level
    repeated = "".join(
        f"WHEN {letter}{new} IN ({', '.join(f'{letter}{place}' for place in range(1, new))}) THEN '{word}' "
        for letter, word in _REPEATED
    )
    pairs = " UNION ALL ".join(_shown(shape, question, answer) for question, answer in _new_pairs(new))
    return sql(
        f"""
        WITH numbered AS MATERIALIZED (SELECT *, row_number() OVER () AS number FROM graphs),
        pairs AS ({pairs}),
        given_away AS (
            SELECT DISTINCT number FROM pairs JOIN occurrences o USING (hop, answer)
            WHERE NOT (o.start < t AND o."end" > s) AND NOT (o.start < other_t AND o."end" > other_s)
        )
        SELECT * EXCLUDE (number), CASE {repeated}
            WHEN number IN (SELECT number FROM given_away) THEN 'answer_in_question' END AS problem
        FROM numbered
        """,  # noqa: S608
        graphs=graphs,
        occurrences=parts.occurrences,
    )


def _new_pairs(new: int) -> list[tuple[int, int]]:
    """The pairs of (question, answer) that were not yet looked at when the graph was smaller."""
    places = range(1, new + 1)
    every = [(question, answer) for question in places for answer in places]
    return every if new == 2 else [pair for pair in every if new in pair]


def _shown(shape: Shape, question: int, answer: int) -> str:
    masked = [place for place, (_, tail) in enumerate(shape.places(), start=1) if tail == question]
    spans = [(f"s{place}", f"t{place}") for place in masked] + [("-1", "-1")] * 2
    (s, t), (other_s, other_t) = spans[:2]
    return (
        f"SELECT number, n{question} AS hop, a{answer} AS answer, {s} AS s, {t} AS t, "  # noqa: S608
        f"{other_s} AS other_s, {other_t} AS other_t FROM numbered"
    )
