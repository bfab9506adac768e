"""Stage `facts.statements`: the statements that can be answers of a simple query (the paper's step 1).

A fact (subject, property, object) says that the subject is an answer of property(object).
Facts are those of the relations with a simple template, about two items, whose subject has
an English label and, where the corpus is partial, a page of its own. For a typed relation
each fact names the answer classes that its subject reaches by P31/P279*.

Hot objects (all humans, all films in English) are cut before they are shuffled: a query
with more answers than its filter can ever keep needs no more rows than tell so. A cut
leaves every group of one relation, object and class above that bound, or whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rows import as_rejects, column, fit, typed_table
from stages.core.sql import sql
from stages.facts.limits import QueryLimits

FACTS = TableSpec(
    name="facts",
    schema=pa.schema([text("subject"), text("property"), text("object"), texts("classes")]),
    key=("subject", "property", "object"),
    bucket_by=("object",),
)
"""classes: the answer classes (QIDs, sorted) of a typed relation that the subject reaches; empty for an untyped one."""


def facts(
    statements: pa.Table,
    entities: pa.Table,
    articles: pa.Table,
    class_ancestors: pa.Table,
    corpus: pa.Table,
    *,
    untyped: tuple[str, ...],
    typed: Mapping[str, tuple[str, ...]],
    limits: QueryLimits,
) -> Output:
    """FACTS from one bucket of statements, entities and articles by subject.

    Rejects, all keyed by property with a count of statements: no_template, literal_value,
    own_object (an item that points at itself), no_subject_entity, no_page, no_class (typed, and
    the subject reaches no answer class), hot_object (beyond the bound, in this bucket).
    """
    relations = column("property", {*untyped, *typed})
    judged = _judge(statements, entities, articles, corpus, relations)
    classed = _classify(judged, entities, class_ancestors, typed)
    kept, hot = _cut(classed, limits)
    no_class = _per_property(classed.filter(classed["classes"].is_null()), "no_class")
    rejects = pa.concat_tables([_unusable(statements, judged, relations), no_class, hot])
    metrics = {"statements": float(statements.num_rows), "facts": float(kept.num_rows)}
    return Output({FACTS.name: fit(FACTS, kept)}, rejects, metrics)


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
    judged: pa.Table, entities: pa.Table, class_ancestors: pa.Table, typed: Mapping[str, tuple[str, ...]]
) -> pa.Table:
    """The usable statements with their answer classes; null for a typed relation of which none is reached."""
    return sql(
        """
        WITH usable AS (SELECT subject, property, object FROM judged WHERE reason IS NULL),
        types AS (
            SELECT qid AS subject, unnest(types) AS type FROM entities
            WHERE qid IN (SELECT u.subject FROM usable u SEMI JOIN typed t ON t.property = u.property)
        ),
        reached AS (
            SELECT DISTINCT t.subject, a.ancestor AS class FROM types t JOIN class_ancestors a ON a.class = t.type
        ),
        classes AS (
            SELECT r.subject, t.property, list(r.class ORDER BY r.class) AS classes
            FROM reached r JOIN typed t ON t.class = r.class GROUP BY ALL
        )
        SELECT u.subject, u.property, u.object,
            CASE WHEN u.property IN (SELECT property FROM typed) THEN c.classes ELSE [] END AS classes
        FROM usable u LEFT JOIN classes c ON c.subject = u.subject AND c.property = u.property
        """,
        judged=judged,
        entities=entities.select(["qid", "types"]),
        class_ancestors=class_ancestors,
        typed=typed_table(typed),
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
            FROM classed WHERE classes IS NOT NULL
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
        "SELECT * FROM classed ANTI JOIN beyond USING (subject, property, object) WHERE classes IS NOT NULL",
        classed=classed,
        beyond=beyond,
    )
    return kept, _per_property(beyond, "hot_object")


def _unusable(statements: pa.Table, judged: pa.Table, relations: pa.Table) -> pa.Table:
    return as_rejects(
        sql(
            """
            SELECT property AS key, reason, '' AS detail, count(*) AS count
            FROM judged WHERE reason IS NOT NULL GROUP BY ALL
            UNION ALL
            SELECT property, 'no_template', '', count(*) FROM statements ANTI JOIN relations USING (property)
            GROUP BY ALL
            """,
            judged=judged,
            statements=statements.select(["property"]),
            relations=relations,
        )
    )


def _per_property(table: pa.Table, reason: str) -> pa.Table:
    return as_rejects(
        sql(
            "SELECT property AS key, reason, '' AS detail, count(*) AS count FROM dropped, word GROUP BY ALL",
            dropped=table.select(["property"]),
            word=column("reason", [reason]),
        )
    )


def stage(
    limits: QueryLimits | None = None,
    *,
    untyped: tuple[str, ...],
    typed: Mapping[str, tuple[str, ...]],
    templates: Mapping[str, str],
) -> Stage:
    """untyped, typed: the relations with a simple template, and the answer classes (QIDs) of the typed ones;
    templates: digest of each file they come from."""
    limits = limits or QueryLimits()
    both, bare = set(untyped) & set(typed), sorted(pid for pid, classes in typed.items() if not classes)
    if both or bare:
        raise StageError(
            f"facts.statements: relations both typed and untyped {sorted(both)}, or typed without class {bare}"
        )
    return Stage(
        name="facts.statements",
        shape=Join(on=(("subject",), ("qid",), ("qid",))),
        kernel=partial(facts, untyped=untyped, typed=dict(typed), limits=limits),
        inputs=("statements", "entities", "articles"),
        side=("class_ancestors", "corpus"),
        outputs=(FACTS,),
        templates=templates,
        about="Step 1: the statements of the selected relations that can be answers of r(e).",
    )
