"""Forms read from labelling configurations."""

from __future__ import annotations

import pytest

from stages.people.controls import Condition, Control, FormError, read_form

FORM = """
<View>
  <Header value="About $topic"/>
  <Text name="t" value="$text"/>
  <Choices name="mood" toName="t" choice="multiple" required="true">
    <Choice value="calm"/><Choice value="glad"/>
  </Choices>
  <View visibleWhen="choice-selected" whenTagName="mood" whenChoiceValue="calm, glad">
    <TextArea name="why" toName="t" maxSubmissions="2" required="true"/>
  </View>
  <Number name="weight" toName="t" min="1" max="9.5" step="0.5"/>
</View>
"""


def test_a_form_gives_its_variables_and_controls() -> None:
    form = read_form(FORM)
    assert form.variables == ("text", "topic")
    assert form.controls == {
        "mood": Control("mood", "choice", True, ("calm", "glad"), max_values=2, target="t"),
        "why": Control(
            "why", "text", True, max_values=2, conditions=(Condition("mood", ("calm", "glad")),), target="t"
        ),
        "weight": Control("weight", "number", low=1.0, high=9.5, target="t"),
    }


def test_a_control_is_asked_where_its_condition_holds() -> None:
    why = read_form(FORM).controls["why"]
    assert why.asked({"mood": ["glad"]})
    assert not why.asked({})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<View>\n  <Header", '<!DOCTYPE View [<!ENTITY a "b">]><View>\n  <Header', "DOCTYPE: not allowed"),
        ("</View>\n  <Number", "<Number", "not well-formed"),
        ("<Header", "<Image", "line 2: Image: unknown tag"),
        ('<Choice value="glad"/>', "", "mood: expected at least two"),
        ('"glad"/>', '"calm"/>', "'calm' stands twice"),
        ('<Choice value="glad"/>', '<Choice value="glad" alias="g"/>', "no alias"),
        (' maxSubmissions="2"', "", "maxSubmissions"),
        ('name="weight" toName="t"', 'name="weight" toName="u"', "weight: toName 'u'"),
        ('name="weight"', 'name="why"', "two controls are named why"),
        ('name="weight"', 'name="w-1"', "name: expected letters"),
        ('min="1"', 'min="low"', "min: expected a number, found 'low'"),
        ('whenChoiceValue="calm, glad"', 'whenChoiceValue="sad"', "why: visibleWhen names unknown choices"),
        ('whenTagName="mood"', 'whenTagName="tone"', "unknown control tone"),
        ('visibleWhen="choice-selected"', 'visibleWhen="region-selected"', "expected choice-selected"),
    ],
)
def test_what_is_not_a_usable_form_is_refused_with_its_place(old: str, new: str, message: str) -> None:
    broken = FORM.strip().replace(old, new, 1)
    assert broken != FORM.strip()
    with pytest.raises(FormError, match=message):
        read_form(broken)


def test_entities_and_size_cannot_be_abused() -> None:
    with pytest.raises(FormError, match="undefined entity"):
        read_form("<View>&secret;</View>")
    with pytest.raises(FormError, match="more than 262144 bytes"):
        read_form(FORM + " " * 300_000)
    with pytest.raises(FormError, match="asks nothing"):
        read_form("<View/>")
