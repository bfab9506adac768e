"""Candidate sentences in straightforward Python: dictionaries, a substring test, then a regular expression per name."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from tests.stages.facts import oracle

Row = dict[str, Any]


def candidates(requests: list[Row], sentences: list[Row], window: int) -> list[Row]:
    """As `stages.facts.candidate_evidence.candidates`, without its rejects."""
    pages: dict[str, list[Row]] = defaultdict(list)
    for row in sentences:
        pages[row["qid"]].append(row)
    found = []
    for qid, rows in pages.items():
        rows.sort(key=lambda row: row["index"])
        pages[qid] = [row | {"cased": oracle.normal(row["text"])} for row in rows]
        for row in pages[qid]:
            row["folded"] = row["cased"].casefold()
    for request in requests:
        rows = pages.get(request["page"], [])
        for place, surface in _found(request, rows):
            premise = " ".join(row["text"] for row in rows[max(0, place - window) : place + 1])
            found.append(
                request
                | {"index": rows[place]["index"], "sentence": rows[place]["text"], "premise": premise}
                | {"surface": surface}
            )
    return found


def _found(request: Row, rows: list[Row]) -> list[tuple[int, str]]:
    """Places of sentences with the first of the request's names that each has."""
    best: dict[int, str] = {}
    for name in request["surfaces"]:
        short = len(oracle.normal(name).strip()) <= 3
        needle = oracle.normal(name).strip() if short else oracle.normal(name).strip().casefold()
        compiled: re.Pattern[str] | None = None
        for place, row in enumerate(rows):
            text = row["cased"] if short else row["folded"]
            if place in best or needle not in text:
                continue
            compiled = compiled or oracle.pattern(name)
            if compiled is not None and compiled.search(text):
                best[place] = name
    return sorted(best.items())
