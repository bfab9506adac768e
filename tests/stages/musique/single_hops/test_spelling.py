from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.texts import Refused
from stages.musique.single_hops.forms import form
from stages.musique.single_hops.spelling import asked, title, without_full_stop
from stages.musique.single_hops.stated import SingleHopParams, Stated, row


@pytest.mark.parametrize(
    ("written", "read"),
    [
        # Titles of the shared pool, of SQuAD and of Natural Questions.
        ("Marxism%E2%80%93Leninism", "Marxism–Leninism"),
        ("Super_Bowl_50", "Super Bowl 50"),
        ("AC%2FDC", "AC/DC"),
        ("100%", "100%"),
        ("100% Hits", "100% Hits"),
        ("5%ff", "5%ff"),
        ("Rome", "Rome"),
        (7, 7),
    ],
)
def test_titles_of_addresses(written: object, read: object) -> None:
    assert title(written) == read


@pytest.mark.parametrize(
    ("stated", "answer"),
    [
        ("World War I.", "World War I"),
        ("World War I .", "World War I"),
        ("Malcolm X.", "Malcolm X"),
        ("twice.", "twice"),
        ('"Arica Elbow".', '"Arica Elbow"'),
        ("2005.", "2005"),
        *(
            (name, name)
            for name in (
                "U.S.",
                "Washington , D.C.",
                "Paul Desmarais Jr.",
                "Apple Inc.",
                "Grand Wing Servo-Tech Co., Ltd.",
                "Friends of Peter G.",
                "R.E.M.",
                "11 p.m. to 3 a.m.",
                "compulsory texts, equipment, etc.",
                "Warner Bros.",
                "Dr. No",
                "and so on...",
                ".",
                "",
            )
        ),
    ],
)
def test_an_answer_loses_the_full_stop_of_its_sentence(stated: str, answer: str) -> None:
    assert without_full_stop(stated) == answer


@given(st.text(alphabet="aIU.S Jr1"))
def test_no_word_is_lost_with_a_full_stop(text: str) -> None:
    found = without_full_stop(text)
    assert text.startswith(found) and form(found) == form(text)


def test_the_subject_of_a_relation_has_no_full_stop() -> None:
    assert asked("World War I. >> participant") == "World War I >> participant"
    assert asked("U.S. >> capital") == "U.S. >> capital"
    assert asked("Who sang this.") == "Who sang this."


def test_a_row_holds_what_was_meant() -> None:
    text = "Oliver &amp; Company was made by Disney."
    stated = Stated("s", None, "Oliver &amp; Company >> producer", ["Disney."], "Oliver_%26_Company", text, 33)
    found = row(stated, SingleHopParams())
    assert (found["question"], found["answer"]) == ("Oliver & Company >> producer", "Disney")
    assert (found["title"], found["text"]) == ("Oliver & Company", "Oliver & Company was made by Disney.")
    assert found["text"][found["answer_start"] :].startswith("Disney")


def test_markup_behind_entities_is_refused() -> None:
    with pytest.raises(Refused) as fault:
        row(Stated("s", None, "What?", ["x"], "", "&lt;script&gt;x&lt;/script&gt;"), SingleHopParams())
    assert fault.value.reason == "markup"
