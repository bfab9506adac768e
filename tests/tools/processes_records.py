"""Paragraphs and graphs of the sample as lines of JSON, in the forms that the readers take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from stages.io.json_files import RECORDS
from stages.wiqa.paragraphs import PARAGRAPH_TEXTS, ParagraphParams, parse
from tests.tools.counterfactuals_pages import encoded, entry_lines, lines
from tests.tools.processes_source import IN_GRAPHS, TEXT, TOPIC_APART, WITHOUT_ID, Graph, Paragraph, Sample


def para_ids(sample: Sample) -> dict[str, str]:
    """The id under which the readers know each paragraph: its name, or one made of its text."""
    ids = {paragraph.name: paragraph.name for paragraph in sample.paragraphs}
    for paragraph in sample.paragraphs:
        if paragraph.written == WITHOUT_ID:
            raw = pa.table({"data": _records(paragraph), "error": [None]}, schema=RECORDS)
            parsed = parse(raw, params=ParagraphParams()).tables[PARAGRAPH_TEXTS.name]
            ids[paragraph.name] = parsed["para_id"][0].as_py()
    return ids


def text_files(sample: Sample, ids: Mapping[str, str]) -> dict[str, bytes]:
    """The files of paragraphs and of graphs."""
    texts = [line for paragraph in sample.paragraphs for line in _records(paragraph)]
    graphs = [
        encoded(graph_record(paragraph, graph, ids[paragraph.name]))
        for paragraph in sample.paragraphs
        for graph in paragraph.graphs
    ]
    return {
        "paragraphs.jsonl": lines([*texts, *entry_lines(sample.odd["paragraphs"])]),
        "graphs.jsonl": lines([*graphs, *entry_lines(sample.odd["graphs"])]),
    }


def damaged_files(sample: Sample) -> dict[str, bytes]:
    """The same files with nothing but the damaged records."""
    return {f"{name}.jsonl": lines(entry_lines(sample.damaged[name])) for name in ("paragraphs", "graphs")}


def _records(paragraph: Paragraph) -> list[bytes]:
    """The records of one paragraph: none, one, or one for its text and one for its topic."""
    known = {"para_id": paragraph.name}
    titles = {"topic": paragraph.topic, "prompt": paragraph.prompt}
    text = {"sentences": list(paragraph.sentences)}
    if paragraph.written == TEXT:
        return [encoded(known | titles | {"paragraph": " ".join(paragraph.sentences)})]
    if paragraph.written == WITHOUT_ID:
        return [encoded(titles | text)]
    if paragraph.written == TOPIC_APART:
        return [encoded(known | text), encoded(known | titles)]
    return [] if paragraph.written == IN_GRAPHS else [encoded(known | titles | text)]


def graph_record(paragraph: Paragraph, graph: Graph, para_id: str) -> dict[str, Any]:
    """A graph with the fields of the released ones, and its topic where nothing else tells it."""
    topic = {"topic": paragraph.topic} if paragraph.written == IN_GRAPHS else {}
    several = {node: list(graph.nodes.get(node, ())) for node in ("W", "U", "Z", "V")}
    return {
        "para_id": para_id,
        **topic,
        "prompt": paragraph.prompt,
        "paragraph": " ".join(paragraph.sentences),
        "para_outcome_accelerate": f"MORE {paragraph.topic}",
        "para_outcome_decelerate": f"LESS {paragraph.topic}",
        "Y_is_outcome": graph.is_outcome,
        "X": graph.nodes["X"][0],
        "Y": graph.nodes["Y"][0],
        **several,
        "Y_affects_outcome": graph.affects or graph.is_outcome,
        "graph_id": graph.id,
    }
