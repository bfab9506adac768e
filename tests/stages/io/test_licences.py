from __future__ import annotations

from stages.io.licences import LONGEST, MOST, together


def test_few_licences_are_named_and_many_are_counted() -> None:
    assert together([]) == together(["", " "]) == ""
    assert together(["MIT", "CC0", "MIT", " CC0 "]) == "CC0 | MIT"
    names = [f"licence {number:05}" for number in range(30_000)]
    said = together(reversed(names))
    assert said.startswith("licence 00000 | licence 00001 | ")
    assert f"licence {MOST - 1:05} | and 29,988 more (all: " in said
    assert len(said) < 300
    assert together([*names[1:], "other"]) != together([*names[1:], "another"])


def test_one_licence_has_so_many_characters() -> None:
    assert together(["a " * 10_000]) == ("a " * 10_000)[:LONGEST]
