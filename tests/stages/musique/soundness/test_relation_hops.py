from __future__ import annotations

import pytest

from stages.musique.soundness.asked_kinds import load_asked_kinds
from stages.musique.soundness.relation_hops import RelationRules, fault
from stages.musique.soundness.relation_values import refused

RULES = RelationRules(refused(), {"country", "place of birth"}, {"date of birth"}, {" paris "})


def reason(question: str, answer: str, text: str, title: str = "") -> str | None:
    subject, _, relation = question.partition(" >> ")
    row = {"subject": subject, "relation": relation, "answer": answer, "text": text, "title": title}
    found = fault(row, RULES, load_asked_kinds(), 8)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("question", "answer", "text", "title", "expected"),
    [
        ("Lake Van >> country", "Turkey", "Lake Van lies in Turkey .", "", None),
        ("Lake Van >> part of", "Asia", "Lake Van is in Asia .", "", "relation_of_levels"),
        ("Turkey >> has part", "Anatolia", "Turkey has Anatolia .", "", "relation_of_several"),
        ("Lake Van >> country", "Turkish", "Lake Van is a Turkish lake .", "", "adjective_for_name"),
        ("South American >> country", "Chile", "South American Chile .", "", "adjective_for_name"),
        ("Lake Van >> country", "Ohio", "Lake Van is in Ohio .", "", "other_kind_of_answer"),
        ("Ada Lovelace >> date of birth", "winter", "Ada Lovelace came in winter .", "", "other_kind_of_answer"),
        ("Lake Van >> performer", "the lake", "Lake Van and the lake .", "", "other_kind_of_answer"),
        ("Egypt >> continent", "Africa", "Egypt is in Africa .", "Egypt", None),
        ("Argentina >> continent", "Antarctica", "Argentina has Antarctica .", "Argentina", "other_kind_of_answer"),
        ("Argentina >> continent", "America", "Argentina is in America .", "Argentina", "other_kind_of_answer"),
        ("Argentina >> continent", "Americas", "Argentina is in the Americas .", "Argentina", "other_kind_of_answer"),
        ("England >> country", "United Kingdom", "England is in the United Kingdom .", "England", "country_of_country"),
        # A subject of one word is known as a page or a value of others, and no part of a longer name.
        ("Amok >> country", "Turkey", "Amok is from Turkey .", "", "part_of_name"),
        ("Amok >> country", "Turkey", "Amok is from Turkey .", "Amok (film)", None),
        ("Paris >> country", "France", "Paris is in France .", "", None),
        ("Paris >> date of birth", "1850", "Paris was born in 1850 .", "", "part_of_name"),
        ("Lake Van >> country", "Turkey", "Great Lake Van Bay is in Turkey .", "", "part_of_name"),
        ("lake van >> country", "Turkey", "the lake van is in Turkey .", "", "part_of_name"),
        # Its sentence names both, or its page is about the subject.
        (
            "Lake Van >> country",
            "Turkey",
            "Lake Van is large . Ada saw it from a boat . She left Turkey .",
            "",
            "not_in_one_sentence",
        ),
        ("Lake Van >> country", "Turkey", "Lake Van is large . It lies in Turkey .", "Lake Van", None),
        ("Lake Van >> country", "a b c d e f g h i", "Lake Van", "", "long_answer"),
    ],
)
def test_what_makes_no_step(question: str, answer: str, text: str, title: str, expected: str | None) -> None:
    assert reason(question, answer, text, title) == expected
