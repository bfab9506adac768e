"""Step `supported_answers`: which answers have evidence (what the paper's step 4 leaves, per query).

The same step serves simple answers and, with `suffix="_hop"`, the outer triples of compositions.
"""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from stages.core.columns import flag
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import fit
from stages.core.sql import sql
from stages.facts.tables import TRIPLE, TRIPLE_KEY
from stages.qampari.compositions import COMPOSITION_ANSWERS
from stages.qampari.simple_queries import QUERY_ANSWERS
from stages.qampari.tables import EVIDENCE


def _judged(name: str, answers: TableSpec, bucket_by: tuple[str, ...]) -> TableSpec:
    schema = pa.schema([*answers.schema, flag("validated"), *EVIDENCE])
    return TableSpec(name=name, schema=schema, key=answers.key, bucket_by=bucket_by, inexact=("score",))


JUDGED_ANSWERS = _judged("judged_answers", QUERY_ANSWERS, ("property", "object"))
JUDGED_HOPS = _judged("judged_hops", COMPOSITION_ANSWERS, ("inner_query",))
"""The answers' own columns, then validated, then the columns of the evidence, null where there is none."""


def supported(answers: pa.Table, evidence: pa.Table, *, spec: TableSpec) -> Output:
    """Every answer of the bucket, validated or not; the reasons against the others are the evidence stages' rejects."""
    # Only the answers of compositions may be quantities.
    unit = "a.unit" if "unit" in answers.schema.names else "''"
    judged = sql(
        f"""
        SELECT a.*, e.subject IS NOT NULL AS validated, e.title, e.passage, e."index", e.sentence, e.score
        FROM answers a LEFT JOIN evidence e
            ON e.subject = a.subject AND e.property = a.property AND e.object = a.object AND e.unit = {unit}
        """,  # noqa: S608 -- one of two constants
        answers=answers,
        evidence=evidence.select([*TRIPLE_KEY, *(field.name for field in EVIDENCE)]),
    )
    table = fit(spec, judged)
    validated = sum(table["validated"].to_pylist())
    return Output({spec.name: table}, metrics={"answers": float(table.num_rows), "validated": float(validated)})


def stage(suffix: str = "") -> Stage:
    """suffix: "" for simple answers, "_hop" for compositions; it names the evidence table too."""
    spec, answers = (JUDGED_HOPS, COMPOSITION_ANSWERS) if suffix else (JUDGED_ANSWERS, QUERY_ANSWERS)
    return Stage(
        name=f"qampari.supported_answers{suffix}",
        shape=Join(on=(TRIPLE, TRIPLE)),
        kernel=partial(supported, spec=spec),
        inputs=(answers.name, f"evidence{suffix}"),
        outputs=(spec,),
        about="Step 4, per query: which of its answers have evidence.",
    )
