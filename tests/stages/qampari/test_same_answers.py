"""Which of several equal answer sets stays."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from stages.qampari.same_answers import asked_twice

ANCESTORS = pa.table(
    {
        "class": ["Q1", "Q2", "Q2", "Q3", "Q3", "Q3", "Q4", "Q9"],
        "ancestor": ["Q1", "Q2", "Q1", "Q3", "Q2", "Q1", "Q4", "Q1"],
    }
)
Query = tuple[str, str | None, str]


def twice(*queries: Query, breadths: dict[str, int] | None = None, seed: int = 0) -> dict[str, str]:
    """queries: entity, class, answers as one letter each."""
    rows = [
        {"query": f"P136:{entity}:{class_}", "property": "P136", "entity": entity, "answer_class": class_}
        for entity, class_, _ in queries
    ]
    members = [(row["query"], letter) for row, (_, _, letters) in zip(rows, queries, strict=True) for letter in letters]
    chance = random.Random(seed)
    chance.shuffle(rows)
    chance.shuffle(members)
    schema = pa.schema([(name, pa.string()) for name in ("query", "property", "entity", "answer_class")])
    answers = pa.table({"query": [query for query, _ in members], "subject": [answer for _, answer in members]})
    found = asked_twice(pa.Table.from_pylist(rows, schema), answers, ANCESTORS, breadths or {})
    return {row["query"]: row["chosen"] for row in found.to_pylist()}


@pytest.mark.parametrize("seed", range(3))
def test_the_class_below_the_others_stays(seed: int) -> None:
    queries = [("Q5", "Q1", "abc"), ("Q5", "Q2", "abc"), ("Q5", "Q3", "bca"), ("Q5", "Q4", "abd")]
    assert twice(*queries, seed=seed) == {"P136:Q5:Q1": "P136:Q5:Q3", "P136:Q5:Q2": "P136:Q5:Q3"}


def test_the_breadth_of_the_templates_comes_first_and_the_id_last() -> None:
    queries = [("Q5", "Q3", "ab"), ("Q5", "Q4", "ab")]
    assert twice(*queries, breadths={"Q3": 2, "Q4": 1}) == {"P136:Q5:Q3": "P136:Q5:Q4"}
    assert twice(("Q5", "Q4", "ab"), ("Q5", "Q1", "ab")) == {"P136:Q5:Q4": "P136:Q5:Q1"}


def test_other_entities_and_queries_without_a_class_are_left_alone() -> None:
    assert twice(("Q5", "Q1", "ab"), ("Q6", "Q2", "ab"), ("Q5", None, "ab")) == {}
    assert twice() == {}
