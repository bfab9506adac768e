"""What must be so of every report, whatever it is about: for tests with builds of rows and with those of samples."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pipelines.report.pages import ASSETS
from tests.pipelines.report.test_chunks import read

LOADS = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "object": "data",
    "source": "src",
    "use": "href",
}


class _Page(HTMLParser):
    """Tags with their attributes, ids, and the text that stands in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.inside = ""
        self.inline = ""
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.inside = tag if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.inline += data
        else:
            self.text += f"{data} "


def pages(folder: Path) -> dict[str, _Page]:
    return {path.name: _Page(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.html"))}


def check(folder: Path) -> None:
    """Nothing is loaded from elsewhere, no script or style stands in a page, and every link within leads somewhere."""
    found = pages(folder)
    ids = {name: {tag["id"] for _, tag in page.tags if "id" in tag} for name, page in found.items()}
    for name, page in found.items():
        assert not page.inline.strip(), name
        (policy,) = (tag["content"] for kind, tag in page.tags if kind == "meta" and tag.get("http-equiv"))
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        for kind, tag in page.tags:
            assert not [given for given in tag if given == "style" or given.startswith("on")], (name, kind)
            if kind in LOADS and LOADS[kind] in tag:
                assert (folder / tag[LOADS[kind]]).is_file(), (name, tag)
            if kind == "a":
                path, _, place = tag["href"].partition("#")
                assert not path or (folder / path).is_file(), (name, tag)
                if place and path != "records.html":
                    assert unquote(place) in ids[path or name], (name, tag)
    for asset in ASSETS:
        text = (folder / asset).read_text(encoding="utf-8")
        assert not re.findall(
            r"https?://[a-z]|@import|url\(|innerHTML|insertAdjacent|document\.write|\beval\b", text
        ), asset


def records(folder: Path) -> dict[str, dict[str, Any]]:
    """Every record that the browser shows, by key: its row of the list and its way back, found as the page does."""
    summary = read(folder / "data" / "summary.js")
    series = {
        name: [item for place in range(len(starts)) for item in read(folder / "data" / f"{name}-{place}.js")]
        for name, starts in summary["starts"].items()
    }
    assert len(series["index"]) == len(series["trails"]) == summary["count"]
    for told in series["trails"]:
        for step in told["steps"]:
            assert step.get("picture", 0) < max(1, len(series["pictures"]))
    found = {row[0]: {"row": row, "told": told} for row, told in zip(series["index"], series["trails"], strict=True)}
    assert len(found) == summary["count"], "a key comes twice"
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]
