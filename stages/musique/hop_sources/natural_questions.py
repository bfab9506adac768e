"""Natural Questions, simplified: one JSON object a line with the page as space-separated tokens and HTML tags.

{"example_id", "question_text", "document_text", "document_url", "annotations": [{"long_answer":
{"start_token", "end_token"}, "short_answers": [{"start_token", "end_token"}], "yes_no_answer"}]}

The long answer is the paragraph and the first short answer is the answer. Annotators who chose the same
paragraph give further spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from stages.core.texts import Refused
from stages.musique.single_hops.stated import Stated

SOURCE = "natural-questions"
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>")
_PARAGRAPH = "<p>"
_TITLE_END = " - Wikipedia"
# Tokens of the page that may be its title.
_MOST_OF_TITLE = 40


def read(record: Mapping[str, Any]) -> Iterator[Stated | Refused]:
    """The question of a record. Refused: bad_document, bad_annotation, unanswerable, yes_no, not_a_paragraph."""
    try:
        yield _read(record)
    except Refused as fault:
        yield fault


def _read(record: Mapping[str, Any]) -> Stated:
    document, annotations = record.get("document_text"), record.get("annotations")
    if not isinstance(document, str):
        raise Refused("bad_document", f"document_text: expected a text, got {type(document).__name__}")
    if not isinstance(annotations, list):
        raise Refused("bad_annotation", f"annotations: expected a list, got {type(annotations).__name__}")
    tokens = document.split(" ")
    answered = [found for item in annotations if (found := _answered(item, len(tokens))) is not None]
    if not answered:
        raise Refused(*_nothing(annotations, record))
    span = answered[0][0]
    if tokens[span[0]].lower() != _PARAGRAPH:
        raise Refused("not_a_paragraph", f"the long answer begins with {tokens[span[0]]:.40}")
    shorts = [short for long, short in answered if long == span]
    return Stated(
        source=SOURCE,
        given_id=record.get("example_id"),
        question=record.get("question_text"),
        answers=[_text(tokens, short) for short in shorts],
        title=_title(record, tokens),
        text=_text(tokens, span),
        start=len(f"{before} ") if (before := _text(tokens, (span[0], shorts[0][0]))) else 0,
    )


def _nothing(annotations: list[Any], record: Mapping[str, Any]) -> tuple[str, str]:
    said = {str(item.get("yes_no_answer")).upper() for item in annotations if isinstance(item, Mapping)}
    return "yes_no" if said & {"YES", "NO"} else "unanswerable", str(record.get("question_text"))


def _answered(annotation: object, tokens: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The spans of the long and of the first short answer; None where either is missing."""
    if not isinstance(annotation, Mapping):
        raise Refused("bad_annotation", f"expected an object, got {annotation!s:.80}")
    shorts = annotation.get("short_answers")
    long = _span(annotation.get("long_answer"), tokens)
    if long is None or not isinstance(shorts, list) or not shorts:
        return None
    short = _span(shorts[0], tokens)
    if short is None or not long[0] <= short[0] < short[1] <= long[1]:
        raise Refused("bad_annotation", f"the short answer {short} is not inside the long answer {long}")
    return long, short


def _span(value: object, tokens: int) -> tuple[int, int] | None:
    """A span of tokens; None for the span (-1, -1) or (0, 0), which stands for none."""
    if not isinstance(value, Mapping):
        return None
    start, end = value.get("start_token"), value.get("end_token")
    if type(start) is not int or type(end) is not int:
        raise Refused("bad_annotation", f"expected two token numbers, got {start!s:.20} and {end!s:.20}")
    if end <= 0:
        return None
    if not 0 <= start < end <= tokens:
        raise Refused("bad_annotation", f"the tokens {start} to {end} are not in a document of {tokens}")
    return start, end


def _text(tokens: list[str], span: tuple[int, int]) -> str:
    return " ".join(token for token in tokens[span[0] : span[1]] if token and not _TAG.fullmatch(token))


def _title(record: Mapping[str, Any], tokens: list[str]) -> str:
    """From the record, from its address, or from the words that the page begins with."""
    if isinstance(title := record.get("document_title"), str):
        return title
    if named := _addressed(record.get("document_url")):
        return named
    head, found, _ = " ".join(tokens[:_MOST_OF_TITLE]).partition(_TITLE_END)
    return head if found else ""


def _addressed(address: object) -> str:
    """The title in the address of a page; "" where it names none."""
    if not isinstance(address, str):
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    named = parse_qs(parts.query).get("title") or [parts.path.partition("/wiki/")[2]]
    return named[0]
