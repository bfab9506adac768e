"""Small random collections of single hops and the bridges between them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pyarrow as pa

from stages.musique.bridges.tables import BRIDGES
from stages.musique.single_hops.tables import SINGLE_HOPS

NAMES = ["Ann", "Bob", "Cid", "Dan Eel", "Eel", "Fay"]


@dataclass(frozen=True)
class World:
    hops: dict[str, dict[str, Any]]
    bridges: dict[tuple[str, str], dict[str, Any]]

    def tables(self, chance: Random | None = None) -> tuple[pa.Table, pa.Table]:
        """The bridges and the hops, shuffled where a chance is given."""
        bridges, hops = list(self.bridges.values()), list(self.hops.values())
        if chance:
            chance.shuffle(bridges)
            chance.shuffle(hops)
        return BRIDGES.table(bridges), SINGLE_HOPS.table(hops)


def hop(name: str, question: str, answer: str, paragraph: str) -> dict[str, Any]:
    return {
        "hop": name,
        "given_id": "",
        "source": name.split(":")[0],
        "question": question,
        "relational": False,
        "subject": None,
        "relation": None,
        "answer": answer,
        "answer_aliases": [f"{answer} of old"],
        "answer_start": 0,
        "title": paragraph,
        "paragraph": paragraph,
        "text": f"{answer} is in it.",
        "words": 4,
        "tokens": len(question.split()),
    }


def bridge(head: dict[str, Any], tail: dict[str, Any], start: int) -> dict[str, Any]:
    question, answer = tail["question"], head["answer"]
    end = start + len(answer)
    row = {
        "head": head["hop"],
        "tail": tail["hop"],
        "entity": answer.lower(),
        "entity_type": "PERSON",
        "answer": answer,
        "bridge": question[start:end],
        "start": start,
        "end": end,
        "masked": f"{question[:start]}[MASK]{question[end:]}",
    }
    return {name: row[name] for name in BRIDGES.schema.names}


def random_world(seed: int, size: int) -> World:
    """Hops that ask about up to two names; every first mention of an answer is a bridge, "Eel" in "Dan Eel" too."""
    chance = Random(seed)
    hops = {}
    for number in range(size):
        asked = chance.sample(NAMES, chance.choice([0, 1, 1, 2, 2]))
        question = f"who {' met '.join(asked)} saw {number}"
        hops[f"s{number % 2}:{number:02}"] = hop(
            f"s{number % 2}:{number:02}",
            question,
            chance.choice([*NAMES, f"End {number}"]),
            f"p{chance.randrange(size)}",
        )
    bridges = {
        (head["hop"], tail["hop"]): bridge(head, tail, tail["question"].index(head["answer"]))
        for head in hops.values()
        for tail in hops.values()
        if head is not tail and head["answer"] in tail["question"]
    }
    return World(hops, bridges)
