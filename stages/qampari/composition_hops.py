"""Step `composition_hops`: one step on from the answers of the kept queries (the paper's step 7, first part).

For each validated answer x of a kept query r1(e), the statements (x, r2, y) of the relations
that can be asked for last. An x with more values for r2 than a composition can ever have
gives just enough of them to show that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import as_rejects, column, fit
from stages.core.sql import sql
from stages.facts.limits import QueryLimits

HOPS = TableSpec(
    name="hops",
    schema=pa.schema(
        [
            text("inner_query"),
            text("entity"),
            text("subject"),
            text("property"),
            text("object"),
            text("answer_kind"),
            text("unit"),
        ]
    ),
    key=("inner_query", "subject", "property", "object", "unit"),
    bucket_by=("inner_query",),
)
"""inner_query: the kept query r1(e); entity: e; subject: its answer x; property: r2; object: y, a QID
or a literal; unit: QID of a quantity's unit or "", part of the key."""

USABLE_KINDS = ("item", "monolingual", "quantity", "string", "time")


@dataclass(frozen=True)
class OuterRelations:
    """of: the relations that can be asked last, each with the classes of subjects that it is asked of, none for all.
    nouns: of each untyped simple relation the class that its answers are called by.
    """

    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)

    def limited(self) -> pa.Table:
        """Rows (property, class) of the relations that are asked of some classes only."""
        pairs = sorted((pid, qid) for pid, classes in self.of.items() for qid in classes)
        return _pairs("property", "class", pairs)

    def named(self) -> pa.Table:
        """Rows (property, noun)."""
        return _pairs("property", "noun", sorted(self.nouns.items()))


def _pairs(first: str, second: str, rows: list[tuple[str, str]]) -> pa.Table:
    columns = {first: [one for one, _ in rows], second: [two for _, two in rows]}
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})


@dataclass(frozen=True)
class CompositionHopParams:
    """limits: the query filter, from which the bound of the cut follows.
    kinds: the kinds of value that can be an answer.
    """

    limits: QueryLimits = field(default_factory=QueryLimits)
    kinds: tuple[str, ...] = USABLE_KINDS


def hops(
    simple_answers: pa.Table, statements: pa.Table, *, outer: OuterRelations, params: CompositionHopParams
) -> Output:
    """HOPS from one bucket of answers and of the statements about them.

    Rejects, keyed by property with a count of statements about answers of kept queries: no_template
    (not in the composition set), answer_kind, hot_value (beyond the bound); and with a count of hops: other_subject
    (the relation is not asked of answers of that class).
    """
    answers = _inner(simple_answers, outer)
    judged = _judge(answers, statements, tuple(outer.of), params)
    paths = sql(
        """
        SELECT a.inner_query, a.entity, s.subject, s.property, s.object, s.answer_kind, s.unit,
            s.property NOT IN (SELECT property FROM limited)
                OR coalesce((s.property, a.class) IN (SELECT (property, class) FROM limited), false) AS asked
        FROM answers a JOIN judged s ON s.subject = a.subject AND s.property <> a.property
        WHERE s.reason IS NULL
        """,
        answers=answers,
        judged=judged,
        limited=outer.limited(),
    )
    found = paths.filter(paths["asked"])
    rejects = sql(
        """
        SELECT property AS key, reason, '' AS detail, count(*) AS count
        FROM judged WHERE reason IS NOT NULL GROUP BY ALL
        UNION ALL
        SELECT property, 'other_subject', '', count(*) FROM paths WHERE NOT asked GROUP BY property
        """,
        judged=judged.select(["property", "reason"]),
        paths=paths.select(["property", "asked"]),
    )
    return Output({HOPS.name: fit(HOPS, found)}, as_rejects(rejects), {"hops": float(found.num_rows)})


def _inner(simple_answers: pa.Table, outer: OuterRelations) -> pa.Table:
    # A simple answer has exactly one proof, its own triple, which names relation and entity of the query; a typed
    # query's id ends in its class.
    return sql(
        """
        SELECT query AS inner_query, answer AS subject, proofs[1].property AS property, proofs[1].object AS entity,
            coalesce(nullif(split_part(query, ':', 3), ''), n.noun) AS class
        FROM simple_answers a LEFT JOIN named n ON n.property = a.proofs[1].property
        """,
        simple_answers=simple_answers.select(["query", "answer", "proofs"]),
        named=outer.named(),
    )


def _judge(answers: pa.Table, statements: pa.Table, outer: tuple[str, ...], params: CompositionHopParams) -> pa.Table:
    """The statements about answers, each with the first reason against it, or null."""
    return sql(
        """
        WITH near AS (
            SELECT subject, property, value AS object, value_kind AS answer_kind, unit
            FROM statements SEMI JOIN answers USING (subject)
        ),
        reasoned AS (
            SELECT *, CASE WHEN property NOT IN (SELECT property FROM outer_set) THEN 'no_template'
                           WHEN answer_kind NOT IN (SELECT kind FROM kinds) THEN 'answer_kind' END AS reason
            FROM near
        ),
        ranked AS (
            SELECT *, row_number() OVER (PARTITION BY subject, property, reason ORDER BY object, unit) AS rank
            FROM reasoned
        )
        SELECT * EXCLUDE (reason, rank),
            CASE WHEN reason IS NULL AND rank > most + 1 THEN 'hot_value' ELSE reason END AS reason
        FROM ranked, limits
        """,
        answers=answers.select(["subject"]),
        statements=statements.select(["subject", "property", "value", "value_kind", "unit"]),
        outer_set=column("property", outer),
        kinds=column("kind", params.kinds),
        limits=params.limits.table(),
    )


def stage(params: CompositionHopParams | None = None, *, outer: OuterRelations, templates: Mapping[str, str]) -> Stage:
    """outer: the relations with a composition template; templates: digest of each file they come from."""
    params = params or CompositionHopParams()
    return Stage(
        name="qampari.composition_hops",
        shape=Join(on=(("answer",), ("subject",))),
        kernel=partial(hops, outer=outer, params=params),
        inputs=("simple_answers", "statements"),
        outputs=(HOPS,),
        templates=templates,
        about="Step 7: the values that the answers of kept queries have for the composition relations.",
    )
