"""Pages of the sample of counterfactual questions, as a MediaWiki export and as a file of prepared pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.samples import LICENCE
from stages.wikipedia.wikitext import clean_wikitext
from tests.tools import world_wikipedia
from tests.tools.counterfactuals_source import Sample, SamplePage
from tests.tools.world_source import Page, World

EXPORT, PREPARED = "wikipedia.xml", "pages.jsonl"


def page_files(sample: Sample) -> dict[str, bytes]:
    """The two files of pages, each with its redirects."""
    exported = [page for page in sample.pages if not page.prepared]
    pages = [Page(page.title, page.text, qid=f"Q{number}") for number, page in enumerate(exported, start=1)]
    leading = [_redirect(source, target) for page in exported for source, target in page.redirects.items()]
    odd = (*leading, *(_odd(entry) for entry in sample.odd_pages))
    world = World((), tuple(pages), {}, {}, odd_pages=odd)
    return {
        EXPORT: world_wikipedia.dump(world).encode(),
        PREPARED: lines(encoded(record) for page in sample.pages if page.prepared for record in _prepared(page)),
    }


def _redirect(source: str, target: str) -> Page:
    return Page(source, "", redirect=target)


def _odd(entry: Mapping[str, Any]) -> Page:
    return Page(
        entry["title"], entry.get("text", ""), namespace=entry.get("namespace", 0), redirect=entry.get("redirect")
    )


def _prepared(page: SamplePage) -> list[dict[str, str]]:
    text = clean_wikitext(page.text)
    return [
        {"title": page.title, "text": text, "license": LICENCE},
        *({"from": source, "to": target} for source, target in page.redirects.items()),
    ]


def entry_lines(entries: Iterable[Mapping[str, Any]]) -> list[bytes]:
    """Odd records as lines: text as it stands, or a record in which {repeat: text or list, times: n} is n of them."""
    return [entry["line"].encode() if "line" in entry else encoded(expanded(entry["record"])) for entry in entries]


def expanded(value: Any) -> Any:
    """A value in which {repeat: text or list, times: n} stands for n of them."""
    if isinstance(value, dict):
        if set(value) == {"repeat", "times"}:
            return value["repeat"] * value["times"]
        return {name: expanded(inner) for name, inner in value.items()}
    return [expanded(inner) for inner in value] if isinstance(value, list) else value


def encoded(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode()


def lines(found: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in found)
