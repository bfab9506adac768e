"""Small worlds for the linking tests: entities with sitelinks, pages, redirects."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from stages.core.contract import Output
from stages.linking.claims import claim_pages
from stages.linking.link import link_articles
from stages.linking.sitelinks import follow_sitelinks
from stages.wikipedia.pages import PAGES
from stages.wikipedia.redirects import REDIRECT_TARGETS

ENTITIES = pa.schema([("qid", pa.string()), ("label", pa.string()), ("title", pa.string())])


@dataclass(frozen=True)
class World:
    """entities: title or None by qid; pages: own qid or None by title; redirects: target by source."""

    entities: dict[str, str | None] = field(default_factory=dict)
    pages: dict[str, str | None] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)

    def sitelinks(self) -> Output:
        entities = [{"qid": qid, "label": qid, "title": title} for qid, title in self.entities.items()]
        redirects = [{"source": source, "target": target} for source, target in self.redirects.items()]
        return follow_sitelinks(
            pa.Table.from_pylist(entities, schema=ENTITIES),
            pa.Table.from_pylist(redirects, schema=REDIRECT_TARGETS.schema),
        )

    def claims(self) -> Output:
        rows = [{"title": title, "page_id": None, "qid": qid, "text": "x"} for title, qid in self.pages.items()]
        return claim_pages(self.sitelinks().tables["sitelinks"], PAGES.table(rows))

    def link(self) -> Output:
        return link_articles(self.claims().tables["link_claims"])

    def articles(self) -> dict[str, str]:
        return {row["title"]: row["qid"] for row in self.link().tables["articles"].to_pylist()}

    def audit(self) -> dict[tuple[str, str], str]:
        return {(row["qid"], row["title"]): row["status"] for row in self.link().tables["link_audit"].to_pylist()}
