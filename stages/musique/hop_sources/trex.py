"""T-REx's JSON: abstracts with their entities and the statements found in them.

{"docid", "title", "text", "triples": [{"subject": {"surfaceform", "uri", "boundaries"}, "predicate":
{"uri", "surfaceform"}, "object": {...}, "annotator"}]}

A statement becomes the hop "subject >> relation" over the line of the abstract that holds its object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from stages.core.texts import Refused
from stages.musique.single_hops.forms import RELATION_SIGN
from stages.musique.single_hops.stated import Stated, digest

SOURCE = "t-rex"
_PROPERTY = re.compile(r"P[1-9][0-9]*$")


def read(record: Mapping[str, Any], labels: Mapping[str, str]) -> Iterator[Stated | Refused]:
    """The statements of one abstract; labels: of relations, by property id.

    What is found several times is stated once. Several values of a relation are several hops, of which
    `musique.one_answer` uses none. Refused: bad_document, bad_triple, no_relation_label.
    """
    text, triples = record.get("text"), record.get("triples")
    if not isinstance(text, str) or not isinstance(triples, list):
        yield Refused("bad_document", f"expected a text and a list of triples: {record.get('docid')!s:.80}")
        return
    known: set[tuple[str, str, str]] = set()
    for triple in triples:
        try:
            subject, relation, stated = _stated(record, text, triple, labels)
        except Refused as fault:
            yield fault
            continue
        value = (subject, relation, str(triple["object"].get("uri") or stated.answers[0]))
        if value not in known:
            known.add(value)
            yield stated


def _stated(record: Mapping[str, Any], text: str, triple: object, labels: Mapping[str, str]) -> tuple[str, str, Stated]:
    """Subject, relation, and the hop that asks for the relation's value."""
    if not isinstance(triple, Mapping):
        raise Refused("bad_triple", f"expected an object, got {triple!s:.80}")
    subject = _surface(triple, "subject") or str(record.get("title") or "")
    answer = _surface(triple, "object")
    relation = _relation(triple, labels)
    if not subject or not answer:
        raise Refused("bad_triple", f"subject and object need a surfaceform: {triple!s:.120}")
    begin, end, start = _line(text, triple["object"], answer)
    question = f"{subject} {RELATION_SIGN} {relation}"
    stated = Stated(
        source=SOURCE,
        given_id=digest(str(record.get("docid") or record.get("title")), question, answer)[:12],
        question=question,
        answers=[answer],
        title=record.get("title"),
        text=text[begin:end],
        start=start,
    )
    return subject, relation, stated


def _surface(triple: Mapping[str, Any], role: str) -> str:
    """How an abstract names a subject or an object; "" where it does not."""
    entity = triple.get(role)
    if not isinstance(entity, Mapping):
        raise Refused("bad_triple", f"{role}: expected an object, got {entity!s:.80}")
    surface = entity.get("surfaceform")
    return " ".join(surface.split()) if isinstance(surface, str) else ""


def _relation(triple: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    predicate = triple.get("predicate")
    if not isinstance(predicate, Mapping):
        raise Refused("bad_triple", f"predicate: expected an object, got {predicate!s:.80}")
    found = _PROPERTY.search(str(predicate.get("uri") or ""))
    label = labels.get(found.group()) if found else None
    label = label or predicate.get("surfaceform")
    if not isinstance(label, str) or not label.strip():
        raise Refused("no_relation_label", f"no English label is known for {predicate.get('uri')!s:.80}")
    return " ".join(label.split())


def _line(text: str, entity: Mapping[str, Any], answer: str) -> tuple[int, int, int]:
    """Begin and end of the line that holds an object, and where in that line it stands."""
    bounds = entity.get("boundaries")
    at = bounds[0] if isinstance(bounds, list) and bounds and type(bounds[0]) is int else text.find(answer)
    if not 0 <= at < len(text):
        raise Refused("bad_triple", f"{answer!r:.60} is not at {at} of a text of {len(text)} characters")
    # Boundaries are often a few characters off, which may be another line.
    places = [found.start() for found in re.finditer(re.escape(answer), text)]
    at = min(places, key=lambda place: abs(place - at), default=at)
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return begin, len(text) if end < 0 else end, at - begin
