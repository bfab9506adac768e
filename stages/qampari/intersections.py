"""Stage `qampari.intersections`: r1(e1) AND r2(e2) (the paper's step 6).

Where all answers of one part are answers of the other, that part alone asks the same
question, so the pair is no intersection.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.contract import Join, Output, Stage
from stages.core.rows import as_rejects, fit, total
from stages.core.sql import sql
from stages.qampari.tables import INTERSECTION_ANSWERS, INTERSECTION_QUERIES


def intersections(pair_parts: pa.Table, pair_proofs: pa.Table) -> Output:
    """INTERSECTION_QUERIES and INTERSECTION_ANSWERS from one bucket of both inputs by pair.

    Rejects: subset (keyed by pair).
    """
    judged = _pair(pair_parts)
    queries = judged.filter(pa.compute.invert(judged["subset"]))
    rejects = sql(
        """
        SELECT query AS key, 'subset' AS reason, 1 AS count,
            CASE WHEN wholes[1] AND wholes[2] THEN 'both parts have the same answers'
                 WHEN wholes[1] THEN 'the second part has all answers of the first'
                 ELSE 'the first part has all answers of the second' END AS detail
        FROM judged WHERE subset
        """,
        judged=judged.select(["query", "subset", "wholes"]),
    )
    answers = sql(
        """
        SELECT pair AS query, answer, 'item' AS answer_kind, '' AS unit,
            list(proof ORDER BY position) AS proofs, list(score ORDER BY position) AS scores
        FROM pair_proofs p SEMI JOIN queries q ON q.query = p.pair GROUP BY pair, answer
        """,
        pair_proofs=pair_proofs,
        queries=queries.select(["query"]),
    )
    tables = {
        INTERSECTION_QUERIES.name: fit(INTERSECTION_QUERIES, queries),
        INTERSECTION_ANSWERS.name: fit(INTERSECTION_ANSWERS, answers),
    }
    return Output(
        tables, as_rejects(rejects), {"queries": float(queries.num_rows), "answers": total(queries, "answers")}
    )


def _pair(pair_parts: pa.Table) -> pa.Table:
    """One row per pair: the columns of INTERSECTION_QUERIES, subset, and per part whether it is the smaller one."""
    return sql(
        """
        SELECT pair AS query, 'intersection' AS kind, list(property ORDER BY position) AS properties,
            list(entity ORDER BY position) AS entities, list(entity_label ORDER BY position) AS entity_labels,
            list(entity_aliases ORDER BY position) AS entity_aliases, list(answer_class ORDER BY position) AS classes,
            min(common) AS answers, NULL::INTEGER AS known, min(common) AS validated, 1.0::DOUBLE AS share,
            bool_or(whole) AS subset, list(whole ORDER BY position) AS wholes
        FROM pair_parts GROUP BY pair
        """,
        pair_parts=pair_parts,
    )


def stage() -> Stage:
    return Stage(
        name="qampari.intersections",
        shape=Join(on=(("pair",), ("pair",))),
        kernel=intersections,
        inputs=("pair_parts", "pair_proofs"),
        outputs=(INTERSECTION_QUERIES, INTERSECTION_ANSWERS),
        about="Step 6: intersections of two kept queries, neither of which contains the other.",
    )
