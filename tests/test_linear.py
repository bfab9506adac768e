"""Linear time: neither a pattern of the project nor a reader takes longer per character of a longer text."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest

from stages.musique.composition import names
from stages.normalise.clean import MAX_LENGTH
from tests.tools.growth import sizes, too_steep
from tests.tools.patterns import Found, hostile, patterns
from tests.tools.readers import READERS

# Patterns that never see a long text, and what holds it short.
SHORT = {
    "stages.facts.longer_names._BEFORE": "the 40 characters before a name",
    "stages.facts.longer_names._OF": "the 40 characters before a name",
    "stages.musique.composition.names._STARTS": f"the {names._MOST_BEFORE} characters before a word",
    "stages.normalise.date_tokens._TOKEN": f"an answer of {MAX_LENGTH} characters",
}


def steep_patterns(most: int, count: int) -> list[str]:
    found = []
    for one in patterns():
        for make in hostile(one.pattern) if one.place not in SHORT else ():
            if said := too_steep(one.run, make, sizes(most, count)):
                lead, unit, end = make.args
                found.append(f"{one.place} ({one.way}): {said}: {lead[:40]!r} + {unit[:40]!r} often + {end!r}")
                break
    return found


def steep_units(name: str, units: list[str], most: int, count: int) -> list[str]:
    read = READERS[name].read
    said = (
        (unit, too_steep(read, lambda size, unit=unit: unit * (size // len(unit)), sizes(most, count)))
        for unit in units
    )
    return [f"{unit!r} often: {fault}" for unit, fault in said if fault]


def test_every_pattern_is_linear_in_texts_made_of_what_it_repeats() -> None:
    assert steep_patterns(6400, 2) == []


@pytest.mark.slow
def test_every_pattern_is_linear_up_to_a_hundred_thousand_characters() -> None:
    assert steep_patterns(100_000, 4) == []


@pytest.mark.parametrize("name", READERS)
def test_every_reader_is_linear_in_each_piece_repeated(name: str) -> None:
    pieces = READERS[name].pieces
    assert steep_units(name, [*pieces, *map("".join, pairwise(pieces))], 6400, 2) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_every_reader_is_linear_up_to_a_hundred_thousand_characters(name: str) -> None:
    pieces = READERS[name].pieces
    assert steep_units(name, list(pieces), 100_000, 3) == []
    assert steep_units(name, list(map("".join, product(pieces, repeat=2))), 12_800, 2) == []


@pytest.mark.parametrize(
    ("slow", "way", "most"),
    [
        (r"\s+$", "search", 6400),
        (r'"\s+([^"]*?)\s+"', "sub", 800),
        (r"\(.*\)$", "search", 25_600),
        (r"x|[ab]*c", "findall", 6400),
    ],
)
def test_what_makes_a_pattern_slow_is_found(slow: str, way: str, most: int) -> None:
    one = Found("", re.compile(slow), way)
    assert any(too_steep(one.run, make, sizes(most, 2)) for make in hostile(one.pattern))


def test_patterns_of_all_rooms_are_looked_at() -> None:
    found = patterns()
    assert {one.place.split(".")[0] for one in found} == {"manifests", "pipelines", "stages"}
    assert len(found) > 300
    assert set(SHORT) <= {one.place for one in found}
