"""Names of units."""

from __future__ import annotations

import pyarrow as pa

from stages.qampari.tables import COMPOSED_ANSWERS
from stages.qampari.units import UNIT_NAMES, UNIT_USES, stage, unit_uses, units, uses_stage

ENTITIES = pa.table(
    {
        "qid": ["Q11573", "Q3710", "Q5"],
        "label": ["metre", "foot", "human"],
        "aliases": [["m", "meter"], [], []],
        "types": [[], [], []],
    }
)


def answer(query: str, value: str, unit: str) -> dict:
    return {"query": query, "answer": value, "answer_kind": "quantity", "unit": unit, "proofs": [], "scores": []}


def test_uses_are_distinct_and_bare_numbers_have_none() -> None:
    answers = [answer("a", "3", "Q3710"), answer("a", "4", "Q3710"), answer("a", "5", ""), answer("b", "3", "Q3710")]
    uses = unit_uses(COMPOSED_ANSWERS.table(answers)).tables[UNIT_USES.name]
    assert uses.sort_by("query").to_pylist() == [{"query": "a", "unit": "Q3710"}, {"query": "b", "unit": "Q3710"}]


def test_units_take_their_names_from_entities() -> None:
    uses = UNIT_USES.table(
        [{"query": query, "unit": unit} for query, unit in (("a", "Q11573"), ("b", "Q11573"), ("b", "Q1"), ("c", "Q1"))]
    )
    output = units(uses, ENTITIES)
    assert output.tables[UNIT_NAMES.name].to_pylist() == [{"unit": "Q11573", "names": ["metre", "m", "meter"]}]
    assert output.rejects.to_pylist() == [{"key": "Q1", "reason": "no_unit_label", "detail": "", "count": 2}]


def test_nothing_in_nothing_out() -> None:
    assert unit_uses(COMPOSED_ANSWERS.empty()).tables[UNIT_USES.name].num_rows == 0
    assert units(UNIT_USES.empty(), ENTITIES).tables[UNIT_NAMES.name].schema.equals(UNIT_NAMES.schema)


def test_stages() -> None:
    assert uses_stage().outputs == (UNIT_USES,)
    assert stage().inputs == ("unit_uses", "entities")
