"""Stage `facts.statements`: the statements that can be answers of a simple query (the paper's step 1).

A fact (subject, property, object) says that the subject is an answer of property(object).
Facts are those of the relations with a simple template, about two items, whose subject has
an English label and, where the corpus is partial, a page of its own; what else is known stays
as a count. For a typed relation each fact names the answer classes that its subject is of
(`stages.facts.answer_kinds`).

Hot objects (all humans, all films in English) are cut before they are shuffled: a query
with more answers than its filter can ever keep needs no more rows than tell so. A cut
leaves every group of one relation, object and class above that bound, or whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rows import as_rejects, column, fit
from stages.core.sql import sql
from stages.facts.answer_kinds import AnswerKinds, of_subjects
from stages.facts.limits import QueryLimits

FACTS = TableSpec(
    name="facts",
    schema=pa.schema([text("subject"), text("property"), text("object"), texts("classes")]),
    key=("subject", "property", "object"),
    bucket_by=("object",),
)
"""classes: the answer classes (QIDs, sorted) of a typed relation that the subject is of; empty for an untyped one."""

PAGELESS = TableSpec(
    name="pageless_facts",
    schema=pa.schema([text("property"), text("object"), text("class"), text("first"), number("facts")]),
    key=("property", "object", "class", "first"),
    bucket_by=("object",),
)
"""How many more facts there are of a relation, an object and an answer class ("" for an untyped one) whose subjects
lack a page. first: the first of these subjects, which tells the counts of several buckets apart."""


def facts(
    statements: pa.Table,
    entities: pa.Table,
    articles: pa.Table,
    class_ancestors: pa.Table,
    class_sorts: pa.Table,
    corpus: pa.Table,
    *,
    kinds: AnswerKinds,
    limits: QueryLimits,
) -> Output:
    """FACTS and PAGELESS from one bucket of statements, entities and articles by subject.

    Rejects, all keyed by property with a count of statements: no_template, literal_value,
    own_object (an item that points at itself), no_subject_entity, no_page, no_class (typed, and
    the subject is of no answer class), other_kind (untyped, and the subject is of another sort than the
    relation's noun), hot_object (beyond the bound, in this bucket).
    """
    relations = column("property", {*kinds.untyped, *kinds.typed})
    judged = _judge(statements, entities, articles, corpus, relations)
    classed = _classify(judged, entities, class_ancestors, class_sorts, kinds)
    kept, hot = _cut(classed.filter(classed["reason"].is_null()).drop_columns("reason"), limits)
    rejects = pa.concat_tables([_unusable(statements, classed, relations), hot])
    metrics = {"statements": float(statements.num_rows), "facts": float(kept.num_rows)}
    tables = {FACTS.name: fit(FACTS, kept), PAGELESS.name: fit(PAGELESS, _pageless(classed))}
    return Output(tables, rejects, metrics)


def _judge(
    statements: pa.Table, entities: pa.Table, articles: pa.Table, corpus: pa.Table, relations: pa.Table
) -> pa.Table:
    """The statements of templated relations, each with the first reason against it, or null."""
    return sql(
        """
        SELECT s.subject, s.property, s.value AS object,
            CASE WHEN s.value_kind <> 'item' THEN 'literal_value'
                 WHEN s.value = s.subject THEN 'own_object'
                 WHEN s.subject NOT IN (SELECT qid FROM entities) THEN 'no_subject_entity'
                 WHEN (SELECT own_page FROM corpus) AND s.subject NOT IN (SELECT qid FROM articles) THEN 'no_page'
            END AS reason
        FROM statements s SEMI JOIN relations r ON r.property = s.property
        """,
        statements=statements.select(["subject", "property", "value", "value_kind"]),
        entities=entities.select(["qid"]),
        articles=articles.select(["qid"]),
        corpus=corpus,
        relations=relations,
    )


def _classify(
    judged: pa.Table, entities: pa.Table, class_ancestors: pa.Table, class_sorts: pa.Table, kinds: AnswerKinds
) -> pa.Table:
    """The same statements with their answer classes, null where there is no kind that they can be answers of."""
    return sql(
        """
        WITH classes AS (
            SELECT subject, property, list(class ORDER BY class) FILTER (class IS NOT NULL) AS classes
            FROM found GROUP BY ALL
        )
        SELECT j.subject, j.property, j.object,
            CASE WHEN c.subject IS NOT NULL THEN coalesce(c.classes, []) END AS classes,
            CASE WHEN j.reason IS NOT NULL THEN j.reason
                 WHEN c.subject IS NOT NULL THEN NULL
                 WHEN j.property IN (FROM typed) THEN 'no_class' ELSE 'other_kind' END AS reason
        FROM judged j LEFT JOIN classes c ON c.subject = j.subject AND c.property = j.property
        """,
        judged=judged,
        found=of_subjects(_with_kind(judged), entities, class_ancestors, class_sorts, kinds),
        typed=column("property", kinds.typed),
    )


def _with_kind(judged: pa.Table) -> pa.Table:
    """Subjects and properties of what is an answer, with or without a page."""
    return sql("SELECT subject, property FROM judged WHERE reason IS NULL OR reason = 'no_page'", judged=judged)


def _pageless(classed: pa.Table) -> pa.Table:
    return sql(
        """
        SELECT property, object, class, min(subject) AS first, count(*) AS facts
        FROM (
            SELECT subject, property, object, unnest(CASE WHEN len(classes) = 0 THEN [''] ELSE classes END) AS class
            FROM classed WHERE reason = 'no_page' AND classes IS NOT NULL
        )
        GROUP BY property, object, class
        """,
        classed=classed,
    )


def _cut(classed: pa.Table, limits: QueryLimits) -> tuple[pa.Table, pa.Table]:
    """The facts without those beyond the bound in all of their groups, and these as rejects.

    The first (by subject) most + 1 rows of each group stay, so a group that was too large still is.
    """
    beyond = sql(
        """
        WITH grouped AS (
            SELECT subject, property, object,
                unnest(CASE WHEN len(classes) = 0 THEN [''] ELSE classes END) AS class
            FROM classed
        ),
        hot AS (
            SELECT property, object, class FROM grouped GROUP BY ALL
            HAVING count(*) > (SELECT most FROM limits) + 1
        ),
        ranks AS (
            SELECT g.subject, g.property, g.object,
                CASE WHEN h.class IS NULL THEN 0
                     ELSE row_number() OVER (PARTITION BY g.property, g.object, g.class ORDER BY g.subject) END AS rank
            FROM grouped g LEFT JOIN hot h
                ON h.property = g.property AND h.object = g.object AND h.class = g.class
            WHERE (g.property, g.object) IN (SELECT (property, object) FROM hot)
        )
        SELECT subject, property, object FROM ranks GROUP BY ALL
        HAVING min(rank) > (SELECT most FROM limits) + 1
        """,
        classed=classed,
        limits=limits.table(),
    )
    kept = sql(
        "SELECT * FROM classed ANTI JOIN beyond USING (subject, property, object)",
        classed=classed,
        beyond=beyond,
    )
    return kept, _hot(beyond)


def _unusable(statements: pa.Table, classed: pa.Table, relations: pa.Table) -> pa.Table:
    return as_rejects(
        sql(
            """
            SELECT property AS key, reason, '' AS detail, count(*) AS count
            FROM classed WHERE reason IS NOT NULL GROUP BY ALL
            UNION ALL
            SELECT property, 'no_template', '', count(*) FROM statements ANTI JOIN relations USING (property)
            GROUP BY ALL
            """,
            classed=classed,
            statements=statements.select(["property"]),
            relations=relations,
        )
    )


def _hot(beyond: pa.Table) -> pa.Table:
    return as_rejects(
        sql(
            "SELECT property AS key, 'hot_object' AS reason, '' AS detail, count(*) AS count FROM beyond GROUP BY ALL",
            beyond=beyond,
        )
    )


def stage(limits: QueryLimits | None = None, *, kinds: AnswerKinds, templates: Mapping[str, str]) -> Stage:
    """kinds: what the relations with a simple template ask for; templates: digest of each file they come from."""
    limits = limits or QueryLimits()
    both = set(kinds.untyped) & set(kinds.typed)
    bare = sorted(pid for pid, classes in kinds.typed.items() if not classes)
    if both or bare:
        raise StageError(
            f"facts.statements: relations both typed and untyped {sorted(both)}, or typed without class {bare}"
        )
    return Stage(
        name="facts.statements",
        shape=Join(on=(("subject",), ("qid",), ("qid",))),
        kernel=partial(facts, kinds=kinds, limits=limits),
        inputs=("statements", "entities", "articles"),
        side=("class_ancestors", "class_sorts", "corpus"),
        outputs=(FACTS, PAGELESS),
        templates=templates,
        about="Step 1: the statements of the selected relations that can be answers of r(e).",
    )
