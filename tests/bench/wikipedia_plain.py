"""Wikipedia pages in straightforward Python, twice: with libraries, and with regular expressions alone.

With libraries it is the same work: mwparserfromhell parses a page and strips its code, Punkt
as NLTK gives it finds the sentences. The regular expressions are what everybody writes
first; they know no nesting, no template that stands inside a sentence and no abbreviation,
so their text is another and they are no measure but of the least that cleaning can cost.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import mwparserfromhell
from nltk.tokenize.punkt import PunktSentenceTokenizer

from stages.wikipedia.holes import HOLE
from stages.wikipedia.punkt import parameters
from stages.wikipedia.segment import pack
from stages.wikipedia.sentences import mended

Row = dict[str, Any]
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_REFERENCE = re.compile(r"<ref[^>/]*/>|<ref[^>]*>.*?</ref>", re.DOTALL | re.IGNORECASE)
_TABLE = re.compile(r"\{\|.*?\n\|\}", re.DOTALL)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_FILE = re.compile(r"\[\[(?:File|Image|Category):[^\[\]]*\]\]", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_EXTERNAL = re.compile(r"\[https?://\S+ ?([^\]]*)\]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = re.compile(r"'{2,}")
_DROPPED = re.compile(
    r"^==+ *(?:references|notes|see also|external links|further reading|bibliography|sources) *==+.*?(?=^==[^=]|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_HEADING = re.compile(r"^=+.*=+ *$", re.MULTILINE)
_MARKER = re.compile(r"^[*#:;]+ *", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def clean(text: str) -> str:
    text = _REFERENCE.sub("", _COMMENT.sub("", text))
    while True:
        text, count = _TEMPLATE.subn("", text)
        if not count:
            break
    text = _FILE.sub("", _TABLE.sub("", text))
    text = _EXTERNAL.sub(r"\1", _LINK.sub(r"\1", text))
    text = _MARKER.sub("", _HEADING.sub("", _DROPPED.sub("", text)))
    text = html.unescape(_QUOTES.sub("", _TAG.sub("", text)))
    return "\n".join(line for line in (" ".join(line.split()) for line in text.split("\n")) if line)


def quick_pages(rows: Iterable[Row]) -> list[Row]:
    """The articles among raw rows, cleaned by regular expressions."""
    return [_page(row, text) for row in articles(rows) if (text := clean(row["text"]))]


def parsed_pages(rows: Iterable[Row]) -> list[Row]:
    """The articles among raw rows, cleaned by mwparserfromhell."""
    found = ((row, mwparserfromhell.parse(row["text"]).strip_code()) for row in articles(rows))
    return [_page(row, "\n".join(" ".join(line.split()) for line in text.split("\n") if line)) for row, text in found]


def articles(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["error"] is None and row["redirect"] is None and row["namespace"] == 0]


def _page(row: Row, text: str) -> Row:
    return {"title": row["title"], "page_id": row["page_id"], "text": text}


@cache
def _punkt() -> PunktSentenceTokenizer:
    return PunktSentenceTokenizer(parameters())


def punkt_sentences(text: str) -> list[str]:
    """Punkt's sentences, mended as ours are, without those with a hole.

    Two without white space between them are one word cut in two, and one sentence.
    """
    sentences: list[str] = []
    for line in text.split("\n"):
        spans: list[str] = []
        end = -1
        for start, stop in _punkt().span_tokenize(line):
            if start == end:
                spans[-1] += line[start:stop]
            else:
                spans.append(line[start:stop])
            end = stop
        sentences += mended(spans)
    return [sentence for sentence in sentences if HOLE not in sentence]


def quick_sentences(text: str) -> list[str]:
    return [sentence for line in text.split("\n") for sentence in _SENTENCE.split(line)]


def segment(pages: Iterable[Row], split: Callable[[str], list[str]], words: int) -> tuple[list[Row], list[Row]]:
    """Sentences and passages of pages."""
    sentences, passages = [], []
    for page in pages:
        title, texts = page["title"], split(page["text"])
        counts = [len(text.split()) for text in texts]
        for number, (start, stop) in enumerate(pack(counts, words)):
            sentences += [
                {"title": title, "index": index, "passage": number, "text": texts[index]}
                for index in range(start, stop)
            ]
            joined = " ".join(texts[start:stop])
            passages.append({"passage_id": f"{title}#{number}", "words": sum(counts[start:stop]), "text": joined})
    return sentences, passages
