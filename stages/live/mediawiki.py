"""A wiki by its API (api.php): pages as wikitext, what titles lead to, and searches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stages.live.addresses import LiveError, redacted, shown
from stages.live.batches import Tell, in_batches, short, some
from stages.live.service import Cut, Service, silent
from stages.live.wiki_answers import WikiFault, WikiPage, answered, checked, fault_of, leads_of, page_of, warnings_of
from stages.wikipedia.titles import normalise_title, title_fault

BATCH = 50
"""Titles a question: what wikis take of anybody."""
_MOST_PARTS = 1000
_WHOLE: Mapping[str, str] = {
    "action": "query",
    "format": "json",
    "formatversion": "2",
    "errorformat": "plaintext",
    "maxlag": "5",
}
_PAGES = {
    "prop": "revisions|redirects",
    "rvprop": "ids|timestamp|content",
    "rvslots": "main",
    "rdprop": "title",
    "rdnamespace": "0",
    "rdlimit": "max",
    "redirects": "1",
}
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


class WikiRefused(LiveError):
    """The wiki refuses to answer. code: its own word for why."""

    def __init__(self, address: str, code: str, text: str) -> None:
        super().__init__(f"{address}: the wiki refuses: {code}: {text}")
        self.code = code


@dataclass
class Pages:
    """What titles lead to.

    pages: by title. leads: redirects and other spellings of titles, each to the next; of every page all redirects
    that name it. missing: titles that lead to no page; elsewhere: those of them that name a page of another wiki.
    """

    pages: dict[str, WikiPage] = field(default_factory=dict)
    leads: dict[str, str] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)

    def add(self, other: Pages) -> None:
        self.pages |= other.pages
        self.leads |= other.leads
        self.missing |= other.missing
        self.elsewhere |= other.elsewhere

    def end(self, title: str) -> str | None:
        """The page that a title leads to, by its title."""
        found = _end(normalise_title(title), self.leads)
        return found if found in self.pages else None


@dataclass
class Wiki:
    """Asks one wiki. warnings: what it has warned of, each once."""

    service: Service
    tell: Tell = silent
    batch: int = BATCH
    warnings: set[str] = field(default_factory=set)

    def site(self) -> Site:
        """What the wiki says of itself."""
        try:
            said = self._ask(_SITE, least=True)["query"]
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
            raise LiveError(
                f"{shown(self.service.address)}: does not say which wiki it is ({error!r}); "
                "is this the address of a wiki's api.php?"
            ) from error

    def pages(self, titles: Sequence[str], phase: str = "pages") -> Pages:
        """The pages that titles lead to, at their newest revision, and all redirects to them from articles' titles.

        A title that no page can have is never sent, and is among the missing ones. phase: for `tell`.
        """
        found = Pages()
        asked = list(dict.fromkeys(normalise_title(title) for title in titles))
        found.missing |= {title for title in asked if title_fault(title)}
        sound = [title for title in asked if title not in found.missing]
        for batch, part in in_batches(sound, self.batch, self._pages, self.tell, phase):
            found.add(part)
            found.missing |= {title for title in batch if part.end(title) is None}
        return found

    def lists(self, values: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
        """The first entries of some lists, such as list=search, as many as one answer holds.

        Raises:
            WikiRefused: the wiki has no such list, or cannot make it of these values.
        """
        # A refusal of one of many questions is an answer, too, and is kept: offline it has to be the same.
        said = self.service.ask({**_WHOLE, **values}, answered, least=True, about=_in_words(values))
        if (fault := fault_of(said)) is not None:
            raise self._refused(fault)
        self._heed(said)
        query = said.get("query", {})
        return {name: query.get(name, []) for name in values["list"].split("|")}

    def parts(self, values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """The parts of one answer: the wiki says in each how to ask for the next.

        Raises:
            Cut: a part is not whole, or leads back.
        """
        more: dict[str, str] = {}
        seen: set[str] = set()
        while True:
            part = self._ask({**values, **more}, least="|" not in values.get("titles", ""))
            yield part
            if "continue" not in part:
                return
            more = {str(name): str(value) for name, value in part["continue"].items()}
            mark = json.dumps(more, sort_keys=True)
            if mark in seen or len(seen) > _MOST_PARTS:
                raise Cut("the parts of an answer lead back to an earlier one")
            seen.add(mark)

    def _pages(self, titles: Sequence[str]) -> Pages:
        said: dict[str, dict[str, Any]] = {}
        found = Pages()
        for part in self.parts({**_PAGES, "titles": "|".join(titles)}):
            query = part.get("query", {})
            found.leads |= dict(leads_of(query))
            found.elsewhere |= {one["title"] for one in query.get("interwiki", [])}
            for page in query.get("pages", []):
                known = said.setdefault(page["title"], {})
                redirects = [*known.get("redirects", []), *page.get("redirects", [])]
                known.update(page, redirects=redirects)
        for title, one in said.items():
            if (page := page_of(one)) is not None:
                found.pages[title] = page
                found.leads |= {source["title"]: title for source in one["redirects"]}
        return found

    def _ask(self, values: Mapping[str, str], least: bool) -> dict[str, Any]:
        try:
            said = self.service.ask({**_WHOLE, **values}, checked, least, _in_words(values))
        except WikiFault as fault:
            raise self._refused(fault) from fault
        self._heed(said)
        return said

    def _heed(self, said: Mapping[str, Any]) -> None:
        self.warnings |= {redacted(warning, self.service.address) for warning in warnings_of(said)}

    def _refused(self, fault: WikiFault) -> WikiRefused:
        code, text = fault.args
        return WikiRefused(shown(self.service.address), code, redacted(text, self.service.address))


def _in_words(values: Mapping[str, str]) -> str:
    """What a form asks a wiki for."""
    if "titles" in values:
        return f"the pages {some(values['titles'].split('|'))}"
    if "srsearch" in values:
        return f"what a search finds for {short(values['srsearch'])!r}"
    return "what the wiki says of itself" if "meta" in values else "an answer"


def _end(title: str, leads: Mapping[str, str]) -> str:
    seen = {title}
    while title in leads and leads[title] not in seen:
        title = leads[title]
        seen.add(title)
    return title
