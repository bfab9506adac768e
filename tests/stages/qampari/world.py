"""Small worlds for the query stages: tables from compact rows, and the whole chain of stages over them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from stages.core.memory import InMemory
from stages.facts import completeness
from stages.facts import statements as facts
from stages.facts.answer_kinds import AnswerKinds
from stages.facts.limits import QueryLimits
from stages.qampari import (
    composition_filter,
    composition_hops,
    compositions,
    intersection_parts,
    intersections,
    overlaps,
    supported_answers,
)
from stages.qampari import query_filter as kept
from stages.qampari import shared_answers as shared
from stages.qampari import simple_queries as simple

STRING, STRINGS = pa.string(), pa.list_(pa.string())
ENTITIES = pa.schema([("qid", STRING), ("label", STRING), ("aliases", STRINGS), ("types", STRINGS), ("title", STRING)])
STATEMENTS = pa.schema([(n, STRING) for n in ("subject", "property", "value", "value_kind", "unit")])
ARTICLES = pa.schema([("title", STRING), ("qid", STRING)])
ANCESTORS = pa.schema([("class", STRING), ("ancestor", STRING)])
SORTS = pa.schema([("class", STRING), ("sort", STRING), ("steps", pa.int32())])
EVIDENCE = pa.schema(
    [
        *((n, STRING) for n in ("subject", "property", "object", "unit", "title", "sentence", "premise")),
        ("index", pa.int32()),
        ("passage", pa.int32()),
        ("score", pa.float32()),
    ]
)

Statement = tuple[str, str, str, str, str]
Triple = tuple[str, str, str]


def items(property_: str, object_: str, *subjects: str) -> set[Statement]:
    """Statements of several subjects about one item."""
    return {(subject, property_, object_, "item", "") for subject in subjects}


@dataclass
class World:
    """types: P31 values per entity (its keys are the entities there are); pages: entities with an article.

    unproven: triples without evidence; every other triple has some.
    nouns: of untyped relations; sorts: of the classes asked for; class_sorts: sorts of any class, with their steps.
    """

    statements: set[Statement]
    types: Mapping[str, tuple[str, ...]]
    untyped: tuple[str, ...] = ()
    typed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outer: tuple[str, ...] = ()
    ancestors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    sorts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    class_sorts: tuple[tuple[str, str, int], ...] = ()
    kinds: simple.KindRelations = field(default_factory=simple.KindRelations)
    outer_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    breadths: Mapping[str, int] = field(default_factory=dict)
    same_answers: str = "drop"
    pages: frozenset[str] = frozenset()
    answers: str = "all"
    unproven: frozenset[Triple] = frozenset()
    limits: QueryLimits = field(default_factory=QueryLimits)
    shared: shared.SharedParams = field(default_factory=shared.SharedParams)
    overlap: overlaps.OverlapParams = field(default_factory=overlaps.OverlapParams)

    def build(self, buckets: int = 1, seed: int = 0) -> InMemory:
        entities = [
            {"qid": qid, "label": f"label {qid}", "aliases": [f"alias {qid}"], "types": list(types), "title": None}
            for qid, types in sorted(self.types.items())
        ]
        statements = [dict(zip(STATEMENTS.names, row, strict=True)) for row in sorted(self.statements, key=repr)]
        articles = [{"title": f"page {qid}", "qid": qid} for qid in sorted(self.pages)]
        ancestors = [{"class": c, "ancestor": a} for c, above in self.ancestors.items() for a in above]
        tables = {
            "entities": pa.Table.from_pylist(entities, ENTITIES),
            "statements": pa.Table.from_pylist(statements, STATEMENTS),
            "articles": pa.Table.from_pylist(articles, ARTICLES),
            "class_ancestors": pa.Table.from_pylist(ancestors, ANCESTORS),
            "class_sorts": pa.Table.from_pylist(
                [dict(zip(SORTS.names, row, strict=True)) for row in self.class_sorts], SORTS
            ),
        }
        return InMemory(tables, buckets, seed)

    @property
    def answer_kinds(self) -> AnswerKinds:
        return AnswerKinds(self.typed, {**dict.fromkeys(self.untyped), **self.nouns}, self.sorts)

    def simple(self, buckets: int = 1, seed: int = 0) -> InMemory:
        """The build as far as the simple queries."""
        stages = (
            completeness.stage(completeness.CorpusParams(answers=self.answers)),
            facts.stage(self.limits, kinds=self.answer_kinds, templates={}),
            simple.stage(self.limits, kinds=self.kinds),
        )
        return self.build(buckets, seed).run(*stages)

    def kept(self, buckets: int = 1, seed: int = 0) -> InMemory:
        """The build as far as the query filter."""
        build = self.simple(buckets, seed)
        build.tables["evidence"] = self._evidence(build, "query_answers")
        params = kept.QueryFilterParams(self.limits, self.same_answers)
        return build.run(supported_answers.stage(), kept.stage(params, breadths=self.breadths, templates={}))

    def intersections(self, build: InMemory) -> InMemory:
        """Goes on from the query filter to the intersections."""
        return build.run(
            shared.stage(self.shared), overlaps.stage(self.overlap), intersection_parts.stage(), intersections.stage()
        )

    def compositions(self, build: InMemory) -> InMemory:
        """Goes on from the query filter to the kept compositions."""
        build.run(
            composition_hops.stage(
                composition_hops.CompositionHopParams(self.limits), outer=self.outer_relations, templates={}
            ),
            compositions.stage(self.limits),
        )
        build.tables["evidence_hop"] = self._evidence(build, "composition_answers")
        return build.run(supported_answers.stage("_hop"), composition_filter.stage(self.limits))

    @property
    def outer_relations(self) -> composition_hops.OuterRelations:
        return composition_hops.OuterRelations({**dict.fromkeys(self.outer, ()), **self.outer_of}, self.nouns)

    def _evidence(self, build: InMemory, answers: str) -> pa.Table:
        keys = {(row["subject"], row["property"], row["object"], row.get("unit", "")) for row in build.rows(answers)}
        return pa.Table.from_pylist([proof(*key) for key in sorted(keys) if key[:3] not in self.unproven], EVIDENCE)


def proof(subject: str, property_: str, object_: str, unit: str = "") -> dict[str, str | int | float]:
    """The evidence of a triple: made up, but another for each."""
    return {
        "subject": subject,
        "property": property_,
        "object": object_,
        "unit": unit,
        "title": f"page {subject}",
        "sentence": f"{subject} {property_} {object_}.",
        "premise": f"Before. {subject} {property_} {object_}.",
        "index": stable(subject, property_, object_) % 50,
        "passage": stable(object_) % 5,
        "score": stable(subject, object_) % 64 / 64,
    }


def stable(*words: object) -> int:
    return zlib.crc32(repr(words).encode())


def answer_sets(build: InMemory, table: str) -> dict[str, set[str]]:
    """The answers of each query."""
    sets: dict[str, set[str]] = {row["query"]: set() for row in build.rows(table.replace("answers", "queries"))}
    for row in build.rows(table):
        sets[row["query"]].add(row["answer"])
    return sets


def entities(*names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Entities of no type."""
    return {name: () for group in names for name in group}
