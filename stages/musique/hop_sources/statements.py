"""Stages `musique.statements_several_values` and `musique.statements`: single hops from statements whose evidence a
build has found.

Evidence is a sentence of a page that states a triple. The hop asks "{subject} >> {property}" over the
passage that holds the sentence, so that a Wikidata dump and a Wikipedia corpus alone can feed the bridges.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Join, Output, Stage, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.core.texts import Refused
from stages.facts.relations.model import Relations
from stages.musique.hop_sources.parse import relation_labels
from stages.musique.single_hops.forms import RELATION_SIGN
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS
from stages.wikidata.rows import STATEMENTS

SOURCE = "statements"

SEVERAL_VALUES = TableSpec(
    name="several_values",
    schema=pa.schema([text("subject"), text("property"), number("values")]),
    key=("subject", "property"),
)
"""One row per subject and property with two values or more, whether a page states them or not."""


def several_values(statements: pa.Table, *, properties: frozenset[str]) -> Output:
    """SEVERAL_VALUES from the STATEMENTS of some subjects; properties: those that hops ask about."""
    wanted = pa.table({"property": pa.array(sorted(properties), pa.string())})
    found = sql(_COUNTED, statements=statements, wanted=wanted).cast(SEVERAL_VALUES.schema)
    return Output({SEVERAL_VALUES.name: found}, metrics={"several_values": float(found.num_rows)})


_COUNTED = """
    SELECT subject, property, count(*)::INTEGER AS values
    FROM statements
    WHERE property IN (SELECT property FROM wanted)
    GROUP BY subject, property
    HAVING count(*) > 1
"""


def statement_hops(
    evidence: pa.Table,
    several: pa.Table,
    entities: pa.Table,
    passages: pa.Table,
    *,
    params: SingleHopParams,
    labels: Mapping[str, str],
) -> Output:
    """READ_HOPS from all rows of EVIDENCE, SEVERAL_VALUES, ENTITIES and PASSAGES; labels: of relations by property id.

    A relation of which a subject has several values has no one answer, and makes no hop, however few of them have
    evidence.
    Rejects, keyed "subject property object": several_values, no_relation_label, no_label (of a subject or an item),
    no_passage, and those of `stated.row`.
    """
    joined = sql(_JOINED, evidence=evidence, several=several, entities=entities, passages=passages)
    rejects, found = Rejects(), []
    for stated in sorted(joined.to_pylist(), key=lambda item: item["triple"]):
        try:
            found.append(row(_stated(stated, labels, params.max_answers), params))
        except Refused as fault:
            rejects.add(stated["triple"], fault.reason, str(fault))
    return Output({READ_HOPS.name: READ_HOPS.table(found)}, rejects.table(), {"hops": float(len(found))})


_JOINED = """
    SELECT concat_ws(' ', e.subject, e.property, e.object, nullif(e.unit, '')) AS triple, e.property, e.object, e.title,
        e.side, e.surface, s.label AS subject_label, o.label AS object_label, o.aliases AS object_aliases, p.text,
        greatest(coalesce(n.values, 1), count(*) OVER (PARTITION BY e.subject, e.property)) AS values
    FROM evidence e
    LEFT JOIN several n ON n.subject = e.subject AND n.property = e.property
    LEFT JOIN entities s ON s.qid = e.subject
    LEFT JOIN entities o ON o.qid = e.object
    LEFT JOIN passages p ON p.title = e.title AND p.number = e.passage
"""


def _stated(found: Mapping[str, Any], labels: Mapping[str, str], most: int) -> Stated:
    if found["values"] > 1:
        raise Refused("several_values", f"{found['values']} objects of one subject and property")
    label = labels.get(found["property"])
    if label is None:
        raise Refused("no_relation_label", f"no label is known for {found['property']}")
    if found["subject_label"] is None or (found["side"] == "object" and found["object_label"] is None):
        raise Refused("no_label", "an item of the triple has no label")
    if found["text"] is None:
        raise Refused("no_passage", f"{found['title']}: the passage of the sentence is not in the corpus")
    # On the subject's page the sentence names the object as `surface`; on the object's, the title does.
    named = found["surface"] if found["side"] == "subject" else found["object_label"]
    spellings = [name for name in (found["object_label"], *(found["object_aliases"] or ())) if name is not None]
    return Stated(
        source=SOURCE,
        given_id=found["triple"],
        question=f"{found['subject_label']} {RELATION_SIGN} {label}",
        answers=list(dict.fromkeys([named, *spellings]))[:most],
        title=found["title"],
        text=found["text"],
    )


def several_stage(relations: Relations) -> Stage:
    """SEVERAL_VALUES of the relations that the templates know."""
    return Stage(
        name="musique.statements_several_values",
        shape=Join(on=(("subject",),)),
        kernel=partial(several_values, properties=frozenset(relation_labels(relations))),
        inputs=(STATEMENTS.name,),
        outputs=(SEVERAL_VALUES,),
        templates=relations.digests,
        about="S1: relations that have several values.",
    )


def stage(relations: Relations, params: SingleHopParams | None = None) -> Stage:
    params = params or SingleHopParams()
    return Stage(
        name="musique.statements",
        shape=Whole(),
        kernel=partial(statement_hops, params=params, labels=relation_labels(relations)),
        inputs=("evidence", SEVERAL_VALUES.name, "entities", "passages"),
        outputs=(READ_HOPS,),
        templates=relations.digests,
        about="S1: single hops from statements with evidence.",
    )
