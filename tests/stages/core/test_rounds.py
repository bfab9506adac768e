"""Stages under other names."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pyarrow as pa

from stages.core.contract import Map, Output, Stage, TableSpec
from stages.core.rounds import named, reading

SPEC = TableSpec("found", pa.schema([pa.field("id", pa.string())]), ("id",))
STAGE = Stage(
    "test.step", Map(), lambda *tables: Output({"found": tables[0]}), (SPEC,), inputs=("one", "two"), side=("aside",)
)


def test_a_round_has_its_own_tables_but_for_the_shared_ones() -> None:
    second = named(STAGE, "_again", shared=("two",))
    assert (second.name, second.inputs, second.side) == ("test.step_again", ("one_again", "two"), ("aside_again",))
    rows = pa.table({"id": ["a"]})
    assert second.call(rows, rows, rows).tables == {"found_again": rows}
    assert [spec.name for spec in second.outputs] == ["found_again"]


def test_a_round_tells_what_is_bound_to_its_kernel() -> None:
    assert named(replace(STAGE, kernel=partial(max, default=3)), "_again").bound == {"default": 3}


def test_the_first_round_keeps_its_names() -> None:
    assert named(STAGE, "") is STAGE


def test_another_table_of_the_same_schema_is_read() -> None:
    assert reading(STAGE, {"two": "three"}).inputs == ("one", "three")
