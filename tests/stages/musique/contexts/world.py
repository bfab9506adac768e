"""Composed questions over many short paragraphs, with all tables that contexts need."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pyarrow as pa

from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS, SINGLE_HOPS
from stages.musique.splits.splits import GRAPH_SPLITS
from tests.stages.musique.graphs.world import hop

WORDS = ["river", "stone", "cloud", "mill", "bridge", "tower", "field", "road", "lamp", "clock", "garden", "harbour"]
NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon"]


@dataclass
class World:
    hops: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    splits: dict[str, str]

    def tables(self, chance: Random | None = None) -> tuple[pa.Table, pa.Table, pa.Table, pa.Table, pa.Table]:
        paragraphs = {row["paragraph"]: row for row in self.hops}
        tables = [
            COMPOSED_HOPS.table(self.questions),
            GRAPH_SPLITS.table([{"graph": name, "split": split, "stratum": ""} for name, split in self.splits.items()]),
            SINGLE_HOPS.table(self.hops),
            GOLD_PARAGRAPHS.table(
                [{name: row[name] for name in ("paragraph", "title", "text")} for row in paragraphs.values()]
            ),
            KNOWN_NAMES.empty(),
        ]
        if chance:
            tables = [
                table.take(pa.array(chance.sample(range(table.num_rows), table.num_rows), pa.int64()))
                for table in tables
            ]
        first, second, third, fourth, fifth = tables
        return first, second, third, fourth, fifth


def random_world(seed: int, paragraphs: int, questions: int) -> World:
    """A hop per paragraph, whose text mentions its answer and other names; questions of two to four of them."""
    chance = Random(seed)
    hops = []
    for at in range(paragraphs):
        answer, title = chance.choice(NAMES), f"{chance.choice(WORDS)} {at}"
        asked = f"who saw the {chance.choice(WORDS)} and {chance.choice(WORDS)}"
        row = hop(f"s:{at:03}", asked, answer, f"p{at:03}")
        words = [*chance.sample(WORDS, 5), *chance.sample(NAMES, chance.choice([0, 0, 1])), answer]
        hops.append(row | {"title": title, "text": " ".join(words)})
    composed = [_question(f"q{at:03}", chance.sample(hops, chance.choice([2, 3, 4]))) for at in range(questions)]
    splits = {row["graph"]: chance.choice(["train", "train", "dev", "test"]) for row in composed}
    return World(hops, composed, splits)


def _question(name: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "graph": name,
        "shape": f"{len(parts)}hop",
        "hops": [part["hop"] for part in parts],
        "edges": [],
        "entities": [],
        "tokens": 0,
        "question_steps": [parts[0]["question"], *(f"{part['question']} near #1" for part in parts[1:])],
        "hop_answers": [part["answer"] for part in parts],
        "hop_aliases": [part["answer_aliases"] for part in parts],
        "paragraphs": [part["paragraph"] for part in parts],
        "sources": ["s"] * len(parts),
        "answer": parts[-1]["answer"],
        "answer_aliases": [],
    }
