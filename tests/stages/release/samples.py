"""A released record of each dataset, by hand, and a way to change one."""

from __future__ import annotations

import copy
import json
from typing import Any

ANSWERS: dict[str, Any] = {
    "entities": [{"entity_url": "https://en.wikipedia.org/wiki/X", "entity_text": "X", "aliases": ["X"]}],
    "question_text": "Which film was directed by X?",
    "answer_list": [
        {
            "answer_text": "Jaws",
            "aid": "3__wikidata_simple__dev__0",
            "aliases": ["Jaws"],
            "answer_url": "https://en.wikipedia.org/wiki/Jaws",
            "proof": [
                {
                    "proof_text": "X directed Jaws.",
                    "found_in_url": "https://en.wikipedia.org/wiki/Jaws",
                    "pid": "3__wikidata_simple__dev__0__0",
                }
            ],
        }
    ],
    "qid": "3__wikidata_simple__dev",
}
CHOICE: dict[str, Any] = {
    "question": {
        "stem": "suppose during sunshine happens, how will it affect more vapors.",
        "para_steps": ["Water is heated.", "It evaporates."],
        "answer_label": "more",
        "answer_label_as_choice": "A",
        "choices": [
            {"label": "A", "text": "more"},
            {"label": "B", "text": "less"},
            {"label": "C", "text": "no effect"},
        ],
    },
    "metadata": {
        "ques_id": "influence_graph:127:12:9#1",
        "graph_id": "12",
        "para_id": "127",
        "question_type": "EXOGENOUS_EFFECT",
        "path_len": 3,
    },
}
COUNTERFACTUAL: dict[str, Any] = {"idx": 1, "question": "If so?", "answers": ["it"], "context": ["It was not so."]}
MULTIHOP: dict[str, Any] = {
    "id": "2hop__7_a:b",
    "paragraphs": [
        {"idx": 0, "title": "Brig", "paragraph_text": "Brig is a town.", "is_supporting": True},
        {"idx": 1, "title": "Rome", "paragraph_text": "Rome is old.", "is_supporting": False},
        {"idx": 2, "title": "Ada", "paragraph_text": "Ada was born in Brig.", "is_supporting": True},
    ],
    "question": "In which country was Ada born?",
    "question_decomposition": [
        {"id": 7, "question": "Where was Ada born?", "answer": "Brig", "paragraph_support_idx": 2},
        {"id": "a:b", "question": "#1 >> country", "answer": "Norland", "paragraph_support_idx": 0},
    ],
    "answer": "Norland",
    "answer_aliases": ["the Nor"],
    "answerable": True,
}


def changed(record: dict[str, Any], *path: str | int, to: Any) -> dict[str, Any]:
    """A copy of the record with another value at the path."""
    made = copy.deepcopy(record)
    place: Any = made
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return made


def contrast() -> dict[str, Any]:
    """MULTIHOP beside paragraphs that do not answer it."""
    made = changed(MULTIHOP, "answerable", to=False)
    made = changed(made, "question_decomposition", 0, "paragraph_support_idx", to=None)
    return changed(made, "paragraphs", 2, "is_supporting", to=False)


def as_lines(*records: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)
