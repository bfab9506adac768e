from __future__ import annotations

import random
import tracemalloc

from stages.io.licences import LONGEST, MOST, MOST_COUNTED, together


def test_few_licences_are_named_and_many_are_counted() -> None:
    assert together([]) == together(["", " "]) == ""
    assert together(["MIT", "CC0", "MIT", " CC0 "]) == "CC0 | MIT"
    names = [f"licence {number:05}" for number in range(30_000)]
    said = together(reversed(names))
    assert said.startswith("licence 00000 | licence 00001 | ")
    assert f"licence {MOST - 1:05} | and 29,988 more (all: " in said
    assert len(said) < 300
    assert together([*names[1:], "other"]) != together([*names[1:], "another"])


def test_where_all_of_many_stand_is_said() -> None:
    assert together(map(str, range(MOST + 1)), "table `x`").startswith("0 | 1 | 10 | 11 | 12 | 2 | ")
    assert " | and 1 more (all: table `x`, " in together(map(str, range(MOST + 1)), "table `x`")
    assert together(map(str, range(2)), "table `x`") == "0 | 1"


def test_more_licences_than_are_told_apart_are_said_in_any_order_in_bounded_memory() -> None:
    names = [f"{number:06}" for number in range(2 * MOST_COUNTED + 5)]
    said = together(names)
    assert f" | and at least {MOST_COUNTED - MOST + 1:,} more (all: " in said
    random.Random(1).shuffle(names)
    assert together(names) == together(names[::-1]) == said
    exactly = together(f"{number:06}" for number in range(MOST_COUNTED))
    assert f" | and {MOST_COUNTED - MOST:,} more (all: " in exactly
    tracemalloc.start()
    assert together(f"{number:0200}" for number in range(8 * MOST_COUNTED)) != ""
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 64 << 20


def test_one_licence_has_so_many_characters() -> None:
    assert together(["a " * 10_000]) == ("a " * 10_000)[:LONGEST]
