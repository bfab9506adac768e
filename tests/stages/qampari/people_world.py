"""Candidates, answers and statements for the tests of what people are asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, TableSpec
from stages.core.short_answers import normalise
from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.splits import CANDIDATES

Rows = list[dict[str, Any]]


def candidate(query: str, kind: str = "simple", place: int = 0, split: str = "test", number: int = 0) -> dict[str, Any]:
    pids = [part.split(":")[0] for part in query.replace("&", ">").split(">")]
    return {"query": query, "split": split, "number": number, "kind": kind, "properties": pids, "place": place}


def candidates(*rows: dict[str, Any]) -> pa.Table:
    return CANDIDATES.table(list(rows))


def proof(subject: str, pid: str, object_: str, title: str, passage: int = 0) -> dict[str, Any]:
    return {
        "subject": subject,
        "property": pid,
        "object": object_,
        "title": title,
        "passage": passage,
        "index": 0,
        "sentence": "S.",
    }


def answer(
    query: str,
    value: str,
    shown: str,
    *proofs: dict[str, Any],
    kind: str = "item",
    aliases: Iterable[str] = (),
    types: Sequence[str] = (),
    unit: str = "",
) -> dict[str, Any]:
    return {
        "query": query,
        "answer": value,
        "unit": unit,
        "answer_kind": kind,
        "answer_text": shown,
        "aliases": [shown, *aliases],
        "types": list(types),
        "title": None,
        "proofs": list(proofs),
        "scores": [0.5] * len(proofs),
    }


def answers(*rows: dict[str, Any]) -> pa.Table:
    return LABELLED_ANSWERS.table(list(rows))


def question(
    query: str, asked: str, entities: Mapping[str, Sequence[str]] | None = None, kind: str = "simple"
) -> dict[str, Any]:
    """entities: label to aliases."""
    named = entities or {}
    return {
        "query": query,
        "kind": kind,
        "question": asked,
        "normal": normalise(asked),
        "properties": ["P1"],
        "entities": [f"Q{place}" for place, _ in enumerate(named)],
        "entity_labels": list(named),
        "entity_aliases": [list(aliases) for aliases in named.values()],
        "classes": [None],
        "answers": 5,
        "answer_set": query,
    }


def questions(*rows: dict[str, Any]) -> pa.Table:
    return QUESTIONS.table(list(rows))


def rows(output: Output, spec: TableSpec) -> Rows:
    """The rows of a table, checked against its schema, in the order of its key."""
    table = output.tables[spec.name]
    assert table.schema.equals(spec.schema)
    found = table.sort_by([(name, "ascending") for name in spec.key]).to_pylist()
    assert len({tuple(row[name] for name in spec.key) for row in found}) == len(found)
    return found


def reasons(output: Output) -> list[tuple[str, str, str]]:
    return sorted((row["key"], row["reason"], row["detail"]) for row in output.rejects.to_pylist())
