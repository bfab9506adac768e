"""What is true of a question, beyond what has evidence."""

from __future__ import annotations

import pyarrow as pa

from stages.qampari.judging.asked_answers import ASKED_PARTS, parts
from stages.qampari.judging.truths import (
    FURTHER_TRUTHS,
    TRUE_ANSWERS,
    TRUTHS,
    UNFOLLOWED,
    further_truths,
    stages,
    true_answers,
    truths,
)
from stages.qampari.supported_answers import JUDGED_ANSWERS, JUDGED_HOPS
from stages.wikidata.rows import ENTITIES, STATEMENTS
from tests.stages.qampari.people_world import rows

FILMS, WRITTEN, BOTH, WHEN = "P57:Q1", "P58:Q1", "P57:Q1&P58:Q1", "P57:Q1>P577"
PARTS = ASKED_PARTS.table(
    [*parts(FILMS, "simple"), *parts(BOTH, "intersection"), *parts(WHEN, "composition")],
)


def judged(query: str, subject: str, validated: bool) -> dict[str, object]:
    pid, _, entity = query.partition(":")
    empty = dict.fromkeys(JUDGED_ANSWERS.schema.names)
    return empty | {"query": query, "subject": subject, "property": pid, "object": entity, "validated": validated}


JUDGED = JUDGED_ANSWERS.table(
    [judged(FILMS, "Q2", True), judged(FILMS, "Q3", False), judged(WRITTEN, "Q4", True), judged("P57:Q7", "Q5", True)]
)
HOP = dict.fromkeys(JUDGED_HOPS.schema.names) | {
    "query": WHEN,
    "inner_query": FILMS,
    "subject": "Q2",
    "property": "P577",
    "object": "1975",
    "answer_kind": "time",
    "unit": "",
    "validated": False,
}
HOPS = JUDGED_HOPS.table([HOP, HOP | {"query": "P57:Q1>P2047", "property": "P2047", "object": "124"}])


def test_truths_with_and_without_evidence() -> None:
    output = truths(PARTS, JUDGED, HOPS)
    found = {(row["query"], row["answer"], row["role"]) for row in rows(output, TRUTHS)}
    assert found == {
        (FILMS, "Q2", "answer"),
        (FILMS, "Q3", "answer"),
        (BOTH, "Q2", "answer"),
        (BOTH, "Q3", "answer"),
        (BOTH, "Q4", "answer"),
        (WHEN, "Q2", "middle"),
        (WHEN, "Q3", "middle"),
        (WHEN, "1975", "answer"),
    }
    assert rows(output, UNFOLLOWED) == [{"query": WHEN, "subject": "Q3", "property": "P577"}]


def test_what_inner_answers_without_evidence_lead_to() -> None:
    statements = [
        {"subject": "Q3", "property": "P577", "value": "1999"},
        {"subject": "Q3", "property": "P2047", "value": "90"},
        {"subject": "Q2", "property": "P577", "value": "1975"},
    ]
    table = pa.Table.from_pylist([row | {"unit": None} for row in statements])
    table = table.set_column(3, "unit", pa.nulls(3, pa.string()))
    unfollowed = UNFOLLOWED.table([{"query": WHEN, "subject": "Q3", "property": "P577"}])
    assert rows(further_truths(unfollowed, table), FURTHER_TRUTHS) == [
        {"query": WHEN, "subject": "Q3", "answer": "1999", "unit": ""}
    ]
    assert {"subject", "property", "value", "unit"} <= set(STATEMENTS.schema.names)


def test_names_of_what_is_true() -> None:
    known = TRUTHS.table(
        [{"query": BOTH, "part": part, "answer": "Q2", "unit": "", "role": "answer"} for part in (FILMS, WRITTEN)]
    )
    more = FURTHER_TRUTHS.table([{"query": WHEN, "subject": s, "answer": "1999", "unit": ""} for s in ("Q3", "Q4")])
    entity = dict.fromkeys(ENTITIES.schema.names) | {"qid": "Q2", "label": "Jaws", "aliases": ["Shark"], "types": []}
    assert rows(true_answers(known, more, ENTITIES.table([entity])), TRUE_ANSWERS) == [
        {"query": BOTH, "answer": "Q2", "unit": "", "role": "answer", "names": ["Jaws", "Shark"]},
        {"query": WHEN, "answer": "1999", "unit": "", "role": "answer", "names": []},
    ]


def test_the_stages_follow_each_other() -> None:
    assert [stage.inputs[0] for stage in stages()] == ["asked_parts", "unfollowed", "truths"]
