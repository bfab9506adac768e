"""The keys of relation files are described beside them."""

from __future__ import annotations

import re
from pathlib import Path

from stages.facts.relations.entries import COMPOSITION_KEYS, RELATION_KEYS, SIMPLE_KEYS

TEXT = (Path(__file__).parents[2] / "templates" / "relations" / "README.md").read_text(encoding="utf-8")


def test_each_table_lists_just_the_keys_that_the_reader_takes_and_which_are_needed() -> None:
    tables = re.split(r"\n\n(?=\| key)", TEXT)[1:]
    for table, keys in zip(tables, (RELATION_KEYS, SIMPLE_KEYS, COMPOSITION_KEYS), strict=True):
        listed = re.findall(r"^\| `(\w+)` \| (needed)? ?\|", table, re.MULTILINE)
        assert {key: bool(needed) for key, needed in listed} == keys
