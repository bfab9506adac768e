"""Step `claims` of `linking.link`: who claims each page, decided title by title.

Two sources say which entity a page is about: the entity's sitelink, and the page's own
id where the page source gives one. This stage settles what one title can settle; an
entity that two pages claim is settled by `linking.link`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pyarrow as pa

from stages.core.contract import Join, Output, Stage, TableSpec
from stages.linking.statuses import AMBIGUOUS, CONFLICT, LINKED, MISSING_PAGE, NO_ENTITY, PAGE_QID_ONLY, REDIRECTED
from stages.wikipedia.raw import ORIGIN, ORIGIN_NAMES

# One row per pair of an entity and a page title that something states. qid is "" where nothing claims
# the page; title is the page's, or the missing target of the sitelink. page_id, ORIGIN: the page's own.
# status: see `stages.linking.statuses`.
LINK_CLAIMS = TableSpec(
    name="link_claims",
    schema=pa.schema(
        [
            pa.field("qid", pa.string(), nullable=False),
            pa.field("title", pa.string(), nullable=False),
            pa.field("page_id", pa.int64()),
            *ORIGIN,
            pa.field("status", pa.string(), nullable=False),
            pa.field("detail", pa.string(), nullable=False),
        ]
    ),
    key=("qid", "title"),
    bucket_by=("qid",),
)

Row = dict[str, Any]
_OF_PAGE = ("page_id", *ORIGIN_NAMES)


def stage() -> Stage:
    return Stage(
        name="linking.claims",
        shape=Join(on=(("target",), ("title",))),
        kernel=claim_pages,
        inputs=("sitelinks", "pages"),
        outputs=(LINK_CLAIMS,),
        about="which entities claim each page",
    )


def claim_pages(sitelinks: pa.Table, pages: pa.Table) -> Output:
    """A claim per sitelink, and one per page that no sitelink claims or that names another entity."""
    links: dict[str, list[Row]] = defaultdict(list)
    for link in sitelinks.to_pylist():
        links[link["target"]].append(link)
    known = pages.select(["title", "qid", *_OF_PAGE]).to_pylist()
    claims = [claim for page in known for claim in _page_claims(page, links.pop(page["title"], []))]
    for target in sorted(links):
        missing = dict.fromkeys(("title", *_OF_PAGE)) | {"title": target}
        claims += [_claim(link["qid"], missing, MISSING_PAGE, _way(link)) for link in links[target]]
    counts = Counter(claim["status"] for claim in claims)
    metrics = {f"claims_{status}": float(count) for status, count in sorted(counts.items())}
    return Output({LINK_CLAIMS.name: LINK_CLAIMS.table(claims)}, metrics=metrics)


def _page_claims(page: Row, links: list[Row]) -> list[Row]:
    own = page["qid"]
    if not links:
        return [_claim(own or "", page, PAGE_QID_ONLY if own else NO_ENTITY)]
    chosen = _choose(links, own)
    claims = [_link_claim(link, page, chosen) for link in links]
    if own and own not in {link["qid"] for link in links}:
        owners = chosen["qid"] if chosen else " and ".join(sorted(link["qid"] for link in links))
        claims.append(_claim(own, page, CONFLICT, f"the page names it, the sitelinks say {owners}"))
    return claims


def _choose(links: list[Row], own: str | None) -> Row | None:
    """The sitelink that owns the page: one that leads straight to it before one by a redirect.

    Of several equally good ones the page's own id decides, and without it none is chosen.
    """
    straight = [link for link in links if not link["redirected"]]
    best = straight or links
    if len(best) == 1:
        return best[0]
    return next((link for link in best if link["qid"] == own), None)


def _link_claim(link: Row, page: Row, chosen: Row | None) -> Row:
    if link is chosen:
        return _claim(link["qid"], page, REDIRECTED if link["redirected"] else LINKED, _way(link))
    rival = f"the page belongs to {chosen['qid']}" if chosen else "several entities claim the page equally"
    detail = "; ".join(part for part in (rival, _way(link)) if part)
    return _claim(link["qid"], page, AMBIGUOUS, detail)


def _way(link: Row) -> str:
    return f"redirected from {link['title']}" if link["redirected"] else ""


def _claim(qid: str, page: Row, status: str, detail: str = "") -> Row:
    own = {name: page[name] for name in ("title", *_OF_PAGE)}
    return own | {"qid": qid, "status": status, "detail": detail}
