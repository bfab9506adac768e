"""Composed questions for the tests of their splits: short to write, random where asked for."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa

from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.graphs.tables import COMPOSED_HOPS

NO_NAMES = KNOWN_NAMES.empty()


def question(
    name: str, hops: list[str], answers: list[str], paragraphs: list[str], source: str = "s"
) -> dict[str, Any]:
    return {
        "graph": name,
        "shape": f"{len(hops)}hop",
        "hops": hops,
        "edges": [],
        "entities": [],
        "tokens": 0,
        "question_steps": hops,
        "hop_answers": answers,
        "hop_aliases": [[] for _ in hops],
        "paragraphs": paragraphs,
        "sources": [source] * len(hops),
        "answer": answers[-1],
        "answer_aliases": [],
    }


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return COMPOSED_HOPS.table(rows)


def pool(*listed: list[str]) -> pa.Table:
    """What splits read of SINGLE_HOPS: per hop its answer and then its aliases."""
    aliases = pa.array([aliases for _, *aliases in listed], pa.list_(pa.string()))
    return pa.table({"answer": pa.array([answer for answer, *_ in listed], pa.string()), "answer_aliases": aliases})


def names(*rows: tuple[str, str, str]) -> pa.Table:
    """KNOWN_NAMES of (name, target, kind)."""
    return KNOWN_NAMES.table(
        [{"name": name, "target": target, "kind": kind, "about": ""} for name, target, kind in rows]
    )


def random_questions(seed: int, count: int, spread: int) -> list[dict[str, Any]]:
    """Questions of two to four hops. spread: of how many hops there are; a hop has one paragraph and one answer."""
    chance = Random(seed)
    hops = [
        (f"h{at}", f"The Answer {chance.randrange(spread)}", f"p{chance.randrange(spread)}") for at in range(spread)
    ]
    rows = []
    for at in range(count):
        chosen = chance.sample(hops, chance.choice([2, 2, 3, 4]))
        parts = [list(part) for part in zip(*chosen, strict=True)]
        rows.append(question(f"q{at:04}", *parts, source=chance.choice(["squad", "trex"])))
    return rows
