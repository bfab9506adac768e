"""Stage `musique.disconnection_filter`: bridges whose head has to be read and whose tail has to be led to (MuSiQue,
step 3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.musique.bridges.tables import BRIDGES
from stages.musique.disconnection.panel import percent
from stages.musique.disconnection.tables import JUDGED_HEADS, JUDGED_TAILS, KEPT_BRIDGES


@dataclass(frozen=True)
class DisconnectionParams:
    """heads, tails: whether the verdicts on them count; without either, the filter lets everything through."""

    heads: bool = True
    tails: bool = True


def kept_bridges(bridges: pa.Table, heads: pa.Table, tails: pa.Table, *, params: DisconnectionParams) -> Output:
    """KEPT_BRIDGES from BRIDGES, JUDGED_HEADS and JUDGED_TAILS.

    Rejects: head_answered_unread, keyed by the head, and tail_answered_unbridged, keyed by the tail, with the number of
    their bridges; a bridge with both faults is under the first. Raises StageError where a bridge was not judged.
    Metrics: bridges, kept, kept_percent.
    """
    judged = sql(_JUDGED, bridges=bridges, heads=heads, tails=tails)
    faults = sql(_FAULTS, judged=judged, use_heads=_flag(params.heads), use_tails=_flag(params.tails))
    unjudged = sql("SELECT head, tail FROM judged WHERE head_kept IS NULL OR tail_kept IS NULL", judged=judged)
    if unjudged.num_rows:
        raise StageError(
            f"musique.disconnection_filter: {unjudged.num_rows} bridges were not judged: {unjudged[:3].to_pylist()}"
        )
    kept = sql("SELECT * FROM faults WHERE reason IS NULL", faults=faults)
    rejects = Rejects()
    for row in sql(_COUNTED, faults=faults).to_pylist():
        rejects.add(row["key"], row["reason"], row["detail"], row["count"])
    metrics = {
        "bridges": float(bridges.num_rows),
        "kept": float(kept.num_rows),
        "kept_percent": percent(kept.num_rows, bridges.num_rows),
    }
    rows = kept.select(KEPT_BRIDGES.schema.names).cast(KEPT_BRIDGES.schema)
    return Output({KEPT_BRIDGES.name: rows}, rejects.table(), metrics)


def _flag(on: bool) -> pa.Table:
    return pa.table({"counts": [on]})


_JUDGED = """
    SELECT b.*, h.kept AS head_kept, h.f1 AS head_f1, t.kept AS tail_kept, t.f1 AS tail_f1
    FROM bridges b
    LEFT JOIN heads h ON h.hop = b.head
    LEFT JOIN tails t ON t.tail = b.tail AND t.masked = b.masked
"""

_FAULTS = """
    SELECT *,
        CASE
            WHEN NOT head_kept AND (SELECT counts FROM use_heads) THEN 'head_answered_unread'
            WHEN NOT tail_kept AND (SELECT counts FROM use_tails) THEN 'tail_answered_unbridged'
        END AS reason
    FROM judged
"""

_COUNTED = """
    SELECT key, reason, printf('F1 %.2f', f1) AS detail, count(*) AS count
    FROM (
        SELECT reason,
            CASE reason WHEN 'head_answered_unread' THEN head ELSE tail END AS key,
            CASE reason WHEN 'head_answered_unread' THEN head_f1 ELSE tail_f1 END AS f1
        FROM faults
        WHERE reason IS NOT NULL
    )
    GROUP BY key, reason, detail
"""


def stage(params: DisconnectionParams | None = None, bridges: str = BRIDGES.name) -> Stage:
    params = params or DisconnectionParams()
    return Stage(
        name="musique.disconnection_filter",
        shape=Whole(),
        kernel=partial(kept_bridges, params=params),
        inputs=(bridges, JUDGED_HEADS.name, JUDGED_TAILS.name),
        outputs=(KEPT_BRIDGES,),
        about="S3: bridges whose head must be read and whose tail cannot do without it.",
    )
