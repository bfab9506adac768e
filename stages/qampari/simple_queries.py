"""Stage `qampari.simple_queries`: every r(e) with enough answers (the paper's steps 1 and 2; 1,431,268 queries there).

The answers of r(e) are the subjects x of the facts (x, r, e). A typed relation gives one
query per answer class instead, and an answer of several classes belongs to each of them.
A query with more answers than the filter behind the evidence can ever keep goes at once,
before evidence is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import as_rejects, column, fit
from stages.core.sql import sql
from stages.facts.limits import QueryLimits
from stages.facts.tables import TRIPLE

QUERIES = TableSpec(
    name="queries",
    schema=pa.schema(
        [
            text("query"),
            text("property"),
            text("entity"),
            pa.field("answer_class", pa.string()),
            text("entity_label"),
            texts("entity_aliases"),
            number("answers"),
            number("known"),
        ]
    ),
    key=("query",),
    bucket_by=("property", "entity"),
)
"""answer_class: QID, null for an untyped relation; answers: those that can be shown; known: all that Wikidata knows,
with those that have no page in a partial corpus."""

QUERY_ANSWERS = TableSpec(
    name="query_answers",
    schema=pa.schema([text("query"), text("subject"), text("property"), text("object")]),
    key=("query", "subject"),
    bucket_by=TRIPLE,
)
"""One row per answer (the subject); by triple, so that the same triple of several queries is in one bucket."""


@dataclass(frozen=True)
class KindRelations:
    """relations: those whose objects say of what kind the subjects are; classes: all that questions ask for.
    superlatives: first words of kinds of which there is one in each place at most, such as largest.
    """

    relations: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    superlatives: tuple[str, ...] = ()


def simple(
    facts: pa.Table,
    pageless: pa.Table,
    entities: pa.Table,
    class_ancestors: pa.Table,
    *,
    limits: QueryLimits,
    kinds: KindRelations,
) -> Output:
    """QUERIES and QUERY_ANSWERS from one bucket of FACTS and PAGELESS by object, and from all of CLASS_ANCESTORS.

    Rejects, all keyed by property with a count of queries: too_few_answers, too_many_answers
    (more than `limits.most`), no_entity_label (the object is not among the entities), own_class (typed, and
    the entity is the answer class itself, or of a relation of kinds any class: which creative work is a film?),
    other_class (of a relation of kinds, and the entity is a kind of other classes only: which company is a city?),
    common_kind (of a relation of kinds, and far more things are known to be of that kind than can be listed: which
    settlement is a city?), superlative_kind (of a relation of kinds, and one thing of each place at most can be said to
    be of that kind: which settlement is a largest city?), low_known_share.
    """
    grouped = _group(facts)
    counted = _count(grouped, pageless)
    judged = _judge(counted, entities, class_ancestors, limits, kinds)
    queries = judged.filter(judged["reason"].is_null())
    answers = sql(
        """
        SELECT q.query, g.subject, g.property, g.object
        FROM grouped g JOIN queries q ON q.property = g.property AND q.entity = g.object
            AND q.answer_class IS NOT DISTINCT FROM g.answer_class
        """,
        grouped=grouped,
        queries=queries.select(["query", "property", "entity", "answer_class"]),
    )
    rejects = sql(
        """
        SELECT property AS key, reason, '' AS detail, count(*) AS count
        FROM judged WHERE reason IS NOT NULL GROUP BY ALL
        """,
        judged=judged.select(["property", "reason"]),
    )
    metrics = {
        "untyped_queries": float(queries["answer_class"].null_count),
        "typed_queries": float(queries.num_rows - queries["answer_class"].null_count),
        "answers": float(answers.num_rows),
    }
    tables = {QUERIES.name: fit(QUERIES, queries), QUERY_ANSWERS.name: fit(QUERY_ANSWERS, answers)}
    return Output(tables, as_rejects(rejects), metrics)


def _group(facts: pa.Table) -> pa.Table:
    """One row per fact and query it belongs to."""
    return sql(
        """
        SELECT subject, property, object, NULL::VARCHAR AS answer_class FROM facts WHERE len(classes) = 0
        UNION ALL
        SELECT subject, property, object, unnest(classes) FROM facts
        """,
        facts=facts,
    )


def _count(grouped: pa.Table, pageless: pa.Table) -> pa.Table:
    """One row per candidate query: its answers, and all that are known."""
    return sql(
        """
        WITH groups AS (
            SELECT property, object AS entity, answer_class, count(*) AS answers FROM grouped GROUP BY ALL
        ),
        more AS (
            SELECT property, object AS entity, nullif(class, '') AS answer_class, sum(facts) AS facts
            FROM pageless GROUP BY ALL
        )
        SELECT g.*, g.answers + coalesce(m.facts, 0)::BIGINT AS known FROM groups g LEFT JOIN more m
            ON m.property = g.property AND m.entity = g.entity AND m.answer_class IS NOT DISTINCT FROM g.answer_class
        """,
        grouped=grouped,
        pageless=pageless,
    )


def _judge(
    counted: pa.Table,
    entities: pa.Table,
    class_ancestors: pa.Table,
    limits: QueryLimits,
    kinds: KindRelations,
) -> pa.Table:
    """One row per candidate query, with the first reason against it, or null."""
    return sql(
        """
        -- A kind that leads to no answer class at all may lack an edge here: nothing is known against it.
        WITH placed AS (SELECT DISTINCT class FROM class_ancestors)
        SELECT concat_ws(':', g.property, g.entity, g.answer_class) AS query,
            g.property, g.entity, g.answer_class, e.label AS entity_label, e.aliases AS entity_aliases, g.answers,
            g.known,
            CASE WHEN g.answer_class = g.entity THEN 'own_class'
                 WHEN g.property IN (FROM kinds) AND g.entity IN (FROM classes) THEN 'own_class'
                 WHEN g.property IN (FROM kinds) AND a.class IS NULL AND g.entity IN (FROM placed) THEN 'other_class'
                 WHEN g.answers < l.min_answers THEN 'too_few_answers'
                 WHEN g.answers > l.most THEN 'too_many_answers'
                 WHEN e.qid IS NULL THEN 'no_entity_label'
                 WHEN g.property IN (FROM kinds) AND g.known > l.most THEN 'common_kind'
                 WHEN g.property IN (FROM kinds) AND split_part(e.label, ' ', 1) IN (FROM heads) THEN 'superlative_kind'
                 WHEN g.answers::DOUBLE / g.known < l.min_known_share THEN 'low_known_share'
            END AS reason
        FROM counted g CROSS JOIN limits l LEFT JOIN entities e ON e.qid = g.entity
            LEFT JOIN class_ancestors a ON a.class = g.entity AND a.ancestor = g.answer_class
        """,
        counted=counted,
        entities=entities.select(["qid", "label", "aliases"]),
        class_ancestors=class_ancestors,
        limits=limits.table(),
        kinds=column("property", kinds.relations),
        classes=column("class", kinds.classes),
        heads=column("word", kinds.superlatives),
    )


def stage(
    limits: QueryLimits | None = None,
    *,
    kinds: KindRelations | None = None,
    templates: Mapping[str, str] | None = None,
) -> Stage:
    """templates: digest of each file that `kinds` comes from."""
    limits = limits or QueryLimits()
    return Stage(
        name="qampari.simple_queries",
        shape=Join(on=(("object",), ("object",), ("qid",))),
        kernel=partial(simple, limits=limits, kinds=kinds or KindRelations()),
        inputs=("facts", "pageless_facts", "entities"),
        side=("class_ancestors",),
        outputs=(QUERIES, QUERY_ANSWERS),
        templates=templates or {},
        about="Steps 1 and 2: simple queries r(e), one per answer class for typed relations.",
    )
