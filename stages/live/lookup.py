"""What a live wiki knows of titles and names: for answers that name pages, and for names that stand for one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from stages.live.mediawiki import Wiki
from stages.normalise.titles import MAX_HOPS, Found, base, fold
from stages.wikipedia.titles import normalise_title, title_fault

# What a search engine would take for a command.
_OPERATORS = re.compile(r"""[":/~*|!<>\[\]{}()\\]|^-|(?<=\s)-""")
_MOST = 500
_NEAR = 50


class LiveTitles:
    """The titles of a live wiki, as `stages.normalise` asks for them; every question goes through the request cache."""

    def __init__(self, wiki: Wiki) -> None:
        self._wiki = wiki

    def find(self, title: str) -> Found | None:
        """See `stages.normalise.titles.Titles.find`."""
        if title_fault(title):
            return None
        leads: dict[str, tuple[str, str]] = {}
        pages: dict[str, bool] = {}
        values = {"titles": title, "redirects": "1", "prop": "pageprops", "ppprop": "disambiguation"}
        for part in self._wiki.parts(values):
            said = part.get("query", {})
            for one in (*said.get("normalized", []), *said.get("redirects", [])):
                leads[one["from"]] = (one["to"], one.get("tofragment", ""))
            for page in said.get("pages", []):
                if not (page.get("missing") or page.get("invalid")):
                    pages[page["title"]] = "disambiguation" in page.get("pageprops", {})
        return _led(title, leads, pages)

    def alike(self, title: str) -> Sequence[str]:
        """Among the titles that the wiki completes this one to."""
        if title_fault(title):
            return []
        found = self._wiki.listed(
            {"list": "prefixsearch", "pssearch": title, "pslimit": str(_NEAR)}, "prefixsearch", _NEAR
        )
        titles = {normalise_title(one["title"]) for one in found}
        return sorted(other for other in titles if other != title and fold(other) == fold(title))

    def qualified(self, title: str) -> Sequence[str]:
        """Those that begin with this title and a parenthesis."""
        if title_fault(title):
            return []
        values = {"list": "allpages", "apprefix": f"{title} (", "apnamespace": "0", "aplimit": "max"}
        titles = {normalise_title(one["title"]) for one in self._wiki.listed(values, "allpages", _MOST)}
        return sorted(other for other in titles if base(other) == title)


class LiveSearch:
    """The first page that a wiki's own search finds for a name."""

    def __init__(self, wiki: Wiki) -> None:
        self._wiki = wiki

    def first(self, name: str) -> str | None:
        """Its title; None where nothing is found."""
        words = " ".join(_OPERATORS.sub(" ", name).split())
        values = {"list": "search", "srsearch": words, "srlimit": "1", "srprop": "", "srinfo": "", "srnamespace": "0"}
        found = self._wiki.listed(values, "search", 1) if words else []
        return normalise_title(found[0]["title"]) if found else None

    def firsts(self, names: Iterable[str]) -> dict[str, str]:
        """Of many names, those for which something is found."""
        found = {name: self.first(name) for name in sorted(set(names))}
        return {name: title for name, title in found.items() if title is not None}


def _led(title: str, leads: dict[str, tuple[str, str]], pages: dict[str, bool]) -> Found | None:
    target, section, seen = title, "", {title}
    while target in leads and target not in pages:
        target, fragment = leads[target]
        section = fragment or section
        if target in seen:
            return Found(title, fault="redirect_loop")
        seen.add(target)
        if len(seen) > MAX_HOPS + 1:
            return Found(title, fault="chain_too_long")
    if target not in pages:
        return None if target == title else Found(target, fault="missing_page")
    return Found(target, fault="disambiguation") if pages[target] else Found(target, section, target != title)
