"""A real endpoint that holds the built-in sample, and a small double of a wiki."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipelines.samples import sample_files
from tests.tools.rdf import records, triples
from tests.tools.servers import oxigraph, serving
from tests.tools.small_wiki import handler

PAGES = {
    "Alpha": "'''Alpha''' is the [[first letter|first]] of them.[[File:A.png|thumb|A]]",
    "Beta": "'''Beta''' comes second & <b>last</b>.",
    "Gamma (letter)": "'''Gamma''' is a letter.",
    "Gamma": "Gamma may be many things. {{disambiguation}}",
    "Émile": "'''Émile''' has an accent.",
}
REDIRECTS = {"First": "Alpha#Start", "Second": "First", "Ring": "Rung", "Rung": "Ring", "Lost": "Nowhere"}


@pytest.fixture(scope="session")
def sample_dump() -> str:
    (path,) = [path for path in sample_files("world") if path.endswith(".json")]
    return path


@pytest.fixture(scope="session")
def world(sample_dump: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an oxigraph server with the sample."""
    with oxigraph(triples(records(sample_dump)), tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture(scope="session")
def small_wiki() -> Iterator[str]:
    """The address of the double's API."""
    with serving(handler(PAGES, REDIRECTS)) as address:
        yield f"{address}/w/api.php"
