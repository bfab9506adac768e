from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.soundness.asked_kinds import load_asked_kinds
from stages.musique.soundness.plain_questions import fault, kind_asked

ASKED = load_asked_kinds()


def reason(question: str, answer: str, text: str | None = None) -> str | None:
    """Why a hop is none; its paragraph says all that the question says where no other is given."""
    row = {"question": question, "answer": answer, "text": text or f"{question} {answer}", "title": ""}
    found = fault(row, ASKED, 8)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Who wrote Emma?", "Jane Austen", None),
        ("when did the spanish steps open", "1725", None),
        ("How many counties are there in New York City?", "five", None),
        ("Plantation owners from the Caribbean helped to fund what invention?", "steam engine", None),
        ("In which country is Lake Van?", "Turkey", None),
        # It speaks of its own text, or of what was said there.
        ("Which newspaper that this paragraph is about is owned by Rupert Murdoch?", "The Times", "speaks_of_its_text"),
        ("How many planning regions are there in Connecticut and the state?", "15", "dangling_reference"),
        ("What is the major US city that the university is in?", "Boston", "dangling_reference"),
        ("When did the hospitals appear in Egypt?", "872", "dangling_reference"),
        ("Why did he go to Rome?", "plague", "open_question"),
        ("When did he go to Rome?", "1850", "dangling_reference"),
        ("what started the war between us and japan", "Pearl Harbor", "dangling_reference"),
        ("when did the US enter the war of 1812", "1812 AD", None),
        ("What limits the efficiency?", "heat", "names_nothing"),
        ("Which boat went through the Northwest Passage?", "Gjøa", None),
        ("Which soldiers gave their names to a bridge of Nevada?", "Pat Tillman", None),
        ("What is its capital in Nevada?", "Rome", "dangling_reference"),
        # It asks for no one thing.
        ("Is Rome old?", "Yes", "yes_or_no"),
        ("How did Luther describe Rome?", "condemned", "open_question"),
        ("What did Greece do in WWII?", "fight", "open_question"),
        ("What is one of the rivers of Rome?", "Tiber", "one_of_many"),
        ("What other name was used for New Haven?", "The Consolidated", "one_of_many"),
        ("what are the powers of the court in rome", "Justices", "one_of_many"),
        ("what are the toll roads called in mexico", "autopistas", None),
        ("Who governed Maryland?", "Francis Nicholson", "one_of_many"),
        ("Who governed Maryland before the revolt of Leisler?", "Francis Nicholson", None),
        ("who is the current director of the us mint", "David Ryder", "answer_of_a_day"),
        ("when does the new season of emma start", "9 May 2017", "answer_of_a_day"),
        ("who's winning the election in virginia", "Ralph Northam", "answer_of_a_day"),
        ("In 2001 Rome was founded by Ada", "Ada", "no_question_word"),
        ("When was Rome built and who built Rome?", "1850", "two_questions"),
        # Its words are out of joint.
        ("Who granted terms to Rome? and when?", "Charles II", "unreadable"),
        ("What is the city that the is in Rome?", "Boston", "unreadable"),
        ("When did the war became hard for Rome?", "1850", "unreadable"),
        # The answer is of another kind.
        ("Which continent holds Egypt?", "African", "other_kind_of_answer"),
        ("Who backed energy for Rome?", "Some Republican candidates", "other_kind_of_answer"),
        ("When did the Partisans take Rome?", "At the onset of winter", "other_kind_of_answer"),
        ("How many people live in Rome?", "a lot", "other_kind_of_answer"),
        ("Where is the Bay of Rome?", "at sea", "other_kind_of_answer"),
        ("What did Rome call Ada?", "a b c d e f g h i", "long_answer"),
        ("who won the battle of britain", "Britain", "answer_in_own_question"),
    ],
)
def test_what_makes_no_step(question: str, answer: str, expected: str | None) -> None:
    assert reason(question, answer) == expected


def test_the_paragraph_speaks_of_what_is_named() -> None:
    assert reason("Who led the siege of Rome?", "Ada", "Ada led a siege of Oslo .") == "not_in_paragraph"
    assert reason("who captained the first ship around africa", "Ada", "Ada it was .") == "not_in_paragraph"
    # By another name.
    assert reason("Who led Germany into war?", "Ada", "Ada led the German people into war .") is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("who wrote emma", "who"),
        ("in what year was rome built", "date"),
        ("which church leader was it", "person"),
        ("what country is it", "country"),
        ("what percentage of people", "number"),
        ("how many", "number"),
        ("what is the year of it", None),
        ("rome is where", None),
    ],
)
def test_the_kind_that_is_asked_for(question: str, kind: str | None) -> None:
    assert kind_asked(tuple(question.split()), ASKED) == kind


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_judged(question: str, answer: str) -> None:
    found = fault({"question": question, "answer": answer, "text": question, "title": ""}, ASKED, 8)
    assert found is None or (found[0].isidentifier() and isinstance(found[1], str))
