from __future__ import annotations

from typing import Any

import pytest

from stages.facts.nli_pairs import pair_id
from stages.facts.readings import is_crumb, names_entity, read_as, readings, same_text, too_little


@pytest.mark.parametrize(
    ("surface", "label", "expected"),
    [
        ("football stadium", "association football venue", True),
        ("Nazi Party", "National Socialist German Workers' Party", True),
        ("CDU", "Christian Democratic Union", True),
        ("RCA", "RCA Records", False),
        # Broader than what bears the label, or a part of its name.
        ("writer", "screenwriter", False),
        ("artist", "visual artist", False),
        ("Italy", "Kingdom of Italy", False),
        ("United Kingdom", "United Kingdom of Great Britain and Ireland", False),
        # An adjective or a place may mean another.
        ("German", "Germans", False),
        ("Great Britain", "United Kingdom of Great Britain and Ireland", False),
        ("Germany", "Weimar Republic", False),
        # No word in common.
        ("author", "producer", False),
        # The label itself.
        ("Steven Spielberg", "Steven Spielberg", False),
        ("science-fiction film", "science fiction film", False),
    ],
)
def test_which_names_stand_for_a_label(surface: str, label: str, expected: bool) -> None:
    assert names_entity(surface, label) is expected


def row(side: str, surface: str) -> dict[str, Any]:
    return {
        "property": "P31",
        "side": side,
        "surface": surface,
        "subject_label": "Grey Park Stadium",
        "object_label": "association football venue",
    }


def state(_: str, subject: str, object_: str) -> list[str]:
    return [f"{subject} is a {object_}.", f"{object_}: {subject}."]


def test_hypotheses_by_the_labels_and_by_the_name_that_was_found() -> None:
    assert read_as(row("subject", "football stadium"), state) == [
        "Grey Park Stadium is a association football venue.",
        "association football venue: Grey Park Stadium.",
        "Grey Park Stadium is a football stadium.",
        "football stadium: Grey Park Stadium.",
    ]
    assert read_as(row("object", "GPS"), state)[2:] == [
        "GPS is a association football venue.",
        "association football venue: GPS.",
    ]
    assert len(read_as(row("subject", "association football venue"), state)) == 2


def test_one_reading_for_each_hypothesis() -> None:
    key = {"subject": "Q1", "property": "P31", "object": "Q2", "unit": "", "page": "Q1", "index": 3}
    found = list(readings(key | {"premise": "p", "hypotheses": ["a", "b"]}))
    assert found == [key | {"premise": "p", "hypothesis": text, "pair": pair_id(text, "p")} for text in ("a", "b")]


def test_the_same_text_whatever_its_case_and_signs() -> None:
    assert same_text("Arsenal F.C. plays in the Premier League!", "Arsenal F.C. plays in the premier league.")
    assert not same_text("Arsenal plays in the Premier League.", "Arsenal F.C. plays in the Premier League.")


@pytest.mark.parametrize(
    ("surface", "label", "sentence", "expected"),
    [
        ("writer", "screenwriter", "He was a writer.", True),
        ("officer", "military officer", "No officer came.", True),
        ("officer", "military officer", "He was an officer of the military.", False),
        ("action", "action film", "It is an action thriller.", False),
        ("capital", "capital city", "It is the capital.", False),
        ("football club", "association football club", "It is a football club.", False),
        ("screenwriter", "screenwriter", "He was a screenwriter.", False),
        ("Park", "Grey Park", "It is by Park.", False),
        ("Administrative divisions", "administrative division", "Administrative divisions", True),
    ],
)
def test_names_that_say_too_little(surface: str, label: str, sentence: str, expected: bool) -> None:
    assert too_little(surface, label, sentence) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Rome is a city.", False),
        ("He said: “Rome is a city.”", False),
        ("(Rome is a city.)", False),
        ("Category:Cities in Italy", True),
        ("Italy–Malta relations", True),
        ("Rome and Milan in Italy;", True),
        ("A Roman Tale (1999): Italian film by a director", True),
    ],
)
def test_a_line_that_does_not_end_states_nothing(sentence: str, expected: bool) -> None:
    assert is_crumb(sentence) is expected
