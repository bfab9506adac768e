"""SQuAD's JSON: {"data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "answers"}]}]}]}.

MLQA and XQuAD are released in the same shape; MLQA's ids have 40 hex digits, the others' do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from stages.core.texts import Refused
from stages.musique.single_hops.stated import Stated

_MLQA_ID = re.compile(r"[0-9a-f]{40}")


def read(record: Mapping[str, Any]) -> Iterator[Stated | Refused]:
    """The questions of one document. Refused: bad_article, bad_paragraph, bad_question, unanswerable."""
    for article in _objects(record.get("data"), "bad_article", "a list of articles"):
        if isinstance(article, Refused):
            yield article
            continue
        for paragraph in _objects(article.get("paragraphs"), "bad_paragraph", "a list of paragraphs"):
            if isinstance(paragraph, Refused):
                yield paragraph
                continue
            for question in _objects(paragraph.get("qas"), "bad_question", "a list of questions"):
                yield question if isinstance(question, Refused) else _stated(article, paragraph, question)


def _stated(article: Mapping[str, Any], paragraph: Mapping[str, Any], question: Mapping[str, Any]) -> Stated | Refused:
    given = question.get("id")
    if question.get("is_impossible") is True:
        return Refused("unanswerable", f"{given}: {question.get('question')}")
    answers = list(_objects(question.get("answers"), "bad_question", "a list of answers"))
    faults = [answer for answer in answers if isinstance(answer, Refused)]
    if faults:
        return faults[0]
    first = answers[0] if answers else {}
    return Stated(
        source="mlqa" if isinstance(given, str) and _MLQA_ID.fullmatch(given) else "squad",
        given_id=given,
        question=question.get("question"),
        answers=[answer.get("text") for answer in answers if isinstance(answer, Mapping)],
        title=article.get("title"),
        text=paragraph.get("context"),
        start=first.get("answer_start") if isinstance(first, Mapping) else None,
    )


def _objects(value: object, reason: str, expected: str) -> Iterator[Mapping[str, Any] | Refused]:
    if not isinstance(value, list):
        yield Refused(reason, f"expected {expected}, got {type(value).__name__}")
        return
    for item in value:
        yield item if isinstance(item, Mapping) else Refused(reason, f"expected an object, got {item!s:.80}")
