"""Stage `ifqa.parse`: questions with their passages from files.

The released shape is an array of

    {"idx": 7, "question": "If ..., ...?", "answers": ["...", ...], "context": ["passage", ...]}

A neutral record, one JSON object a line, may say more and needs no id:

    {"question", "answers": text or list, "passage" (or "context"): text or list,
     "title": of the page, "links": [{"target", "anchor"} or title, ...],
     "source": where it is from, "confirmed": true}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Map, Output, Source, Stage
from stages.core.rejects import Rejects
from stages.core.texts import Refused, tidy
from stages.ifqa.tables import FILE, READ_QUESTIONS, RELEASE, question_id
from stages.ifqa.texts import LEFTOVERS, TextLimits, answer_text, context_texts, leftovers, question_text
from stages.io.json_records import Readings, decode, identifier
from stages.wikipedia.titles import normalise_title, title_fault

_RELEASED = {"idx", "question", "answers", "context"}
_MOST_LINKS = 500
_MOST_SOURCE = 100


def parse(raw: pa.Table, *, params: TextLimits) -> Output:
    """READ_QUESTIONS from one batch of records.

    Rejects of a record, keyed "file:id" or by its content: broken_json, not_an_object, bad_idx, no_question, no_if,
    no_answer, too_many_answers, no_context, bad_title, bad_links, too_slow, and {question, context}_{not_text,
    too_long, control_characters, markup}. Rejects of one answer, under the same key, after which the question goes on
    without it: answer_is_nothing, too_slow, answer_{not_text, too_long, control_characters, markup}.
    Metrics: records, bad_records; answers and repeated_answers (equal ones of one question); and usable records with
    character_references, tags and wikitext in a passage, which are taken out: {leftover}_records.
    """
    readings, found = Readings("answers", "repeated_answers", *(f"{name}_records" for name in LEFTOVERS)), []
    for row in raw.to_pylist():
        with readings.record(row["data"], row["error"]) as place:
            record = decode(row["data"], row["error"])
            given = identifier(record, "idx") if record.get("idx") is not None else ""
            if given:
                place.key = f"{row['file']}:{given}"
            found.append(_question(record, params, readings, place.key) | {"file": row["file"], "given_id": given})
    return readings.output((READ_QUESTIONS, found))


def _question(record: Mapping[str, Any], limits: TextLimits, readings: Readings, key: str) -> dict[str, Any]:
    question = question_text(record.get("question"), limits)
    passages = record["context"] if record.get("context") is not None else record.get("passage")
    context = context_texts(passages, limits)
    answers = read_answers(record.get("answers"), limits, readings.rejects, key)
    readings.metrics.update(f"{name}_records" for name in leftovers(passages))
    readings.metrics["answers"] += len(answers)
    distinct = list(dict.fromkeys(answers))
    readings.metrics["repeated_answers"] += len(answers) - len(distinct)
    return {
        "question_id": question_id(question, context),
        "question": question,
        "answers": distinct,
        "context": context,
        "passage": None,
        "title": _title(record.get("title")),
        "links": _links(record.get("links")),
        "source": _source(record),
        "confirmed": record.get("confirmed") is True,
    }


def read_answers(value: object, limits: TextLimits, rejects: Rejects, key: str) -> list[str]:
    """The usable answers in their order; those that are not become rejects under `key`.

    Raises Refused: no_answer, too_many_answers.
    """
    listed = value if isinstance(value, list) else [value]
    if len(listed) > limits.max_answers:
        raise Refused("too_many_answers", f"{len(listed)}, the limit is {limits.max_answers}")
    found = []
    for item in listed:
        try:
            words = answer_text(item, limits)
        except Refused as fault:
            rejects.add(key, fault.reason, str(fault))
            continue
        if words:
            found.append(words)
    if not found:
        raise Refused("no_answer", "no answer can be used")
    return found


def _title(value: object) -> str | None:
    if value is None or value == "":
        return None
    title = normalise_title(value) if isinstance(value, str) else ""
    if fault := title_fault(title):
        raise Refused("bad_title", fault)
    return title


def _links(value: object) -> list[dict[str, str | None]]:
    """Links with their targets as titles; those to what no page can be called are left out."""
    listed = [] if value is None else value
    if not isinstance(listed, list) or len(listed) > _MOST_LINKS:
        raise Refused("bad_links", f"expected a list of at most {_MOST_LINKS} links")
    found: dict[tuple[str, str | None], None] = {}
    for item in listed:
        link = {"target": item} if isinstance(item, str) else item
        target, anchor = (link.get("target"), link.get("anchor")) if isinstance(link, dict) else (None, None)
        if not isinstance(target, str) or not isinstance(anchor, str | None):
            raise Refused("bad_links", f"expected titles, or objects with target and anchor, got {str(item)[:80]}")
        title = normalise_title(target)
        if not title_fault(title.partition("#")[0]):
            found[title, anchor or None] = None
    return [{"target": target, "anchor": anchor} for target, anchor in found]


def _source(record: Mapping[str, Any]) -> str:
    if (named := record.get("source")) is not None:
        return tidy(named, _MOST_SOURCE) or FILE
    return RELEASE if set(record) == _RELEASED else FILE


def stage(source: Source, params: TextLimits | None = None) -> Stage:
    params = params or TextLimits()
    return Stage(
        name="ifqa.parse",
        shape=Map(),
        kernel=partial(parse, params=params),
        source=source,
        outputs=(READ_QUESTIONS,),
        about="Questions with their passages from files.",
    )
