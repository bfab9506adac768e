"""A small double of a wiki's API, for quick tests: it answers what this project asks, in MediaWiki's documented form.

It is no MediaWiki; `tests/stages/live/test_live_mediawiki.py` holds our client against a real one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs

from stages.wikipedia.titles import Namespaces, normalise_title, title_fault

PART = 3
"""Pages whose text comes in one part; the wiki says how to ask for the next."""
_KNOWN = {
    *("action", "format", "formatversion", "maxlag", "prop", "rvprop", "rvslots", "redirects", "titles", "continue"),
    *("meta", "siprop", "list", "srsearch", "srlimit", "srprop", "srinfo", "srnamespace", "pssearch", "pslimit"),
    *("apprefix", "apnamespace", "aplimit", "psnamespace", "rvcontinue", "errorformat"),
    *("rdprop", "rdnamespace", "rdlimit", "rdcontinue"),
}
_PREFIXES = ("wikipedia:", "de:")
"""Of titles in other wikis."""


def handler(pages: Mapping[str, str], redirects: Mapping[str, str]) -> type[BaseHTTPRequestHandler]:
    """pages: title to wikitext; redirects: title to title, which may name a section. `asked`: the forms that came."""

    class Api(BaseHTTPRequestHandler):
        asked: list[dict[str, str]] = []  # noqa: RUF012 (shared on purpose: a request has its own handler)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}
            self.asked.append({**form, "User-Agent": self.headers["User-Agent"]})
            data = json.dumps(_answer(form, pages, redirects)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Api


def _answer(form: dict[str, str], pages: Mapping[str, str], redirects: Mapping[str, str]) -> dict[str, Any]:
    if unknown := set(form) - _KNOWN:
        return {"error": {"code": "unknown", "info": f"no parameter {sorted(unknown)}"}}
    if form.get("meta") == "siteinfo":
        return {"batchcomplete": True, "query": _site()}
    if "list" in form:
        return {"batchcomplete": True, "query": _lists(form, pages, redirects)}
    titles = form["titles"].split("|")
    if len(titles) > 50:
        return {"error": {"code": "toomanyvalues", "info": "Too many values supplied for parameter titles"}}
    return _pages(titles, form, pages, redirects)


def _lists(form: dict[str, str], pages: Mapping[str, str], redirects: Mapping[str, str]) -> dict[str, Any]:
    every = sorted({*pages, *redirects})
    found = {
        "search": [name for name in sorted(pages) if _holds(f"{name} {pages[name]}", form.get("srsearch", ""))],
        "prefixsearch": [title for title in every if title.casefold().startswith(form.get("pssearch", "").casefold())],
        "allpages": [title for title in every if title.startswith(form.get("apprefix", ""))],
    }
    asked = form["list"].split("|")
    return {name: [{"ns": 0, "title": title} for title in found[name]] for name in asked}


def _holds(text: str, words: str) -> bool:
    return words.casefold() in text.casefold()


def _pages(
    titles: list[str], form: dict[str, str], pages: Mapping[str, str], redirects: Mapping[str, str]
) -> dict[str, Any]:
    query: dict[str, Any] = {"pages": []}
    ends: list[str] = []
    for title in titles:
        if title.lower().startswith(_PREFIXES):
            prefix, _, rest = title.partition(":")
            query.setdefault("interwiki", []).append({"title": f"{prefix.lower()}:{rest}", "iw": prefix.lower()})
            continue
        end = normalise_title(title)
        if end != title:
            query.setdefault("normalized", []).append({"fromencoded": False, "from": title, "to": end})
        seen = {end}
        while end in redirects:
            target, mark, section = redirects[end].partition("#")
            lead = {"from": end, "to": target, **({"tofragment": section} if mark else {})}
            if lead not in query.setdefault("redirects", []):
                query["redirects"].append(lead)
            end = target
            if end in seen:
                break
            seen.add(end)
        if end not in ends:
            ends.append(end)
    return _part(ends, query, form, pages, redirects)


def _part(
    ends: list[str],
    query: dict[str, Any],
    form: dict[str, str],
    pages: Mapping[str, str],
    redirects: Mapping[str, str],
) -> dict[str, Any]:
    """Some pages' texts, and when all are told some redirects to them, as a wiki goes on with each module by itself."""
    start, after = int(form.get("rvcontinue", "0")), int(form.get("rdcontinue", "0"))
    there = [end for end in ends if end in pages]
    shown = there[start : start + PART] if "rdcontinue" not in form else []
    leading = [(source, end) for end in there for source in sorted(redirects) if redirects[source].split("#")[0] == end]
    told = leading[after : after + PART] if "rdcontinue" in form or "rvcontinue" not in form else []
    query["pages"] = [_page(end, pages, end in shown) for end in ends]
    for page in query["pages"]:
        if sources := [{"ns": 0, "title": source} for source, end in told if end == page["title"]]:
            page["redirects"] = sources
    if start + PART < len(there) and "rdcontinue" not in form:
        return {"continue": {"rvcontinue": str(start + PART), "continue": "||redirects"}, "query": query}
    if after + PART < len(leading):
        return {"continue": {"rdcontinue": str(after + PART), "continue": "||revisions"}, "query": query}
    return {"batchcomplete": True, "query": query}


def _page(title: str, pages: Mapping[str, str], with_text: bool) -> dict[str, Any]:
    if title_fault(title):
        return {"title": title, "invalidreason": "bad", "invalid": True}
    number, _ = Namespaces.of().split(title)
    if title not in pages:
        return {"ns": number, "title": title, "missing": True}
    page: dict[str, Any] = {"pageid": sorted(pages).index(title) + 1, "ns": number, "title": title}
    if with_text:
        slot = {"contentmodel": "wikitext", "contentformat": "text/x-wiki", "content": pages[title]}
        revision = {"revid": 1000 + page["pageid"], "parentid": 0, "timestamp": "2024-01-02T03:04:05Z"}
        page["revisions"] = [revision | {"slots": {"main": slot}}]
    return page


def _site() -> dict[str, Any]:
    return {
        "general": {
            "sitename": "Wikipedia",
            "base": "https://en.wikipedia.org/wiki/Main_Page",
            "generator": "MediaWiki 1.45.0",
            "lang": "en",
        },
        "namespaces": {
            "0": {"id": 0, "case": "first-letter", "name": ""},
            "6": {"id": 6, "case": "first-letter", "name": "File"},
            "14": {"id": 14, "case": "first-letter", "name": "Category"},
        },
        "namespacealiases": [{"id": 6, "alias": "Image"}],
        "rightsinfo": {"url": "https://creativecommons.org/licenses/by-sa/4.0/", "text": "CC BY-SA 4.0"},
    }
