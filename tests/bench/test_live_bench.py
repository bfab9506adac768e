"""Entities from an endpoint beside the same ones from a dump: requests and seconds per 1,000.

The endpoint is an oxigraph server on this machine, filled with the built-in sample at 1x and 4x (each copy with ids
of its own), asked as fast as it answers. What a service far away adds is one journey per request, and its pauses.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.samples import sample_files
from stages.live.entities import Terms, Walk
from stages.live.recipe import Limits, Recipe
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.source import WikidataDump
from tests.bench.measure import multiples
from tests.stages.live.made import endpoint
from tests.tools.rdf import records, triples
from tests.tools.servers import oxigraph

SHIFT = 10_000_000_000
_ITEM = re.compile(r'"(Q)([0-9]+)([$"])')
_NUMERIC = re.compile(r'"numeric-id": ([0-9]+)')


def copies(times: int) -> Iterator[dict[str, Any]]:
    """The sample's items, then again with other ids."""
    [path] = [path for path in sample_files("world") if path.endswith(".json")]
    lines = [json.dumps(record) for record in records(path)]
    for copy in range(times):
        for line in lines:
            yield json.loads(_shifted(line, copy * SHIFT))


def _shifted(line: str, by: int) -> str:
    moved = _ITEM.sub(lambda found: f'"Q{int(found[2]) + by}{found[3]}', line)
    return _NUMERIC.sub(lambda found: f'"numeric-id": {int(found[1]) + by}', moved)


def by_dump(path: Path) -> dict[str, list[str]]:
    """The rows of a dump's tables, sorted."""
    source, found = WikidataDump((str(path),)), dict[str, list[str]]()
    for part in source.parts():
        for batch in source.read(part):
            for name, table in parse(batch, params=ParseParams()).tables.items():
                found.setdefault(name, []).extend(json.dumps(row, sort_keys=True) for row in table.to_pylist())
    return {name: sorted(rows) for name, rows in found.items()}


@pytest.mark.bench
def test_entities(tmp_path: Path) -> None:
    print("\nentities by endpoint (asking and reading) and by dump (reading alone), per 1,000; the tables are equal")
    print(f"{'input':>6} {'entities':>9} {'requests':>9} {'seconds':>8} {'cached':>8} {'by dump':>8}")
    for times in multiples(1, 4):
        folder = tmp_path / str(times)
        folder.mkdir()
        entities = list(copies(times))
        dump, live = folder / "dump.json", folder / "live.json"
        dump.write_text("[\n" + ",\n".join(map(json.dumps, entities)) + "\n]\n", encoding="utf-8")
        recipe = Recipe(seeds=tuple(entity["id"] for entity in entities), limits=Limits(entities=len(entities)))
        properties = tuple(sorted({name for entity in entities for name in entity["claims"]}))
        with oxigraph(triples(entities), folder) as address:
            asked, seconds = walked(address, folder, recipe, properties, live)
            ours = by_dump(live)
        # The server is gone: all of this comes from the cache.
        _, cached = walked(address, folder, recipe, properties, live)
        began = time.monotonic()
        theirs = by_dump(dump)
        read = time.monotonic() - began
        assert ours == theirs
        thousands = len(entities) / 1000
        figures = (asked / thousands, seconds / thousands, cached / thousands, read / thousands)
        print(f"{f'{times}x':>6} {len(entities):>9,} {figures[0]:>9.0f}", *(f"{one:>8.2f}" for one in figures[1:]))


def walked(address: str, folder: Path, recipe: Recipe, properties: tuple[str, ...], out: Path) -> tuple[int, float]:
    """Requests and seconds of one walk, with its file written and read."""
    began = time.monotonic()
    asked = endpoint(address, folder / "requests")
    walk = Walk(asked, recipe, properties, Terms(("en", "mul"), "enwiki", "https://en.wikipedia.org/"))
    walk.run()
    out.write_bytes(b"".join(walk.lines()))
    by_dump(out)
    return asked.service.tally.sent, time.monotonic() - began
