"""What a form shows and asks."""

from __future__ import annotations

import msgspec
import pytest

from stages.annotation.forms.form import Block, Control, controls_of, form_problems, spread, variables_of

FORM = [
    {"heading": "About $topic", "fields": [{"show": "text"}]},
    {
        "heading": "Mood?",
        "fields": [{"choice": "mood", "required": True, "most": 2, "options": {"calm": "", "glad": ""}}],
    },
    {
        "heading": "Why?",
        "when": {"mood": ["calm", "glad"]},
        "fields": [{"text": "why", "most": 2, "required": True, "min_chars": 3}, {"so_far": ["so {mood}"]}],
    },
    {"heading": "How much?", "fields": [{"number": "weight", "about": "text", "low": 1, "high": 9}]},
]


def form(text: str = "") -> tuple[Block, ...]:
    return msgspec.json.decode(text or msgspec.json.encode(FORM), type=tuple[Block, ...])


def test_a_form_gives_its_variables_and_controls() -> None:
    assert form_problems(form()) == []
    assert variables_of(form()) == ("text", "topic")
    asked = (("mood", ("calm", "glad")),)
    assert controls_of(form()) == {
        "mood": Control("mood", "choice", True, ("calm", "glad"), max_values=2, about="text"),
        "why": Control("why", "text", True, max_values=2, min_chars=3, conditions=asked, about="text"),
        "weight": Control("weight", "number", low=1, high=9, about="text"),
    }


def test_a_control_is_asked_where_its_condition_holds() -> None:
    why = controls_of(form())["why"]
    assert why.asked({"mood": ["glad"]})
    assert not why.asked({})


def test_numbered_sets_stand_there_as_often_as_they_are_wanted() -> None:
    sets = ({"heading": "Passage {n}", "each": True, "fields": [{"show": "p_{nn}"}, {"text": "q_{nn}"}]}, *FORM[1:2])
    found = spread(form(msgspec.json.encode(sets).decode()), 11)
    assert [block.heading for block in found] == [*(f"Passage {number}" for number in range(1, 12)), "Mood?"]
    assert list(controls_of(found)) == [*(f"q_{number:02}" for number in range(1, 12)), "mood"]
    assert variables_of(found)[9:] == ("p_10", "p_11")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"calm":"",', "", "mood: expected at least two options"),
        ('"about":"text"', '"about":"page"', "weight: about: page is not shown"),
        ('"number":"weight"', '"number":"why"', "two controls are named why"),
        ('"number":"weight"', '"number":"w-1"', "w-1: expected a name of letters"),
        ('"number":"weight"', '"number":"weight","note":"x"', "a field is note and number; expected one of"),
        ('"number":"weight",', "", "a field is nothing; expected one of"),
        ('{"mood":["calm","glad"]}', '{"mood":["calm","sad"]}', "Why?: when: mood has no choice sad"),
        ('{"mood":["calm","glad"]}', '{"mood":[]}', "Why?: when: mood has no choice"),
        ('{"mood":["calm","glad"]}', '{"tone":["calm"]}', "Why?: when: tone has no choice calm"),
        ("so {mood}", "so {tone}", "so_far: no control tone"),
        ("so {mood}", "so_far {mood}", "so_far is a code; workers read 'So far'"),
        ('"min_chars":3', '"min_chars":3000', "why: min_chars is more than max_chars"),
    ],
)
def test_what_is_not_usable_is_told(old: str, new: str, problem: str) -> None:
    text = msgspec.json.encode(FORM).decode()
    assert old in text
    assert any(problem in found for found in form_problems(form(text.replace(old, new, 1))))


def test_a_form_shows_and_asks_something() -> None:
    assert form_problems(()) == [
        "asks nothing; expected a choice, a text or a number",
        "shows no variable of a task; expected show",
    ]
