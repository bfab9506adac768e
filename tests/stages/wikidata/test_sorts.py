"""Which sorts of things fit."""

from __future__ import annotations

import pytest

from stages.wikidata.sorts import fits, fitting


@pytest.mark.parametrize(
    ("first", "second", "fit"),
    [
        ("place", "place", True),
        ("place", "place/area", True),
        ("place/area", "place", True),
        ("place/area", "place/nature", False),
        ("place", "organisation", False),
        # No path, only the same first letters.
        ("person", "personality", False),
    ],
)
def test_a_sort_fits_what_is_on_its_path(first: str, second: str, fit: bool) -> None:
    assert fits(first, second) is fits(second, first) is fit


def test_the_sorts_that_fit_a_class_are_listed_and_classes_without_one_are_not() -> None:
    sorts = {"Q1": ("place/area",), "Q2": ("place",), "Q3": ("organisation", "place/structure")}
    assert [tuple(row.values()) for row in fitting(sorts, ("Q1", "Q3", "Q9")).to_pylist()] == [
        ("Q1", "place"),
        ("Q1", "place/area"),
        ("Q3", "organisation"),
        ("Q3", "place"),
        ("Q3", "place/structure"),
    ]
