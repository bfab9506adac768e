"""Step `subjects` of `facts.candidate_evidence`: what the subject of each triple is called (paper, step 3)."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.rounds import named
from stages.core.sql import sql
from stages.facts.tables import TRIPLE_KEY
from stages.facts.triples import TRIPLES

TRIPLE_SUBJECTS = TableSpec(
    name="triple_subjects",
    schema=pa.schema([*TRIPLES.schema, text("subject_label"), texts("subject_aliases"), text("lookup")]),
    key=TRIPLE_KEY,
    bucket_by=("lookup",),
)
"""lookup: the entity whose names the next step needs: the object, or the unit of a quantity, or "" for neither."""


def subjects(triples: pa.Table, entities: pa.Table) -> Output:
    """TRIPLE_SUBJECTS from triples by subject and entities (qid, label, aliases) by qid.

    Rejects, keyed "subject property object": no_subject_entity.
    """
    rows = sql(
        """
        SELECT t.*, e.label AS subject_label, e.aliases AS subject_aliases,
            CASE WHEN t.object_kind = 'item' THEN t.object ELSE t.unit END AS lookup,
            concat_ws(' ', t.subject, t.property, t.object) AS triple
        FROM triples t LEFT JOIN entities e ON e.qid = t.subject
        """,
        triples=triples,
        entities=entities.select(["qid", "label", "aliases"]),
    )
    missing = rows["subject_label"].is_null()
    rejects = Rejects()
    rejects.add_all(rows["triple"].filter(missing), "no_subject_entity")
    kept = rows.filter(rows["subject_label"].is_valid())
    return Output(
        {TRIPLE_SUBJECTS.name: kept.select(TRIPLE_SUBJECTS.schema.names).cast(TRIPLE_SUBJECTS.schema)}, rejects.table()
    )


def stage(suffix: str = "") -> Stage:
    """suffix: names the round."""
    return named(
        Stage(
            name="facts.subjects",
            shape=Join(on=(("subject",), ("qid",))),
            kernel=subjects,
            inputs=("triples", "entities"),
            outputs=(TRIPLE_SUBJECTS,),
            about="Step 3: labels and aliases of the subjects.",
        ),
        suffix,
        shared=("entities",),
    )
