"""Stage linking.link: one entity per page and one page per entity, with an audit of every pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pyarrow as pa

from stages.core.contract import Map, Output, Stage, TableSpec
from stages.linking.claims import LINK_CLAIMS
from stages.linking.statuses import ACCEPTED, AMBIGUOUS, CONFLICT, LINKED, PAGE_QID_ONLY, REDIRECTED, STATUSES
from stages.wikipedia.raw import ORIGIN

# Each title and each qid occurs once.
ARTICLES = TableSpec(
    name="articles",
    schema=pa.schema(
        [
            pa.field("title", pa.string(), nullable=False),
            pa.field("qid", pa.string(), nullable=False),
            pa.field("page_id", pa.int64()),
            *ORIGIN,
        ]
    ),
    key=("title",),
)
# Every page of the corpus and every sitelink occurs; qid is "" for a page that nothing claims.
LINK_AUDIT = TableSpec(
    name="link_audit",
    schema=pa.schema(
        [
            pa.field("qid", pa.string(), nullable=False),
            pa.field("title", pa.string(), nullable=False),
            pa.field("status", pa.string(), nullable=False),
            pa.field("detail", pa.string(), nullable=False),
        ]
    ),
    key=("qid", "title"),
    bucket_by=("title",),
)

Row = dict[str, Any]


def stage() -> Stage:
    return Stage(
        name="linking.link",
        shape=Map(),
        kernel=link_articles,
        inputs=(LINK_CLAIMS.name,),
        outputs=(ARTICLES, LINK_AUDIT),
        about="each article with the entity it is about",
    )


def link_articles(link_claims: pa.Table) -> Output:
    """Articles and the audit; one shard of claims holds all claims of an entity.

    A sitelink beats pages' own ids; of several pages that name one entity none is taken.
    Metrics: pairs per status.
    """
    by_entity: dict[str, list[Row]] = defaultdict(list)
    for claim in link_claims.to_pylist():
        by_entity[claim["qid"]].append(claim)
    settled = [claim for qid in sorted(by_entity) for claim in _settle(by_entity[qid])]
    articles = [claim for claim in settled if claim["status"] in ACCEPTED]
    counts = Counter(claim["status"] for claim in settled)
    return Output(
        {
            ARTICLES.name: ARTICLES.table([_pick(claim, ARTICLES) for claim in articles]),
            LINK_AUDIT.name: LINK_AUDIT.table([_pick(claim, LINK_AUDIT) for claim in settled]),
        },
        metrics={f"status_{status}": float(counts[status]) for status in STATUSES},
    )


def _settle(claims: list[Row]) -> list[Row]:
    """The claims of one entity, of which at most one stays accepted."""
    link = next((claim for claim in claims if claim["status"] in (LINKED, REDIRECTED)), None)
    pages = sum(claim["status"] == PAGE_QID_ONLY for claim in claims)
    if link is not None:
        change = (CONFLICT, f"the sitelink is {link['title']}")
    elif pages > 1:
        change = (AMBIGUOUS, "several pages name the entity")
    else:
        return claims
    return [_turned(claim, *change) if claim["status"] == PAGE_QID_ONLY else claim for claim in claims]


def _turned(claim: Row, status: str, detail: str) -> Row:
    return claim | {"status": status, "detail": detail}


def _pick(claim: Row, spec: TableSpec) -> Row:
    return {name: claim[name] for name in spec.schema.names}
