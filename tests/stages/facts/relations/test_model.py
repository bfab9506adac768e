"""Tests of stages.facts.relations.model: how templates are cut at their slots."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stages.facts.relations.model import Slot, Template
from stages.facts.relations.templates import load_relations


def test_a_template_is_cut_at_its_slots() -> None:
    template = Template.parse("{the_subject} is {a_object}.")
    assert template.parts == (Slot("subject", "the"), " is ", Slot("object", "a"), ".")
    assert template.slots == ("subject", "object")


def test_braces_that_are_no_slot_stay_text() -> None:
    assert Template.parse("{ {Object} {}").parts == ("{ {Object} ", Slot(""))


@given(st.text())
def test_cutting_loses_nothing(text: str) -> None:
    def written(part: str | Slot) -> str:
        if isinstance(part, str):
            return part
        return "{" + (f"{part.determiner}_{part.name}" if part.determiner else part.name) + "}"

    assert "".join(written(part) for part in Template.parse(text).parts) == text


def test_target_classes_are_those_of_typed_relations() -> None:
    relations = load_relations()
    assert list(relations.target_classes) == sorted(set(relations.target_classes))
    assert "Q11424" in relations.target_classes
    untyped_only = {r.noun.qid for r in relations.simple.values()} - {
        kind.qid for r in relations.simple.values() for kind in r.classes
    }
    assert untyped_only
    assert not untyped_only & set(relations.target_classes)
