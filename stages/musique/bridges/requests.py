"""Mentions as rows, and what a tagger is asked about them."""

from __future__ import annotations

from typing import Any

from stages.models.readers.interface import MASK
from stages.musique.bridges.contexts import subject_context
from stages.musique.bridges.whole import is_cased, without_article
from stages.musique.single_hops.forms import Words
from stages.musique.single_hops.stated import digest

# A hop; the first and last word of a mention in its question.
Row = dict[str, Any]
Place = tuple[int, int]


def mention(row: Row, place: Place, name: str, answer: str, requests: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A row of MENTIONS; answer: how a head spells the name."""
    question = row["question"]
    start, end = Words.of(question).span(*place)
    if row["relational"]:
        context = subject_context(row)
    elif is_cased(question):
        context = question, start, end
    else:
        # A tagger tells names by their capitals, so the name is written as the answer has it.
        spelt = without_article(answer)
        context = f"{question[:start]}{spelt}{question[end:]}", start, start + len(spelt)
    return {
        "tail": row["hop"],
        "entity": name,
        "bridge": question[start:end],
        "start": start,
        "end": end,
        "masked": f"{question[:start]}{MASK}{question[end:]}",
        "request": ask(requests, *context),
    }


def ask(requests: dict[str, dict[str, Any]], text: str, start: int, end: int) -> str:
    request = digest(text, str(start), str(end))[:16]
    requests[request] = {"request": request, "text": text, "start": start, "end": end}
    return request
