"""Every wording of relation templates of one's own, with an example out of a source: what questions will read like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stages.core.contract import Source
from stages.facts.relations import render
from stages.facts.relations.model import AnswerClass, CompositionRelation, Relations, SimpleRelation
from stages.wikidata.parse import ParseParams, parse

MOST_RECORDS = 100_000
"""Records of a source that are read for examples."""
_MOST_EACH = 50


@dataclass(frozen=True)
class Example:
    """A statement in words."""

    subject: str
    object: str


@dataclass(frozen=True)
class Check:
    """wordings: (property, what it is, text) in order; without: properties of one's own that have no example; unasked:
    statements whose property has no template, by property, each with one of them."""

    wordings: Sequence[tuple[str, str, str]]
    without: Sequence[str]
    unasked: Mapping[str, tuple[int, Example]]


@dataclass
class _Read:
    """What a source says: labels by id, some statements by property, and how many there are."""

    labels: dict[str, str] = field(default_factory=dict)
    some: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def example(self, pid: str) -> Example | None:
        """The first statement of which both ends have words."""
        for subject, value in self.some.get(pid, ()):
            named = value not in self.labels and value[:1] == "Q" and value[1:].isdigit()
            if subject in self.labels and not named:
                return Example(self.labels[subject], self.labels.get(value, value))
        return None


def check(own: Relations, installed: Relations, source: Source, most: int = MOST_RECORDS) -> Check:
    """Renders all that files of one's own word, with statements of a source. most: records that are read of it.

    Raises StorageError: a file of the source does not exist.
    """
    read = _read(source, most)
    mine = [pid for pid in own.properties if _entry(own, pid) != _entry(installed, pid)]
    examples = {pid: found for pid in mine if (found := read.example(pid)) is not None}
    return Check(
        wordings=[
            (pid, what, text) for pid, found in examples.items() for what, text in _wordings(own, pid, found, examples)
        ],
        without=[pid for pid in mine if pid not in examples],
        unasked={
            pid: (count, found)
            for pid, count in read.counts.most_common()
            if pid not in own.properties and (found := read.example(pid)) is not None
        },
    )


def _entry(relations: Relations, pid: str) -> tuple[object, ...]:
    return tuple(part.get(pid) for part in (relations.properties, relations.simple, relations.composition))


def _wordings(
    relations: Relations, pid: str, found: Example, examples: Mapping[str, Example]
) -> Iterator[tuple[str, str]]:
    for text in render.hypotheses(relations, pid, found.subject, found.object):
        yield "statement", text
    if relations.properties[pid].alternative is not None:
        yield "alternative", render.hypothesis(relations, pid, found.subject, found.object, alternative=True)
    simple = relations.simple.get(pid)
    if simple is not None:
        for kind in simple.classes or (simple.noun,):
            yield "question", render.question(simple, found.object, kind)
        yield "joined", render.intersection(simple, found.object, simple, found.object)
        yield "nested", render.noun_phrase(simple, found.object)
    outer = relations.composition.get(pid)
    inner = _inner(relations, outer, examples) if outer is not None else None
    if outer is not None and inner is not None:
        relation, kind = inner
        yield "composition", render.composition(outer, relation, examples[relation.pid].object, kind)


def _inner(
    relations: Relations, outer: CompositionRelation, examples: Mapping[str, Example]
) -> tuple[SimpleRelation, AnswerClass] | None:
    """The first simple relation with an example whose answers the outer one is asked of, and what they are called."""
    for relation in (relations.simple[pid] for pid in examples if pid in relations.simple):
        for kind in relation.classes or (relation.noun,):
            if not outer.of or kind in outer.of:
                return relation, kind
    return None


def _read(source: Source, most: int) -> _Read:
    found = _Read()
    for output in _outputs(source, most):
        entities, statements = output
        found.labels.update(entities)
        for subject, pid, value in statements:
            found.counts[pid] += 1
            some = found.some.setdefault(pid, [])
            if len(some) < _MOST_EACH:
                some.append((subject, value))
    return found


def _outputs(source: Source, most: int) -> Iterator[tuple[Iterable[tuple[str, str]], Iterable[tuple[str, str, str]]]]:
    """(id, label) and (subject, property, value) of a source, table by table."""
    count = 0
    for part in source.parts():
        for records in source.read(part):
            tables = parse(records, params=ParseParams()).tables
            entities, statements = tables["entities"], tables["statements"]
            yield (
                zip(*(entities[name].to_pylist() for name in ("qid", "label")), strict=True),
                zip(*(statements[name].to_pylist() for name in ("subject", "property", "value")), strict=True),
            )
            count += records.num_rows
            if count >= most:
                return
