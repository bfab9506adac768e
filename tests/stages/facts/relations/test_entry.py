"""Tests of stages.facts.relations.entry: what an entry accepts and how it names what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from stages.facts.relations.entry import Entry, EntryForm

KEYS = {"label": True, "about": False, "extra": False, "names": False}


def entry(fields: Any) -> tuple[Entry, list[str]]:
    problems: list[str] = []
    return Entry("f.yaml", "P1", fields, KEYS, problems), problems


def test_a_good_entry_gives_its_values() -> None:
    read, problems = entry({"label": "director", "extra": True, "names": ["a", "b"]})
    assert read.text("label") == "director"
    assert read.flag("extra") is True
    assert read.texts("names") == ("a", "b")
    assert read.choice("about", ("x", "y"), "x") == "x"
    assert problems == []


def test_missing_and_unknown_keys_are_named() -> None:
    _, problems = entry({"lable": "x"})
    assert problems == [
        "f.yaml: P1: lable: unknown key; expected one of label, about, extra, names",
        "f.yaml: P1: label: missing",
    ]


@pytest.mark.parametrize("fields", [None, [], "text", 3])
def test_what_is_no_mapping_is_named(fields: Any) -> None:
    _, problems = entry(fields)
    assert problems == [f"f.yaml: P1: expected a mapping with label, about, extra, names, found {fields!r}"]


@pytest.mark.parametrize("label", ["", " x", "x ", "x  y", "x\ny", 3, None, ["x"]])
def test_text_is_one_evenly_spaced_line(label: Any) -> None:
    read, problems = entry({"label": label})
    assert read.text("label") == ""
    assert problems == [f"f.yaml: P1: label: expected one line of text without stray spaces, found {label!r}"]


def test_flags_and_lists_are_of_their_kind() -> None:
    read, problems = entry({"label": "x", "extra": "yes", "names": ["a", 1]})
    assert read.flag("extra") is False
    assert read.texts("names") == ()
    assert problems == [
        "f.yaml: P1: extra: expected true or false, found 'yes'",
        "f.yaml: P1: names: expected a list of texts, found ['a', 1]",
    ]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("made by {entity}", []),
        ("made by {the_entity}", []),
        ("{that} made {that} by {entity}", []),
        ("made", ["expected the slot {entity} once, found it 0 times"]),
        ("{the_that} by {entity}", ["unknown slot {the_that}; expected {entity}, {that}, {the_entity}, {a_entity}"]),
        ("by an {entity}", ["expected {a_entity} in place of a written article, found 'by an '"]),
        ("by {entity}.", ["expected no mark of a sentence's end but 'none', found 'by {entity}.'"]),
        ("by {{entity}", ["expected braces only around slot names, found 'by {'"]),
    ],
)
def test_a_template_is_held_to_its_form(text: str, faults: list[str]) -> None:
    read, problems = entry({"label": text})
    form = EntryForm(("entity",), determined=("entity",), loose=("that",))
    assert read.template("label", form).text == text
    assert problems == [f"f.yaml: P1: label: {fault}" for fault in faults]
