"""Hops and bridges for the tests of the filter, and a reader whose answers are written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from stages.models.readers.interface import NOTHING, Prediction, ReaderPassage, SolvedQuestion
from stages.musique.bridges.tables import BRIDGES
from stages.musique.single_hops.tables import SINGLE_HOPS


def hop(name: str, question: str, answer: str, text: str, *aliases: str) -> dict[str, Any]:
    return {
        "hop": name,
        "given_id": "",
        "source": "sample",
        "question": question,
        "relational": False,
        "subject": None,
        "relation": None,
        "answer": answer,
        "answer_aliases": sorted(aliases),
        "answer_start": text.index(answer),
        "title": name,
        "paragraph": f"p-{name}",
        "text": text,
        "words": len(text.split()),
        "tokens": len(question.split()),
    }


def hops(*rows: dict[str, Any]) -> pa.Table:
    return SINGLE_HOPS.table(list(rows))


def bridge(head: str, tail: str, masked: str) -> dict[str, Any]:
    return {
        "head": head,
        "tail": tail,
        "entity": "x",
        "entity_type": "",
        "answer": "X",
        "bridge": "X",
        "start": 0,
        "end": 1,
        "masked": masked,
    }


def bridges(*rows: dict[str, Any]) -> pa.Table:
    return BRIDGES.table(list(rows))


@dataclass(frozen=True)
class Scripted:
    """Answers per question, one for each seed; support: titles of the paragraphs that it names."""

    script: Mapping[str, Sequence[tuple[str, Sequence[str]]]] = field(default_factory=dict)
    seed: int = 0
    name: str = "scripted"
    identity: str = "1"
    learns: bool = True
    draws: bool = True

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> Scripted:
        return Scripted(self.script, seed)

    def answer(
        self, questions: Sequence[str], contexts: Sequence[Sequence[ReaderPassage]], supports: int = 1
    ) -> list[Prediction]:
        return [self._one(question, context) for question, context in zip(questions, contexts, strict=True)]

    def _one(self, question: str, context: Sequence[ReaderPassage]) -> Prediction:
        if question not in self.script:
            return NOTHING
        answer, named = self.script[question][self.seed]
        return Prediction(answer, tuple(place for place, p in enumerate(context) if p.title in named), 0.0)
