"""Stage wikipedia.redirects: every redirect led to where its chain ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.wikipedia.pages import REDIRECTS

REDIRECT_TARGETS = TableSpec(
    name="redirect_targets",
    schema=REDIRECTS.schema,
    key=("source",),
)


@dataclass(frozen=True)
class RedirectsParams:
    """max_hops: the longest chain that is followed. MediaWiki itself follows one; bots mend the rest."""

    max_hops: int = 4


def stage(params: RedirectsParams | None = None) -> Stage:
    params = params or RedirectsParams()
    return Stage(
        name="wikipedia.redirects",
        shape=Whole(),
        kernel=partial(resolve_redirects, params=params),
        inputs=(REDIRECTS.name,),
        outputs=(REDIRECT_TARGETS,),
        about="redirect chains followed to the title they end at",
    )


# Each round doubles the number of hops of every jump, so a chain of n redirects ends after log2(n) rounds.
_START = "SELECT source, target, target AS first, CAST(1 AS BIGINT) AS hops, true AS open FROM redirects"
_ROUND = """
    SELECT a.source, coalesce(b.target, a.target) AS target, a.first,
           a.hops + coalesce(b.hops, 0) AS hops, b.source IS NOT NULL AS open
    FROM jumps a LEFT JOIN jumps b ON a.open AND a.target = b.source
"""


def resolve_redirects(redirects: pa.Table, *, params: RedirectsParams) -> Output:
    """Redirects with their final targets.

    Rejects, by source: redirect_loop (the chain runs into itself), chain_too_long.
    """
    jumps = sql(_START, redirects=redirects)
    # After this many rounds a chain without a loop has ended, whatever its length.
    for _ in range(redirects.num_rows.bit_length() + 1):
        jumps = sql(_ROUND, jumps=jumps)
        if not sql("SELECT 1 FROM jumps WHERE open LIMIT 1", jumps=jumps).num_rows:
            break
    return _output(jumps, params.max_hops)


def _output(jumps: pa.Table, max_hops: int) -> Output:
    too_long = pc.greater(jumps["hops"], max_hops)
    rejects = Rejects()
    for row in jumps.filter(jumps["open"]).to_pylist():
        rejects.add(row["source"], "redirect_loop", f"leads to {row['first']}")
    for row in jumps.filter(pc.and_not(too_long, jumps["open"])).to_pylist():
        rejects.add(row["source"], "chain_too_long", f"{row['hops']} hops by {row['first']} to {row['target']}")
    targets = jumps.filter(pc.invert(pc.or_(jumps["open"], too_long))).select(REDIRECT_TARGETS.schema.names)
    return Output({REDIRECT_TARGETS.name: targets.cast(REDIRECT_TARGETS.schema)}, rejects.table())
