"""Where something is missing, by hand: a note after a sentence is no hole, a value inside one is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.holes import HOLE, NOTHING, hole, is_whole, settle, settle_all
from stages.wikipedia.wikitext import clean_wikitext

O = HOLE  # noqa: E741


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("It had a density of {{unread|5}} in 2011.", f"It had a density of {O} in 2011."),
        ("has invested more than {{inflation|US|9|1999}} in it", f"has invested more than {O} in it"),
        ("the form HA {{eqm}} H+ + A-", f"the form HA {O} H+ + A-"),
        ("It is <math>x^{a_{2}}</math> long.", f"It is {O} long."),
        ("It ended.{{unread}} Then it began.", "It ended. Then it began."),
        ("It ended. {{unread}} Then it began.", "It ended. Then it began."),
        ("It ended. {{unread}} people left.", f"It ended. {O} people left."),
        ("It ended. {{unread}}", "It ended."),
        ('He said "no."{{unread}}', 'He said "no."'),
        ("It was built in {{unread}}", f"It was built in {O}"),
        ("{{unread}} The town is old.", "The town is old."),
        ("{{unread}} is old.", f"{O} is old."),
        ("a town,{{unread}} and a port{{unread}} too", "a town, and a port too"),
        ("5{{unread}} kg", f"5{O} kg"),
        ("Paris ({{IPAc-en|x}} {{respell|y}}; born 1950) left.", "Paris (born 1950) left."),
        ("Rome (Italian: Roma {{IPA|x}}) is old.", "Rome (Italian: Roma) is old."),
        ("Angola {{IPAc-en|x}}, officially the Republic", "Angola, officially the Republic"),
        ("Brahui {{IPA|x}} (b) is", "Brahui (b) is"),
        ("the vowel {{IPA|x}}, and", f"the vowel {O}, and"),
        (":''For other uses, see [[A]].''\nA is b.", "A is b."),
        (":''For'' him it ended.", "For him it ended."),
        (":''For more, see [[A]].'' It is b.", "For more, see A. It is b."),
        ("{{unread}} a   b ({{unread}}   c   d)", f"{O} a b ({O} c d)"),
        ('He said (so.)"  {{unread}}', 'He said (so.)"'),
        ("Ada (pronounced {{IPA|x}}) left.", "Ada left."),
        ("Ada (about {{unread}}) left.", f"Ada (about {O}) left."),
        ("Ada ({{unread}}) left.", "Ada left."),
        ("One.\n{{unread}}\nTwo.", "One.\nTwo."),
        ("''{{citation needed}}'' (Denmark) won", "(Denmark) won"),
        ("''{{FRO}}'' (DEN) won", "Faroe Islands (DEN) won"),
        ("''[[A|''B'']]'' won", "B won"),
        ("5.98{{e|24}} kg", "5.98×10^24 kg"),
        ("10{{sup|24}} kg on 5 km{{sup|2}}", "10^24 kg on 5 km²"),
        ("born {{circa}} 1850", "born c. 1850"),
    ],
)
def test_what_a_reader_gets(markup: str, text: str) -> None:
    assert clean_wikitext(markup) == text


def test_holes_are_counted_by_name() -> None:
    missing: Counter[str] = Counter()
    text = clean_wikitext(
        "It is {{Big  thing|x}} and {{big_thing}} and <math>x^{a_{2}}</math>. {{note here}}", missing=missing
    )
    assert text.count(HOLE) == 3
    assert missing == {"big thing": 2, "math": 1}


def test_a_text_with_a_hole_is_not_whole() -> None:
    assert is_whole("A town.") and is_whole(f"A{NOTHING} town.")
    assert not is_whole(f"A {HOLE} town.") and not is_whole(f"A {hole('x')} town.")


@given(
    st.lists(st.sampled_from([hole("a b"), NOTHING, "(", ")", ",", ".", " ", "Word", "word", "5", "\n", HOLE])).map(
        "".join
    )
)
def test_no_mark_is_left(text: str) -> None:
    settled = settle_all(text.replace("\n", " "))
    assert not set(settled) & set("\ufff9\ufffa\ufffb")


@given(st.text(), st.lists(st.text(max_size=4), max_size=4))
def test_a_name_cannot_break_out_of_its_mark(name: str, around: list[str]) -> None:
    assert not set(settle(f"a {hole(name)} b", Counter())) & set("\ufff9\ufffa\ufffb")
