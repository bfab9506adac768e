"""Step `sitelinks` of `linking.link`: where the English Wikipedia link of each entity leads."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.wikipedia.titles import MAIN, Namespaces

# title is the sitelink as the entity has it; target is the title its redirects end at (the same without one).
SITELINKS = TableSpec(
    name="sitelinks",
    schema=pa.schema(
        [
            pa.field("qid", pa.string(), nullable=False),
            pa.field("title", pa.string(), nullable=False),
            pa.field("target", pa.string(), nullable=False),
            pa.field("redirected", pa.bool_(), nullable=False),
        ]
    ),
    key=("qid",),
    bucket_by=("target",),
)


def stage() -> Stage:
    return Stage(
        name="linking.sitelinks",
        shape=Join(on=(("title",), ("source",))),
        kernel=follow_sitelinks,
        inputs=("entities", "redirect_targets"),
        outputs=(SITELINKS,),
        about="the page that each entity's Wikipedia link leads to",
    )


_FOLLOW = """
    SELECT e.qid, e.title, coalesce(r.target, e.title) AS target, r.source IS NOT NULL AS redirected
    FROM entities e LEFT JOIN redirects r ON r.source = e.title
"""


def follow_sitelinks(entities: pa.Table, redirect_targets: pa.Table) -> Output:
    """Sitelinks with their targets, of the entities that have one.

    Rejects: other_namespace (the link leads to a category, template or the like; key "namespace N",
    counted). Metrics: entities_without_sitelink.
    """
    linked = entities.select(["qid", "title"]).filter(pc.is_valid(entities["title"]))
    numbers = _namespaces(linked["title"].to_pylist())
    rejects = Rejects()
    for number, count in sorted(Counter(numbers).items()):
        if number != MAIN:
            rejects.add(f"namespace {number}", "other_namespace", "sitelink to a page that is no article", count)
    articles = linked.filter(pa.array([number == MAIN for number in numbers], pa.bool_()))
    result = sql(_FOLLOW, entities=articles, redirects=redirect_targets).cast(SITELINKS.schema)
    metrics = {"entities_without_sitelink": float(entities.num_rows - linked.num_rows)}
    return Output({SITELINKS.name: result}, rejects.table(), metrics)


def _namespaces(titles: list[str]) -> list[int]:
    names = Namespaces.of()
    return [names.split(title)[0] if ":" in title else MAIN for title in titles]
