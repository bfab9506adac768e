"""Kinship words between the two ends: expectations set by hand."""

from __future__ import annotations

import pytest

from stages.facts.roles.clauses import MentionNames, clause
from stages.facts.roles.kinship import kinship

FATHER, MOTHER, CHILD, SPOUSE, SIBLING = "P22", "P25", "P40", "P26", "P3373"
OTHER, SWAPPED = "other_role", "swapped_roles"


@pytest.mark.parametrize(
    ("prop", "subject", "object_", "sentence", "expected"),
    [
        (CHILD, "Anna", "Berta", "Berta, the younger daughter of Anna, left.", None),
        (MOTHER, "Berta", "Anna", "Berta, the younger daughter of Anna, left.", None),
        (CHILD, "Berta", "Anna", "Berta, the younger daughter of Anna, left.", SWAPPED),
        (SIBLING, "Berta", "Anna", "Berta, the younger daughter of Anna, left.", OTHER),
        (SPOUSE, "Carl", "Anna", "Carl and his wife Anna moved to Rome.", None),
        (SIBLING, "Carl", "Anna", "Carl and his wife Anna moved to Rome.", OTHER),
        (FATHER, "Anna", "Carl", "Carl and his wife Anna moved to Rome.", OTHER),
        (SPOUSE, "Carl", "Anna", "Carl married Anna in 1901.", None),
        (CHILD, "Carl", "Anna", "Carl married Anna in 1901.", OTHER),
        (SIBLING, "Carl", "Dora", "Carl's sister, Dora, became a painter.", None),
        (SPOUSE, "Carl", "Dora", "Carl's sister, Dora, became a painter.", OTHER),
        (FATHER, "Dora", "Emil", "Dora's father was Emil.", None),
        (SIBLING, "Fritz", "Georg", "Fritz and Georg, sons of Anna, were raised in Bonn.", None),
        (CHILD, "Fritz", "Georg", "Fritz and Georg, sons of Anna, were raised in Bonn.", OTHER),
        (SIBLING, "Hans", "Ida", "Karl was the son of Hans and Ida.", OTHER),
        (SPOUSE, "Hans", "Ida", "Karl was the son of Hans and Ida.", None),
        (FATHER, "Karl", "Hans", "Karl was the son of Hans and Ida.", None),
        (CHILD, "Carl", "Max", "Carl's nephew Max inherited the house.", OTHER),
        # In doubt it passes.
        (CHILD, "Carl", "Max", "Carl and Max lived in Rome.", None),
        (CHILD, "Carl", "Max", "His brother was with Carl and Max.", None),
    ],
)
def test_kin(prop: str, subject: str, object_: str, sentence: str, expected: str | None) -> None:
    assert kinship(prop, clause(sentence, MentionNames((subject,)), MentionNames((object_,)))) == expected
