"""A wiki by its API (api.php): pages as wikitext, what titles lead to, and searches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stages.live.addresses import LiveError, shown
from stages.live.batches import Tell, in_batches, silent
from stages.live.service import Busy, Cut, Service
from stages.wikipedia.titles import normalise_title, title_fault

BATCH = 50
"""Titles a question: what wikis take of anybody."""
_MOST_PARTS = 1000
_LATER = frozenset({"maxlag", "ratelimited", "readonly"})
_WHOLE: Mapping[str, str] = {"action": "query", "format": "json", "formatversion": "2", "maxlag": "5"}
_PAGES = {"prop": "revisions", "rvprop": "ids|timestamp|content", "rvslots": "main", "redirects": "1"}
_SITE = {"meta": "siteinfo", "siprop": "general|namespaces|namespacealiases|rightsinfo"}


@dataclass(frozen=True)
class Site:
    """What a wiki says of itself. namespaces: (number, name), with their other names; licence: in its own words."""

    name: str
    base: str
    generator: str
    language: str
    namespaces: tuple[tuple[int, str], ...]
    licence: str


@dataclass(frozen=True)
class Page:
    """A page at one revision. model: of its content, such as wikitext."""

    title: str
    page_id: int
    namespace: int
    revision: int
    timestamp: str
    model: str
    text: str


@dataclass
class Pages:
    """pages: by title; leads: redirects and other spellings of titles, each to the next; missing: titles without."""

    pages: dict[str, Page] = field(default_factory=dict)
    leads: dict[str, str] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)


@dataclass
class Wiki:
    """Asks one wiki."""

    service: Service
    tell: Tell = silent
    batch: int = BATCH

    def site(self) -> Site:
        """What the wiki says of itself."""
        try:
            said = self.service.ask({**_WHOLE, **_SITE}, _checked, least=True)["query"]
            general = said["general"]
            names = [(int(space["id"]), space["name"]) for space in said["namespaces"].values()]
            names += [(int(other["id"]), other["alias"]) for other in said["namespacealiases"]]
            rights = said.get("rightsinfo", {})
            return Site(
                name=general["sitename"],
                base=general["base"],
                generator=general["generator"],
                language=general["lang"],
                namespaces=tuple(sorted(names)),
                licence=" ".join(filter(None, (rights.get("text"), rights.get("url")))),
            )
        except (Cut, KeyError, TypeError, ValueError) as error:
            raise LiveError(f"{shown(self.service.address)}: does not say which wiki it is ({error!r})") from error

    def pages(self, titles: Sequence[str]) -> Pages:
        """The pages that titles lead to, at their newest revision.

        A title that no page can have is never sent, and is among the missing ones.
        """
        found = Pages()
        asked = list(dict.fromkeys(normalise_title(title) for title in titles))
        found.missing |= {title for title in asked if title_fault(title)}
        sound = [title for title in asked if title not in found.missing]
        done = 0
        for batch, (pages, leads) in in_batches(sound, self.batch, self._pages):
            found.pages |= {page.title: page for page in pages}
            found.leads |= leads
            ends = {page.title for page in pages}
            found.missing |= {title for title in batch if _end(title, leads) not in ends}
            done += len(batch)
            self.tell("pages", done, len(sound))
        return found

    def listed(self, values: Mapping[str, str], key: str, most: int) -> list[dict[str, Any]]:
        """The entries of a list, such as list=search, up to `most`."""
        found: list[dict[str, Any]] = []
        for part in self.parts(values):
            found += part.get("query", {}).get(key, [])
            if len(found) >= most:
                break
        return found[:most]

    def parts(self, values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """The parts of one answer: the wiki says in each how to ask for the next.

        Raises:
            Cut: a part is not whole, or leads back.
        """
        more: dict[str, str] = {}
        seen: set[str] = set()
        while True:
            part = self.service.ask({**_WHOLE, **values, **more}, _checked, least="|" not in values.get("titles", ""))
            yield part
            if "continue" not in part:
                return
            more = {str(name): str(value) for name, value in part["continue"].items()}
            mark = json.dumps(more, sort_keys=True)
            if mark in seen or len(seen) > _MOST_PARTS:
                raise Cut("the parts of an answer lead back to an earlier one")
            seen.add(mark)

    def _pages(self, titles: Sequence[str]) -> tuple[list[Page], dict[str, str]]:
        pages: dict[str, dict[str, Any]] = {}
        leads: dict[str, str] = {}
        for part in self.parts({**_PAGES, "titles": "|".join(titles)}):
            said = part.get("query", {})
            for one in (*said.get("normalized", []), *said.get("converted", []), *said.get("redirects", [])):
                leads[one["from"]] = one["to"]
            for page in said.get("pages", []):
                pages.setdefault(page["title"], {}).update(page)
        return [found for page in pages.values() if (found := _page(page)) is not None], leads


def _checked(body: bytes) -> dict[str, Any]:
    """An answer of the API.

    Raises:
        Cut: no whole JSON.
        Busy: the wiki wants to be asked later.
        LiveError: it refuses.
    """
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Cut(f"not a whole answer: {error}") from error
    if not isinstance(said, dict):
        raise Cut("not an answer of a wiki's API")
    fault = said.get("error")
    if isinstance(fault, dict):
        code = str(fault.get("code", ""))
        if code in _LATER or code.startswith("internal_api_error"):
            raise Busy(f"the wiki says {code[:80]}")
        raise LiveError(f"the wiki refuses: {code[:80]}: {str(fault.get('info', ''))[:200]}")
    return said


def _page(said: dict[str, Any]) -> Page | None:
    """A page with its text; None where there is none, or nobody may read it.

    Raises:
        Cut: the page is there, but not its text.
    """
    if said.get("missing") or said.get("invalid") or said.get("special") or said.get("ns", 0) < 0:
        return None
    revisions = said.get("revisions") or []
    if not revisions:
        raise Cut(f"no revision of {said['title']}")
    [revision] = revisions[:1]
    slot = revision.get("slots", {}).get("main", {})
    if slot.get("texthidden") or slot.get("textmissing"):
        return None
    if "content" not in slot:
        raise Cut(f"no text of {said['title']}")
    return Page(
        title=said["title"],
        page_id=said["pageid"],
        namespace=said["ns"],
        revision=revision["revid"],
        timestamp=revision.get("timestamp", ""),
        model=slot.get("contentmodel", "wikitext"),
        text=slot["content"],
    )


def _end(title: str, leads: Mapping[str, str]) -> str:
    seen = {title}
    while title in leads and leads[title] not in seen:
        title = leads[title]
        seen.add(title)
    return title
