"""Kinds of subjects, where their classes agree and where they do not."""

from __future__ import annotations

import pyarrow as pa
import pytest

from stages.facts.answer_kinds import AnswerKinds, of_subjects

COMPANY, BUILDING, THING = "Q783794", "Q41176", "Q35120"
UNIVERSITY, PUBLISHER, LABEL = "Q3918", "Q2085381", "Q18127"
SORTS = {
    COMPANY: ("organisation/business",),
    BUILDING: ("place/structure",),
    UNIVERSITY: ("organisation/school", "place/structure"),
    "Q43229": ("organisation",),
}
# What `wikidata.classes` would publish: a publisher is a company by two steps, and says so three steps off a landmark.
ANCESTORS = [(PUBLISHER, COMPANY), (COMPANY, COMPANY), (BUILDING, BUILDING), (UNIVERSITY, THING), (PUBLISHER, THING)]
CLASS_SORTS = [
    (UNIVERSITY, "organisation/school", 0),
    (UNIVERSITY, "place/structure", 0),
    (PUBLISHER, "organisation", 2),
    (COMPANY, "organisation/business", 0),
    (BUILDING, "place/structure", 0),
    (LABEL, "organisation", 1),
]
KINDS = AnswerKinds(
    typed={"P1": (COMPANY, BUILDING), "P2": (THING,)}, untyped={"P3": COMPANY, "P4": None, "P5": THING}, sorts=SORTS
)


def kinds_of(*types: str) -> list[tuple[str, str | None]]:
    """Property and class of what a subject with some classes can be an answer of."""
    subjects = pa.table({"subject": ["Q1"] * 6, "property": ["P1", "P1", "P2", "P3", "P4", "P5"]})
    entities = pa.table({"qid": ["Q1"], "types": pa.array([list(types)], pa.list_(pa.string()))})
    ancestors = pa.table({"class": [a for a, _ in ANCESTORS], "ancestor": [b for _, b in ANCESTORS]})
    sorts = pa.table(
        {name: [row[place] for row in CLASS_SORTS] for place, name in enumerate(("class", "sort", "steps"))}
    )
    found = of_subjects(subjects, entities, ancestors, sorts, KINDS).to_pylist()
    return sorted(((row["property"], row["class"]) for row in found), key=str)


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        # A publisher alone is a company.
        ((PUBLISHER,), {("P1", COMPANY), ("P2", THING), ("P3", None)}),
        # A university that publishes is none: its own class says two steps nearer what it is.
        ((UNIVERSITY, PUBLISHER), {("P2", THING)}),
        # Chess Records is a label with a building; neither class is much nearer to what it is.
        ((LABEL, BUILDING), {("P1", BUILDING), ("P3", None)}),
        # Nothing is known against a subject without classes, nor for it.
        ((), {("P3", None)}),
        (("Q999",), {("P3", None)}),
        ((UNIVERSITY,), {("P2", THING)}),
    ],
)
def test_a_class_counts_unless_another_says_much_nearer_what_the_subject_is(
    types: tuple[str, ...], expected: set[tuple[str, str | None]]
) -> None:
    # P4 has no noun and P5 one of every sort, so that any subject will do.
    assert set(kinds_of(*types)) == expected | {("P4", None), ("P5", None)}
