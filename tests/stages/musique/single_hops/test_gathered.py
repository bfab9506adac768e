"""Hops of several tables in one."""

from __future__ import annotations

from stages.musique.single_hops.gathered import GATHERED_HOPS, gathered, stage
from stages.musique.single_hops.tables import READ_HOPS


def test_hops_of_all_tables_stand_in_one() -> None:
    row = {
        "content": "c1",
        "source": "squad",
        "given_id": "",
        "question": "q",
        "answer": "a",
        "answer_aliases": [],
        "title": "t",
        "text": "a text",
        "answer_start": None,
    }
    one, two = READ_HOPS.table([row]), READ_HOPS.table([row | {"source": "statements"}])
    output = gathered(one, two)
    assert output.tables[GATHERED_HOPS.name].num_rows == 2
    assert output.tables[GATHERED_HOPS.name].schema == GATHERED_HOPS.schema
    assert gathered().tables[GATHERED_HOPS.name].num_rows == 0


def test_the_stage_joins_any_number_of_tables() -> None:
    made = stage("read_hops", "statement_hops")
    assert made.on == (("content",), ("content",))
    assert made.inputs == ("read_hops", "statement_hops")
