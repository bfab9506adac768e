"""The records of a report as scripts that a page loads by need: `benchwright.take(series, number, content)`.

A page that was opened from disk may load scripts, and nothing else, from beside it. What stands in them is JSON in
which no sign can end a script.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipelines.lineage import Quote, Trail, TrailStep

FOLDER = "data"
INDEX, TRAILS, PICTURES, SUMMARY = "index", "trails", "pictures", "summary"
_INDEX_ROWS = 4000
_BYTES = 256 * 1024
# What can be searched of an answer list; the page of the record has them all.
_ANSWERS = 2000


def script(series: str, number: int, content: Any) -> str:
    """A chunk as a script."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f"benchwright.take({json.dumps(series)},{number},{text});\n"


class _Series:
    """Items in chunks of so many rows or bytes. starts: the number of the first item of each chunk."""

    def __init__(self, folder: Path, name: str, most_rows: int, most_bytes: int) -> None:
        self._folder, self._name = folder, name
        self._most_rows, self._most_bytes = most_rows, most_bytes
        self._items: list[Any] = []
        self._bytes = 0
        self.count = 0
        self.starts: list[int] = []

    def add(self, item: Any, size: int) -> int:
        """size: about how many bytes it takes. Returns the item's number."""
        if self._items and (len(self._items) >= self._most_rows or self._bytes + size > self._most_bytes):
            self.flush()
        if not self._items:
            self.starts.append(self.count)
        self._items.append(item)
        self._bytes += size
        self.count += 1
        return self.count - 1

    def flush(self) -> None:
        if self._items:
            number = len(self.starts) - 1
            path = self._folder / f"{self._name}-{number}.js"
            path.write_text(script(self._name, number, self._items), encoding="utf-8", newline="\n")
            self._items, self._bytes = [], 0


class _Names:
    """Names by the order in which they came, and how often each did."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._counts: list[int] = []

    def add(self, name: str) -> int:
        place = self._places.setdefault(name, len(self._places))
        if place == len(self._counts):
            self._counts.append(0)
        self._counts[place] += 1
        return place

    def as_json(self) -> list[list[Any]]:
        return [[name, self._counts[place]] for name, place in self._places.items()]


class Chunks:
    """Writes records as they pass by; memory holds a chunk of each series."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._folder.mkdir()
        self._index = _Series(self._folder, INDEX, _INDEX_ROWS, 4 * _BYTES)
        self._trails = _Series(self._folder, TRAILS, _INDEX_ROWS, _BYTES)
        self._pictures = _Series(self._folder, PICTURES, _INDEX_ROWS, _BYTES)
        self._drawn: dict[bytes, int] = {}
        self._splits, self._kinds, self._tags = _Names(), _Names(), _Names()

    def add(self, trail: Trail) -> None:
        row = self._row(trail)
        self._index.add(row, len(json.dumps(row)))
        told = self._told(trail)
        self._trails.add(told, len(json.dumps(told)))

    def finish(self, tags: str) -> None:
        """Writes what is left, and what the page has to know first. tags: what they are, in the singular."""
        for series in (self._index, self._trails, self._pictures):
            series.flush()
        summary = {
            "count": self._index.count,
            "splits": self._splits.as_json(),
            "kinds": self._kinds.as_json(),
            "tags": self._tags.as_json(),
            "tagName": tags,
            "starts": {INDEX: self._index.starts, TRAILS: self._trails.starts, PICTURES: self._pictures.starts},
        }
        path = self._folder / f"{SUMMARY}.js"
        path.write_text(script(SUMMARY, 0, summary), encoding="utf-8", newline="\n")

    def _row(self, trail: Trail) -> list[Any]:
        answers = "; ".join(trail.answers)
        return [
            trail.key,
            trail.question,
            answers if len(answers) <= _ANSWERS else f"{answers[: _ANSWERS - 1]}…",
            len(trail.answers),
            self._splits.add(trail.split),
            self._kinds.add(trail.kind),
            [self._tags.add(tag) for tag in trail.tags],
            int(trail.confirmed),
        ]

    def _told(self, trail: Trail) -> dict[str, Any]:
        return {
            "record": trail.record,
            "answers": trail.answers,
            "steps": [self._step(step) for step in trail.steps],
        }

    def _step(self, step: TrailStep) -> dict[str, Any]:
        told: dict[str, Any] = {"name": step.name, "stages": step.stages, "facts": step.facts}
        if step.quotes:
            told["quotes"] = [_quote(quote) for quote in step.quotes]
        if step.picture:
            told["picture"] = self._picture(step.picture)
        return told

    def _picture(self, svg: str) -> int:
        """Its number; the graph of many questions is written once."""
        place = hashlib.sha256(svg.encode()).digest()
        if place not in self._drawn:
            self._drawn[place] = self._pictures.add(svg, len(svg))
        return self._drawn[place]


def _quote(quote: Quote) -> dict[str, Any]:
    """Only what is there, with the text in pieces: every second one is marked."""
    told: dict[str, Any] = {"text": pieces(quote.text, quote.marks)}
    for name in ("title", "url", "of", "says", "facts"):
        if value := getattr(quote, name):
            told[name] = value
    if quote.aside:
        told["aside"] = 1
    return told


def pieces(text: str, marks: Sequence[tuple[int, int]]) -> list[str]:
    """The text cut at its marks: plain, marked, plain, ..."""
    found, at = [], 0
    for start, end in marks:
        found += [text[at:start], text[start:end]]
        at = end
    return [*found, text[at:]]
