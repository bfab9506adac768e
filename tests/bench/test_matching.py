"""Matching names on real pages: one automaton per page against a regular expression per name."""

from __future__ import annotations

import gzip
import json
import re
import time
from pathlib import Path

import pytest

from stages.facts.matching import PreparedPage
from tests.stages.facts import oracle

PAGES = 1500


def work(folder: Path) -> list[tuple[list[str], list[str]]]:
    """(sentences, names of the objects of the page's statements) of the first pages that have any."""
    names, objects = {}, {}
    with gzip.open(folder / "entities.json.gz", "rt", encoding="utf-8") as file:
        for line in file:
            if not line.startswith("{"):
                continue
            entity = json.loads(line.rstrip().rstrip(","))
            label = entity.get("labels", {}).get("en", {}).get("value")
            if label:
                names[entity["id"]] = [label, *(alias["value"] for alias in entity.get("aliases", {}).get("en", []))]
            values = [
                claim["mainsnak"].get("datavalue", {}).get("value")
                for claims in entity["claims"].values()
                for claim in claims
            ]
            objects[entity["id"]] = [value["id"] for value in values if isinstance(value, dict) and "id" in value]
    pages = []
    with gzip.open(folder / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            page = json.loads(line)
            wanted = sorted({name for item in objects.get(page["qid"], []) for name in names.get(item, [])})
            if wanted:
                pages.append((re.split(r"(?<=[.!?])\s+", page["text"]), wanted))
            if len(pages) == PAGES:
                break
    return pages


@pytest.mark.bench
def test_automaton_against_regular_expressions(shared_data: Path) -> None:
    pages = work(shared_data / "wikidata")
    start = time.process_time()
    found = [{(hit.surface, hit.sentence) for hit in PreparedPage(texts).mentions(names)} for texts, names in pages]
    middle = time.process_time()
    expected = [oracle.mentions(texts, names) for texts, names in pages]
    end = time.process_time()
    assert found == expected
    plain, ours = end - middle, middle - start
    print(
        f"\n{len(pages)} pages, {sum(map(len, found))} matches: {ours:.3f} s against {plain:.3f} s, {plain / ours:.1f}x"
    )
    assert plain >= 3 * ours
