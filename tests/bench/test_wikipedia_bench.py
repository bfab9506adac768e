"""Pages to clean text, and text to sentences and passages, against the same work with libraries and in plain Python.

The input is the head of a real dump of English Wikipedia, repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.pages import PagesParams, clean_pages
from stages.wikipedia.raw import batches
from stages.wikipedia.segment import SegmentParams, segment
from tests.bench import wikipedia_plain as plain
from tests.bench.measure import measure, report

DUMP = "wikidata/raw/gensim-enwiki-20160501-pages-articles-shortened.xml.bz2"
ARTICLES = 40
NO_ARTICLES = pa.table({"title": pa.array([], pa.string()), "qid": pa.array([], pa.string())})
QUICK = "regular expressions (less work, another text)"
WORDS = SegmentParams().passage_words
Tables = Iterator[pa.Table]


def raw(path: str, repeats: int) -> tuple[Tables]:
    """Batches of raw articles, as a dump gives them."""
    source = MediaWikiDump((path,))
    rows = pa.concat_tables([table for part in source.parts() for table in source.read(part)]).to_pylist()
    return (batches(row for _ in range(repeats) for row in plain.articles(rows)[:ARTICLES]),)


def clean_by_kernel(tables: Tables) -> int:
    return sum(clean_pages(table, params=PagesParams()).tables["pages"].num_rows for table in tables)


def clean_by_parser(tables: Tables) -> int:
    return sum(len(plain.parsed_pages(table.to_pylist())) for table in tables)


def clean_by_expressions(tables: Tables) -> int:
    return sum(len(plain.quick_pages(table.to_pylist())) for table in tables)


def cleaned(path: str, repeats: int) -> tuple[Tables]:
    """Batches of clean pages."""
    (tables,) = raw(path, 1)
    pages = pa.concat_tables([clean_pages(table, params=PagesParams()).tables["pages"] for table in tables])
    return (iter([pages] * repeats),)


def segment_by_kernel(tables: Tables) -> tuple[int, int]:
    found = [segment(table, NO_ARTICLES, params=SegmentParams()).tables for table in tables]
    return sum(made["sentences"].num_rows for made in found), sum(made["passages"].num_rows for made in found)


def segment_by_punkt(tables: Tables) -> tuple[int, int]:
    return _counted(tables, plain.punkt_sentences)


def segment_by_expression(tables: Tables) -> tuple[int, int]:
    return _counted(tables, plain.quick_sentences)


def _counted(tables: Tables, split: Callable[[str], list[str]]) -> tuple[int, int]:
    found = [plain.segment(table.to_pylist(), split, WORDS) for table in tables]
    return sum(len(sentences) for sentences, _ in found), sum(len(passages) for _, passages in found)


def _compare(
    title: str, where: str, load: Callable[..., Any], ours: Callable[..., Any], other: Callable[..., Any]
) -> None:
    rows = []
    for times in (1, 4, 16):
        kernels, others = (measure(load, way, _first, where, times) for way in (ours, other))
        rows.append((times, kernels.result, kernels, others))
    print("\n" + report(title, rows))


def _first(counts: int | tuple[int, int]) -> int:
    return counts if isinstance(counts, int) else counts[0]


@pytest.mark.bench
@pytest.mark.parametrize(("way", "other"), [("mwparserfromhell", clean_by_parser), (QUICK, clean_by_expressions)])
def test_cleaning(shared_data: Path, way: str, other: Callable[..., Any]) -> None:
    title = f"wikipedia.pages against {way}, by articles"
    _compare(title, str(shared_data / DUMP), raw, clean_by_kernel, other)


@pytest.mark.bench
@pytest.mark.parametrize(("way", "other"), [("NLTK's Punkt", segment_by_punkt), (QUICK, segment_by_expression)])
def test_segmenting(shared_data: Path, way: str, other: Callable[..., Any]) -> None:
    where = str(shared_data / DUMP)
    if other is segment_by_punkt:
        assert segment_by_kernel(*cleaned(where, 1)) == segment_by_punkt(*cleaned(where, 1))
    _compare(f"wikipedia.segment against {way}, by sentences", where, cleaned, segment_by_kernel, other)
