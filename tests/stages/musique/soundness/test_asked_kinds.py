from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.musique.soundness.asked_kinds import digests, load_asked_kinds

ASKED = load_asked_kinds()


@pytest.mark.parametrize(
    ("kind", "fits", "fits_not"),
    [
        (
            "date",
            ["In 1929", "September 26, 2017", "5 May", "the 1990s", "mid-19th century", "711 AD"],
            ["winter", "10"],
        ),
        ("number", ["503", "twelve", "1-year", "27%"], ["many", "Some"]),
        ("country", ["the United States", "U.S.", "South Korea"], ["African", "American", "Ohio", "New Mexico"]),
        ("continent", ["Europe", "South America"], ["African", "South American", "India"]),
        (
            "who",
            ["Tito", "Matt Monro", "the Soviet Union"],
            ["French", "Some Republican candidates", "1999", "his wife"],
        ),
        ("person", ["Matt Monro"], ["France", "agents of the Allies"]),
        ("place", ["Rome", "Egypt"], ["African", "In 1980", "other locations"]),
        ("name", ["Fresh Kills Landfill"], ["Irish", "a house"]),
    ],
)
def test_what_can_be_the_answer(kind: str, fits: list[str], fits_not: list[str]) -> None:
    assert [answer for answer in fits if not ASKED.can_be(kind, answer)] == []
    assert [answer for answer in fits_not if ASKED.can_be(kind, answer)] == []


def test_adjectives_of_places_are_no_names() -> None:
    adjectives = ["French", "South American", "African"]
    names = ["France", "American Legion", "North African Campaign"]
    assert [name for name in (*adjectives, *names) if ASKED.is_adjective(name)] == adjectives


def test_the_file_is_read_strictly(tmp_path: Path) -> None:
    file = tmp_path / "asked.yaml"
    file.write_text("version: 1\nown_text: [text]\n")
    with pytest.raises(StageError, match=r"asked.yaml: expected 'one_of_many_phrases'"):
        load_asked_kinds(file)
    file.write_text("a: 1\na: 2\n")
    with pytest.raises(StageError, match="stands twice"):
        load_asked_kinds(file)
    assert set(digests()) == {"soundness/asked.yaml", "adjectives.yaml"}
