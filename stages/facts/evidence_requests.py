"""Step `evidence_requests` of `facts.candidate_evidence`: which names to look for on which page (paper, step 3).

For a triple (e1, r, e2) the names of e2 are sought on the page of e1, and the names of
e1 on the page of e2. A literal has no page, so it is only sought on the subject's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.rounds import named
from stages.core.sql import sql
from stages.facts.adjectives import of_another_state
from stages.facts.readings import State
from stages.facts.relations.model import Relations
from stages.facts.relations.render import hypotheses
from stages.facts.sorts import Sorts, load_sorts
from stages.facts.surfaces import spoken, surfaces
from stages.facts.tables import TRIPLE_KEY

REQUESTS = TableSpec(
    name="requests",
    schema=pa.schema(
        [
            text("page"),
            text("subject"),
            text("property"),
            text("object"),
            text("unit"),
            text("object_kind"),
            text("side"),
            texts("surfaces"),
            text("subject_label"),
            text("object_label"),
            texts("hypotheses"),
        ]
    ),
    key=("page", *TRIPLE_KEY),
)
"""page: QID of the entity on whose page to look. side: "subject" where that is the triple's subject (then the
surfaces are the object's), "object" where it is the object (then they are the subject's). surfaces: label first.
object_label: a literal's as a sentence would say it. hypotheses: the triple as declarative sentences."""


def requests(triple_subjects: pa.Table, entities: pa.Table, *, state: State, sorts: Sorts | None = None) -> Output:
    """REQUESTS from triples by lookup and entities (qid, label, aliases) by qid.

    state: the hypotheses of (property, subject label, object label); KeyError where the property has no template.
    sorts: for the adjectives that name an object as its labels do.

    Rejects, keyed "subject property object": no_object_entity, no_surface (a literal that texts cannot be
    searched for), no_template (no declarative sentence for the property), same_entity (subject is the object).
    """
    rows = sql(
        """
        SELECT t.*, e.label, e.aliases FROM triple_subjects t LEFT JOIN entities e ON e.qid = t.lookup
        """,
        triple_subjects=triple_subjects,
        entities=entities.select(["qid", "label", "aliases"]),
    )
    rejects = Rejects()
    found = [request for row in rows.to_pylist() for request in _requests(row, state, sorts, rejects)]
    return Output({REQUESTS.name: REQUESTS.table(found)}, rejects.table(), {"requests": float(len(found))})


def _requests(row: dict[str, Any], state: State, sorts: Sorts | None, rejects: Rejects) -> Iterator[dict[str, Any]]:
    key = f"{row['subject']} {row['property']} {row['object']}"
    item = row["object_kind"] == "item"
    if item and row["label"] is None:
        rejects.add(key, "no_object_entity")
        return
    if row["subject"] == row["object"]:
        rejects.add(key, "same_entity")
        return
    names = [row["label"], *row["aliases"]] if item else surfaces(row["object"], row["object_kind"])
    if not names:
        rejects.add(key, "no_surface", f"{row['object_kind']} {row['object']}")
        return
    label = names[0] if item else spoken(names[0], row["label"])
    try:
        stated = list(state(row["property"], row["subject_label"], label))
    except KeyError:
        rejects.add(key, "no_template")
        return
    shared = {name: row[name] for name in (*TRIPLE_KEY, "object_kind", "subject_label")}
    shared |= {"object_label": label, "hypotheses": stated}
    if item and sorts is not None:
        names += sorts.said_as(row["property"], label)
    names = [name for name in names if not (item and of_another_state(name, label))]
    yield {**shared, "page": row["subject"], "side": "subject", "surfaces": names}
    if item:
        aliases = [name for name in row["subject_aliases"] if not of_another_state(name, row["subject_label"])]
        own = [row["subject_label"], *aliases]
        yield {**shared, "page": row["object"], "side": "object", "surfaces": own}


def stage(relations: Relations, suffix: str = "") -> Stage:
    """relations: for the hypotheses; suffix: names the round."""
    sorts = load_sorts()
    return named(
        Stage(
            name="facts.evidence_requests",
            shape=Join(on=(("lookup",), ("qid",))),
            kernel=partial(requests, state=partial(hypotheses, relations), sorts=sorts),
            inputs=("triple_subjects", "entities"),
            outputs=(REQUESTS,),
            templates={**relations.digests, **sorts.digests},
            about="Step 3: the names to look for, and the page to look on, for both ends of a triple.",
        ),
        suffix,
        shared=("entities",),
    )
