"""Questions of the sample that stand in files: neutral records, and an array of the released shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from stages.ifqa.passages import PassagesParams, cut
from stages.wikipedia.wikitext import clean_wikitext
from tests.tools.counterfactuals_pages import encoded, entry_lines, lines
from tests.tools.counterfactuals_source import NEUTRAL, RELEASED, Question, Sample, SamplePage, SourceError

NEUTRAL_FILE, RELEASED_FILE = "questions.jsonl", "released.json"
_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")


def question_files(sample: Sample) -> dict[str, bytes]:
    pages = {page.title: page for page in sample.pages}
    given = {
        kind: [question for question in sample.questions if question.given == kind] for kind in (NEUTRAL, RELEASED)
    }
    neutral = [encoded(_neutral(question, pages[question.title])) for question in given[NEUTRAL]]
    released = [
        encoded(_released(number, question, pages[question.title])) for number, question in enumerate(given[RELEASED])
    ]
    return {
        NEUTRAL_FILE: lines([*neutral, *entry_lines(sample.odd["questions"])]),
        RELEASED_FILE: b"[\n" + b",\n".join([*released, *entry_lines(sample.odd["released"])]) + b"\n]\n",
    }


def passage_of(question: Question, page: SamplePage) -> str:
    """The first passage of the page that has the words which the question is about.

    Raises SourceError: none has, as where they are cut in two.
    """
    found = next((passage for passage in _passages(page.text) if question.about in passage), None)
    if found is None:
        raise SourceError(f"{page.title}: no passage has the words {question.about!r}")
    return found


def _neutral(question: Question, page: SamplePage) -> dict[str, Any]:
    passage = passage_of(question, page)
    links = [link for link in _links(page.text) if (link.get("anchor") or link["target"]) in passage]
    record = {"question": question.asks, "answers": list(question.answers), "passage": passage, "title": page.title}
    return record | {"links": links, "source": "sample"} | ({"confirmed": True} if question.confirmed else {})


def _released(number: int, question: Question, page: SamplePage) -> dict[str, Any]:
    context = [passage_of(question, page)]
    return {"idx": number, "question": question.asks, "answers": list(question.answers), "context": context}


@cache
def _passages(text: str) -> tuple[str, ...]:
    return tuple(passage for passage, _ in cut(clean_wikitext(text).split(), PassagesParams().words))


def _links(text: str) -> list[Mapping[str, str]]:
    found = _LINK.findall(" ".join(text.split()))
    return [{"target": target} | ({"anchor": anchor} if anchor else {}) for target, anchor in found]
