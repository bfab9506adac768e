"""Stages `qampari.units_used` and `qampari.units`: the names of the units that answers are given in.

Two small steps, since nearly all answers have no unit and must not be moved to find that out.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Map, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.qampari.tables import COMPOSED_ANSWERS

UNIT_USES = TableSpec(
    name="unit_uses",
    schema=pa.schema([text("query"), text("unit")]),
    key=("query", "unit"),
    bucket_by=("unit",),
)
"""One row per query and unit (QID) of one of its answers."""

UNIT_NAMES = TableSpec(name="unit_names", schema=pa.schema([text("unit"), texts("names")]), key=("unit",), buckets=1)
"""names: the unit's label, then its aliases."""


def unit_uses(answers: pa.Table) -> Output:
    """UNIT_USES from one shard of answers, which has all answers of its queries."""
    found = sql("SELECT DISTINCT query, unit FROM answers WHERE unit <> ''", answers=answers.select(["query", "unit"]))
    return Output({UNIT_USES.name: found.cast(UNIT_USES.schema)})


def units(unit_uses: pa.Table, entities: pa.Table) -> Output:
    """UNIT_NAMES from one bucket of unit uses and of entities by QID.

    Rejects, keyed by unit with a count of queries: no_unit_label.
    """
    found = sql(
        """
        SELECT u.unit, list_prepend(e.label, e.aliases) AS names, u.uses
        FROM (SELECT unit, count(*) AS uses FROM unit_uses GROUP BY unit) u LEFT JOIN entities e ON e.qid = u.unit
        """,
        unit_uses=unit_uses,
        entities=entities.select(["qid", "label", "aliases"]),
    ).to_pylist()
    rejects = Rejects()
    named = []
    for row in found:
        if row["names"] is None or row["names"][0] is None:
            rejects.add(row["unit"], "no_unit_label", count=row["uses"])
        else:
            named.append({"unit": row["unit"], "names": row["names"]})
    return Output({UNIT_NAMES.name: UNIT_NAMES.table(named)}, rejects.table())


def uses_stage() -> Stage:
    return Stage(
        name="qampari.units_used",
        shape=Map(),
        kernel=unit_uses,
        inputs=(COMPOSED_ANSWERS.name,),
        outputs=(UNIT_USES,),
        about="Step 8: the units that answers of compositions are given in.",
    )


def stage() -> Stage:
    return Stage(
        name="qampari.units",
        shape=Join(on=(("unit",), ("qid",))),
        kernel=units,
        inputs=(UNIT_USES.name, "entities"),
        outputs=(UNIT_NAMES,),
        about="Step 8: the names of those units.",
    )
