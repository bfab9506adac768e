"""Real passages that people wrote counterfactual questions on, and a background of equally long ones.

The background is cut from pages that were not chosen for anything: leads of pages, and the
whole text of a few. It is halved by a hash of the page's title, so no page is in both halves.
A passage that shares twelve words in a row with one that is used elsewhere is left out.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stages.ifqa.passages import cut

WORDS = 100
SHINGLE = 12
LEADS, WHOLE = "leads", "whole pages"


@dataclass(frozen=True)
class Passages:
    """train, dev: passages with questions, without duplicates; dev shares none with train.
    background: (kind, half) to passages; kind is LEADS or WHOLE, half is 0 or 1.
    """

    train: list[str]
    dev: list[str]
    background: dict[tuple[str, int], list[str]]

    def of_half(self, half: int) -> list[str]:
        return [*self.background[LEADS, half], *self.background[WHOLE, half]]


def load(data: Path) -> Passages:
    train, dev = (released(data / "ifqa" / f"full_{part}.json") for part in ("train", "dev"))
    seen = shingles(train)
    dev = [passage for passage in dev if not shingles([passage]) & seen]
    seen |= shingles(dev)
    background: dict[tuple[str, int], list[str]] = {(kind, half): [] for kind in (LEADS, WHOLE) for half in (0, 1)}
    with gzip.open(data / "wikidata" / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            kind = WHOLE if page["source"] == "xmldump-full" else LEADS
            half = hashlib.sha256(page["title"].encode()).digest()[0] % 2
            whole = (text for text, wrapped in cut(page["text"].split(), WORDS) if not wrapped)
            background[kind, half] += [text for text in whole if not shingles([text]) & seen]
    return Passages(train, dev, background)


def released(file: Path) -> list[str]:
    """The distinct passages of a released file that have the full length, in its order."""
    rows = json.loads(file.read_text(encoding="utf-8"))
    texts = (" ".join(passage.split()) for row in rows for passage in row["context"])
    return list(dict.fromkeys(text for text in texts if text.count(" ") + 1 == WORDS))


def shingles(texts: Iterable[str]) -> set[tuple[str, ...]]:
    split = (text.split() for text in texts)
    return {tuple(words[place : place + SHINGLE]) for words in split for place in range(len(words) - SHINGLE + 1)}
