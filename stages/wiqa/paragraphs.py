"""Stages `wiqa.paragraphs_read` and `wiqa.paragraphs`: paragraphs that describe a process, with their topics.

One source may hold three kinds of records, told apart by their fields:

    a ProPara grid      {"para_id", "sentence_texts", ...}
    a plain paragraph   {"topic", "paragraph" or "sentences", "para_id"?, "prompt"?}
    a topic             {"para_id", "topic", "prompt"?}, for paragraphs that come without one

`parse` reads them; `paragraphs` gives each paragraph its topic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Map, Output, Source, Stage, TableSpec
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.texts import Refused, form, tidy
from stages.io.json_records import Readings, content_id, decode, identifier, rows
from stages.wikipedia.sentences import split_sentences

GRID, PLAIN = "propara", "plain"

PARAGRAPH_TEXTS = TableSpec(
    name="paragraph_texts",
    schema=pa.schema(
        [
            text("para_id"),
            pa.field("topic", pa.string()),
            pa.field("prompt", pa.string()),
            texts("sentences"),
            text("source"),
        ]
    ),
    key=("para_id",),
    on_duplicate="reject",
)
"""topic, prompt: as the record states them, null where it does not; source: propara or plain."""

PARAGRAPH_TOPICS = TableSpec(
    name="paragraph_topics",
    schema=pa.schema([text("para_id"), text("topic"), pa.field("prompt", pa.string())]),
    key=("para_id",),
    on_duplicate="reject",
)

PARAGRAPHS = TableSpec(
    name="paragraphs",
    schema=pa.schema([text("para_id"), text("topic"), text("prompt"), texts("sentences"), text("source")]),
    key=("para_id",),
)
"""One row per paragraph.

topic: lower case, single spaces; prompt: the question that the paragraph answers, "" where none is known;
sentences: in order, at least one, none empty.
"""


@dataclass(frozen=True)
class ParagraphParams:
    """Most characters of a sentence, most sentences of a paragraph, most characters of a topic or a prompt."""

    max_sentence: int = 1000
    max_sentences: int = 60
    max_title: int = 300

    def __post_init__(self) -> None:
        at_least(self, 1, "max_sentence", "max_sentences", "max_title")


def parse(raw: pa.Table, *, params: ParagraphParams) -> Output:
    """PARAGRAPH_TEXTS and PARAGRAPH_TOPICS from one batch of records.

    Rejects, keyed by para_id or by the record's content: broken_json, not_an_object, bad_para_id, no_text,
    empty_paragraph, not_text, too_long, too_many_sentences, control_characters, markup, and the source's own.
    """
    readings = Readings()
    tables: dict[str, list[dict[str, Any]]] = {PARAGRAPH_TEXTS.name: [], PARAGRAPH_TOPICS.name: []}
    for data, error in rows(raw):
        with readings.record(data, error) as place:
            record = decode(data, error)
            if isinstance(record.get("para_id"), str | int):
                place.key = identifier(record, "para_id")
            name, row = _row(record, params)
            tables[name].append(row)
    return readings.output(*((spec, tables[spec.name]) for spec in (PARAGRAPH_TEXTS, PARAGRAPH_TOPICS)))


def _row(record: Mapping[str, Any], params: ParagraphParams) -> tuple[str, dict[str, Any]]:
    titles = {name: title(record.get(name), params.max_title) for name in ("topic", "prompt")}
    if not record.keys() & {"sentence_texts", "sentences", "paragraph"}:
        if titles["topic"] is None:
            raise Refused("no_text", "the record has neither a paragraph nor a topic")
        return PARAGRAPH_TOPICS.name, {"para_id": identifier(record, "para_id"), **titles}
    found = sentences(record, params)
    # Without an id of its own, a paragraph is known by its text.
    known = record if record.get("para_id") is not None else {"para_id": f"p{content_id(chr(10).join(found))[7:]}"}
    source = GRID if "sentence_texts" in record else PLAIN
    return PARAGRAPH_TEXTS.name, {
        "para_id": identifier(known, "para_id"),
        "sentences": found,
        "source": source,
        **titles,
    }


def title(value: object, limit: int) -> str | None:
    """A topic or a prompt; None where there is none."""
    return None if value is None else tidy(value, limit) or None


def sentences(record: Mapping[str, Any], params: ParagraphParams) -> list[str]:
    """The sentences of a record's paragraph, given as a list or as one text.

    Raises Refused: empty_paragraph, too_many_sentences, not_text, too_long, control_characters, markup.
    """
    listed = record.get("sentence_texts", record.get("sentences"))
    if listed is None:
        whole = tidy(record.get("paragraph") or "", params.max_sentence * params.max_sentences)
        listed = split_sentences(whole)
    if not isinstance(listed, list):
        raise Refused("not_text", f"expected a list of sentences, got {type(listed).__name__}")
    if len(listed) > params.max_sentences:
        raise Refused("too_many_sentences", f"{len(listed)}, the limit is {params.max_sentences}")
    found = [sentence for item in listed if (sentence := tidy(item, params.max_sentence))]
    if not found:
        raise Refused("empty_paragraph", "no sentence with any text")
    return found


def paragraphs(paragraph_texts: pa.Table, topics: pa.Table) -> Output:
    """PARAGRAPHS from one bucket of texts and of topics by para_id; a topic of the text's own record wins.

    Rejects, keyed by para_id: no_topic, no_paragraph (a topic for which there is no text).
    """
    known = {row["para_id"]: row for row in topics.to_pylist()}
    rejects, found = Rejects(), []
    for row in paragraph_texts.to_pylist():
        stated = known.pop(row["para_id"], {})
        topic = row["topic"] or stated.get("topic")
        if topic is None:
            rejects.add(row["para_id"], "no_topic", row["sentences"][0])
            continue
        found.append(row | {"topic": topic_name(topic), "prompt": row["prompt"] or stated.get("prompt") or ""})
    for para_id in sorted(known):
        rejects.add(para_id, "no_paragraph", known[para_id]["topic"])
    return Output({PARAGRAPHS.name: PARAGRAPHS.table(found)}, rejects.table(), {"paragraphs": float(len(found))})


def topic_name(text: str) -> str:
    """A topic as it is compared: two spellings that differ in case or outer punctuation are one topic."""
    return form(text) or text


def parse_stage(source: Source, params: ParagraphParams | None = None) -> Stage:
    params = params or ParagraphParams()
    return Stage(
        name="wiqa.paragraphs_read",
        shape=Map(),
        kernel=partial(parse, params=params),
        source=source,
        outputs=(PARAGRAPH_TEXTS, PARAGRAPH_TOPICS),
        about="Paragraphs that describe a process, and the topics that a file of its own gives them.",
    )


def stage() -> Stage:
    return Stage(
        name="wiqa.paragraphs",
        shape=Join(on=(("para_id",), ("para_id",))),
        kernel=paragraphs,
        inputs=(PARAGRAPH_TEXTS.name, PARAGRAPH_TOPICS.name),
        outputs=(PARAGRAPHS,),
        about="Each paragraph with its topic and its prompt.",
    )
