"""Files of the sample of single hops: one per shape in which such data comes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from stages.facts.relations.templates import load_relations
from stages.musique.single_hops.forms import relation_sides
from tests.tools.counterfactuals_pages import encoded, entry_lines, lines
from tests.tools.hops_source import NATURAL, NEUTRAL, SQUAD, TREX, ZERO_SHOT, Paragraph, Sample

FILES = {
    NEUTRAL: "hops.jsonl",
    SQUAD: "squad.json",
    TREX: "trex.json",
    ZERO_SHOT: "zero_shot.tsv",
    NATURAL: "natural_questions.jsonl",
}
"""Names by shape."""

SOURCE = "sample"
_TOKEN = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")
_WIKIDATA = "http://www.wikidata.org/entity/"


def hop_files(sample: Sample) -> dict[str, bytes]:
    """The files by name."""
    neutral = [encoded(record) for paragraph in sample.of(NEUTRAL) for record in _neutral(paragraph)]
    return {
        FILES[NEUTRAL]: lines([*neutral, *entry_lines(sample.odd[NEUTRAL])]),
        FILES[SQUAD]: _indented({"version": "sample", "data": [_article(item) for item in sample.of(SQUAD)]}),
        FILES[TREX]: _indented([_abstract(item) for item in sample.of(TREX)]),
        FILES[ZERO_SHOT]: lines(line.encode() for item in sample.of(ZERO_SHOT) for line in _cells(item)),
        FILES[NATURAL]: lines(encoded(record) for item in sample.of(NATURAL) for record in _pages(item)),
    }


def damaged_files(sample: Sample) -> dict[str, bytes]:
    """The same files with nothing but the damaged records; those of one document hold a record a line as well."""
    return {name: lines(entry_lines(sample.damaged[given])) for given, name in FILES.items()}


def _neutral(paragraph: Paragraph) -> Iterator[dict[str, Any]]:
    for asks, (answer, *others) in paragraph.hops.items():
        yield {
            "question": asks,
            "answer": answer,
            **({"answers": [answer, *others]} if others else {}),
            "title": paragraph.title,
            "paragraph": paragraph.text,
            "source": SOURCE,
        }


def _article(paragraph: Paragraph) -> dict[str, Any]:
    asked = [
        {
            "id": hashlib.sha256(f"{paragraph.title} {asks}".encode()).hexdigest()[:24],
            "question": asks,
            "answers": [{"text": text, "answer_start": paragraph.text.find(answers[0])} for text in answers],
        }
        for asks, answers in paragraph.hops.items()
    ]
    return {"title": paragraph.title.replace(" ", "_"), "paragraphs": [{"context": paragraph.text, "qas": asked}]}


def _abstract(paragraph: Paragraph) -> dict[str, Any]:
    triples = [_triple(paragraph, asks, answer) for asks, (answer, *_) in paragraph.hops.items()]
    return {"docid": f"sample:{paragraph.title}", "title": paragraph.title, "text": paragraph.text, "triples": triples}


def _triple(paragraph: Paragraph, asks: str, answer: str) -> dict[str, Any]:
    sides = relation_sides(asks)
    assert sides is not None, asks
    subject, relation = sides
    known = {found.label: pid for pid, found in sorted(load_relations().properties.items(), reverse=True)}
    predicate = {"surfaceform": relation} | ({"uri": f"{_WIKIDATA}{known[relation]}"} if relation in known else {})
    start = paragraph.text.find(answer)
    return {
        "subject": {"surfaceform": subject},
        "predicate": predicate,
        "object": {"surfaceform": answer, "boundaries": [start, start + len(answer)]},
        "annotator": "sample",
    }


def _cells(paragraph: Paragraph) -> Iterator[str]:
    for asks, (answer, *_) in paragraph.hops.items():
        relation = asks.rpartition(" >> ")[2]
        yield "\t".join((relation, f"What is the {relation} of XXX?", paragraph.title, paragraph.text, answer))


def _pages(paragraph: Paragraph) -> Iterator[dict[str, Any]]:
    """A page of one paragraph, as tokens between spaces; answers are tokens from one to another."""
    head = ["<H1>", *_TOKEN.findall(paragraph.title), "</H1>"]
    body = ["<P>", *_TOKEN.findall(paragraph.text), "</P>"]
    long = {"start_token": len(head), "end_token": len(head) + len(body)}
    for asks, answers in paragraph.hops.items():
        shorts = [_place([*head, *body], _TOKEN.findall(answer), len(head)) for answer in answers]
        yield {
            "example_id": int(hashlib.sha256(asks.encode()).hexdigest()[:12], 16),
            "question_text": asks,
            "document_title": paragraph.title,
            "document_text": " ".join([*head, *body]),
            "annotations": [{"yes_no_answer": "NONE", "long_answer": long, "short_answers": shorts}],
        }


def _place(tokens: list[str], answer: list[str], after: int) -> dict[str, int]:
    start = next(at for at in range(after, len(tokens)) if tokens[at : at + len(answer)] == answer)
    return {"start_token": start, "end_token": start + len(answer)}


def _indented(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"
