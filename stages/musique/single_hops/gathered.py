"""Stage `musique.gathered`: hops of files and hops of statements in one table."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from stages.core.contract import Join, Output, Stage
from stages.musique.single_hops.tables import READ_HOPS

GATHERED_HOPS = replace(READ_HOPS, name="gathered_hops")


def gathered(*read: pa.Table) -> Output:
    """GATHERED_HOPS from the hops of some contents, whichever tables of READ_HOPS they stand in."""
    hops = pa.concat_tables([READ_HOPS.empty(), *read])
    return Output({GATHERED_HOPS.name: hops}, metrics={"hops": float(hops.num_rows)})


def stage(*tables: str) -> Stage:
    """tables: names of tables of READ_HOPS."""
    return Stage(
        name="musique.gathered",
        shape=Join(on=tuple(("content",) for _ in tables)),
        kernel=gathered,
        inputs=tables,
        outputs=(GATHERED_HOPS,),
        about="S1: single hops of all sources together.",
    )
