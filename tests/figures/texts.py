"""Figures of clean text: holes of real articles in wikitext, and boundaries of sentences with and without mending."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, repeat

from stages.wikipedia.pages import PAGES
from stages.wikipedia.sentences import mended, punkt_sentences, whole_sentences
from tests.figures.blocks import Cell, Figure
from tests.figures.builds import Work
from tests.figures.qampari import extract

_WIKITEXT = (
    "gensim-enwiki-20160501-pages-articles-shortened.xml.bz2",
    "gensim-enwiki-table-markup.xml.bz2",
    "dbpedia-minidump-enwiki.xml.bz2",
    "wdtk-wbgetentities-Q1.json.gz",
)
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}
_QUOTES = "\"“”‘’'(["
_ABBREVIATION = re.compile(
    r"(?:^|[ (\[,;])(?:b|d|fl|ca|c|r|lit|aft|bef|approx|est|i\.e|e\.g|et al|a\.k\.a|cf)\.$", re.I
)
_GOES_ON = "0123456789(["


def holes(work: Work) -> Iterator[Figure]:
    sources = [part for name in _WIKITEXT for part in ("--source", str(work.real / "wikidata" / "raw" / name))]
    build = work.build("qampari", "wikitext", *sources, "--until", "wikipedia.pages")
    counted = [whole_sentences(page) for page in build.table(PAGES)["text"].to_pylist()]
    missing = sum(without for _, without in counted)
    names = {name: number for name, number in build.metrics["wikipedia.pages"].items() if name.startswith("holes:")}
    yield (
        f"On {len(counted)} real articles in wikitext {missing} of {sum(len(kept) for kept, _ in counted) + missing:,} "
        f"sentences have holes ({int(sum(names.values()))}; formulas are {int(names['holes:math'])} of them)"
    )


def boundaries(work: Work) -> Iterator[Figure]:
    """Punkt's alone and ours on the pages of the real extract."""
    lines = [line for text in extract(work).table(PAGES)["text"].to_pylist() for line in text.split("\n")]
    punkt = [punkt_sentences(line) for line in lines]
    for column, sentences in (("before", punkt), ("now", [mended(spans) for spans in punkt])):
        pairs = [pair for spans in sentences for pair in pairwise(spans)]
        yield Cell("inside a bracket that is closed later", column, f"{sum(map(_cuts_brackets, sentences)):,}")
        yield Cell("before a word in lower case", column, f"{sum(_in_lower_case(after) for _, after in pairs):,}")
        yield Cell(
            'after "b.", "ca.", "fl." and the like, before a digit or a bracket',
            column,
            f"{sum(_ABBREVIATION.search(before) is not None and after[0] in _GOES_ON for before, after in pairs):,}",
        )
        yield Cell("sentences", column, f"{sum(map(len, sentences)):,}")


def _in_lower_case(sentence: str) -> bool:
    """Names such as iPhone and eBay are none."""
    word = re.split(r"\W", sentence.lstrip(_QUOTES), maxsplit=1)[0]
    return word[:1].islower() and word == word.lower()


def _cuts_brackets(sentences: Sequence[str]) -> int:
    """How many sentences open a bracket that a later one closes."""
    return sum(_is_closed(sentences[place:]) for place in range(len(sentences) - 1))


def _is_closed(sentences: Sequence[str]) -> bool:
    depths = list(accumulate(sum(map(_BRACKETS.get, sentence, repeat(0))) for sentence in sentences))
    return depths[0] > 0 and min(depths) <= 0
