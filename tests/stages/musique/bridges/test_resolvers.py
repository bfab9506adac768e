from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.bridges.known_names import names
from stages.musique.bridges.resolvers import FullerNames, Search, Surroundings, Vocabulary, Wikifier, cosine, failed
from tests.stages.musique.bridges.world import ENTITIES, GOLD, PAGES, REDIRECTS


def place(text: str, entity: str = "victoria", kind: str = "GPE", title: str = "") -> Surroundings:
    return Surroundings(entity, kind, title, text)


def test_a_search_prefers_the_qualifier_that_is_met() -> None:
    search = Search(names(GOLD, PAGES, REDIRECTS, ENTITIES).tables["known_names"].to_pylist())
    assert search.first(place("He came from Texas .")) == "Victoria, Texas"
    assert search.first(place("He came from Australia .")) == "Victoria (Australia)"
    assert search.first(place("nothing", entity="rome")) is None
    assert not search.same(place("In Texas"), place("In Australia"))
    assert search.same(place("x", entity="rome"), place("y", entity="rome"))


def test_a_page_stands_for_itself_and_for_those_that_speak_of_its_qualifier() -> None:
    rows = [{"name": "nashville", "target": "Nashville (season 6)", "kind": "title", "about": ""}]
    search = Search(rows)
    series = place("The season premiered on CMT .", "nashville", title="Nashville (season 6)")
    city, club = place("Born in Tennessee .", "nashville"), place("A club of Georgia .", "nashville")
    assert search.first(series) == "Nashville (season 6)"
    assert search.first(city) is None
    assert not search.same(city, series) and search.same(city, club)
    # "Australian" speaks of Australia, and "Texans" of no Tex.
    of_victoria = Search([{"name": "victoria", "target": "Victoria (Australia)", "kind": "title", "about": ""}])
    assert of_victoria.first(place("An Australian politician .")) == "Victoria (Australia)"
    assert not place("The Texans won .").speaks_of("tex")


def test_a_works_title_is_shared_by_others() -> None:
    vocabulary = Vocabulary(["Alma sang in Kyiv for France", "Franke scored in Berlin", "France and Kyiv", "Oslo"])
    wikifier = Wikifier([], vocabulary, 0.04)
    song, score = "Alma sang in Kyiv for France .", "Franke scored in Berlin ."
    for kind, same in (("WORK_OF_ART", False), ("GPE", True)):
        assert wikifier.same(place(song, "requiem", kind), place(score, "requiem", kind)) is same
        assert wikifier.same(place(song, "requiem", kind), place("It was heard in Kyiv .", "requiem", kind))


def test_a_wikifier_goes_by_the_surroundings() -> None:
    known = names(GOLD, PAGES, REDIRECTS, ENTITIES).tables["known_names"].to_pylist()
    vocabulary = Vocabulary([*(row["about"] for row in known), "other words"])
    wikifier = Wikifier(known, vocabulary, 0.02)
    melbourne, texas = place("from melbourne in the state"), place("a city of texas")
    assert wikifier.link(melbourne) == "Victoria (Australia)"
    assert wikifier.link(texas) == "Victoria, Texas"
    assert not wikifier.same(melbourne, texas)
    # Nothing tells which is meant: a place passes.
    assert wikifier.link(place("nothing known")) is None
    assert wikifier.same(texas, place("nothing known"))


def test_shared_names_need_common_ground() -> None:
    vocabulary = Vocabulary(["the labour party of Norway", "a labour party", "Rock and Radiohead", "Oslo"])
    wikifier = Wikifier([], vocabulary, 0.02)
    norway, britain = "Bolle sat in Oslo for Norway .", "Corbyn sat in London ."
    party = {"entity": "labour party", "kind": "ORG"}
    assert not wikifier.same(place(norway, **party), place(britain, **party))
    assert wikifier.same(place(norway, **party), place("The king is in Oslo", **party))
    assert wikifier.same(place(norway, **party, title="A"), place(britain, **party, title="A"))
    assert wikifier.same(place(norway, "radiohead", "ORG"), place(britain, "radiohead", "ORG"))
    assert wikifier.same(place(norway, "labour", "GPE"), place(britain, "labour", "GPE"))
    assert not wikifier.same(place(norway, "paul", "PERSON"), place(britain, "paul", "PERSON"))
    assert wikifier.same(place(norway, "paul simon", "PERSON"), place(britain, "paul simon", "PERSON"))


def test_vectors_have_length_one() -> None:
    vocabulary = Vocabulary(["a b", "b c", "c d"])
    vector = vocabulary.vector({"a": 1, "b": 2})
    assert cosine(vector, vector) == pytest.approx(1.0)
    assert cosine(vector, vocabulary.vector({"d": 1})) == 0.0
    assert vocabulary.vector({}) == {}


def test_weights_are_told_by_the_paragraphs_that_hold_a_word() -> None:
    vocabulary = Vocabulary(["rome Oslo", "rome rome", "Rome"])
    # ln((3 + 1) / (n + 1)) for the n of three paragraphs that hold the word.
    assert vocabulary.weight("rome") == 0.0
    assert vocabulary.weight("oslo") == pytest.approx(math.log(2))
    assert vocabulary.weight("bern") == pytest.approx(math.log(4))
    # Once: ln 2. Twice: (1 + ln 2) ln 4, which is 2 (1 + ln 2) as much.
    ratio = 2 * (1 + math.log(2))
    length = math.hypot(1, ratio)
    assert vocabulary.vector({"oslo": 1, "bern": 2}) == pytest.approx({"oslo": 1 / length, "bern": ratio / length})


def test_common_words_are_those_that_two_paragraphs_write_without_a_capital() -> None:
    vocabulary = Vocabulary(["the labour Party", "labour party", "a party of Montreal", "of montreal"])
    assert [
        vocabulary.is_common(name) for name in ("labour party", "party of the", "montreal", "bank", "party bank")
    ] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_word_is_no_common_one_that_is_written_small_now_and_then() -> None:
    # Small in 2 of 40 paragraphs; in 4 of 40.
    rare = Vocabulary([*["The United States"] * 38, "they united", "we united"])
    often = Vocabulary([*["The United States"] * 36, *["they united"] * 4])
    assert not rare.is_common("united") and often.is_common("united")


def test_surroundings_leave_the_name_itself_out() -> None:
    found = place("In Rome the Queen saw Victoria and rome", title="Victoria Line")
    assert found.words == Counter({"in": 1, "rome": 2, "the": 1, "queen": 1, "saw": 1, "and": 1, "line": 1})
    assert found.proper == {"rome", "queen", "line"}


def known(*rows: tuple[str, str]) -> list[dict[str, str]]:
    return [{"name": "lima", "target": target, "kind": kind, "about": ""} for target, kind in rows]


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ([("Lima", "title"), ("Lima, Ohio", "title"), ("Lima Peak", "redirect")], "Lima, Ohio"),
        ([("Lima", "title"), ("Lima, Utah", "title")], "Lima"),
        # What a title is qualified by has to be met, or the page is one of a namesake.
        ([("Lima, Utah", "title"), ("Lima (Iowa)", "title")], None),
        ([("Lima, Utah", "title"), ("Lima Peak", "redirect")], "Lima Peak"),
        ([("Alpha", "redirect"), ("Lima", "title")], "Lima"),
        ([("Lima", "alias")], None),
    ],
)
def test_results_of_a_search_in_their_order(rows: list[tuple[str, str]], first: str | None) -> None:
    for order in (rows, rows[::-1]):
        assert Search(known(*order)).first(place("He lived in Ohio .", "lima")) == first


def test_the_page_that_is_called_by_the_name_alone_is_ahead() -> None:
    vocabulary = Vocabulary(["x"])
    wikifier = Wikifier(known(("Lima", "title"), ("Lima, Ohio", "title")), vocabulary, 0.0)
    assert wikifier.link(place("", "lima")) == "Lima"
    # Two redirects are alike, and one candidate needs no lead.
    alike = known(("Peru", "redirect"), ("Ohio", "redirect"))
    assert Wikifier(alike, vocabulary, 0.0).link(place("", "lima")) is None
    assert Wikifier(alike[:1], vocabulary, 0.0).link(place("", "lima")) == "Peru"
    assert wikifier.link(place("", "oslo")) is None


def test_the_first_check_that_fails_gives_the_reason() -> None:
    class Never:
        def __init__(self, reason: str) -> None:
            self.reason = reason

        def same(self, head: Surroundings, tail: Surroundings) -> bool:
            return False

    search = Search([])
    here = place("x")
    assert failed([], here, here) is None
    assert failed([search], here, here) is None
    assert failed([search, Never("one"), Never("two")], here, here) == "one"


WORDS = st.dictionaries(st.sampled_from(["rome", "oslo", "bern", "kyiv"]), st.integers(1, 5))


@given(WORDS, WORDS)
def test_cosines_are_symmetric_shares(one: dict[str, int], other: dict[str, int]) -> None:
    vocabulary = Vocabulary(["rome oslo", "oslo", "bern"])
    first, second = vocabulary.vector(one), vocabulary.vector(other)
    assert cosine(first, second) == cosine(second, first)
    assert 0.0 <= cosine(first, second) <= 1.0 + 1e-12
    assert cosine(first, first) == pytest.approx(1.0 if one else 0.0)


PLACES = st.lists(st.sampled_from(["Texas", "Australia", "Melbourne", "queen", "city"]), max_size=4).map(" ".join)


@given(PLACES, PLACES)
def test_checks_have_no_first_and_second_side(one: str, other: str) -> None:
    rows = names(GOLD, PAGES, REDIRECTS, ENTITIES).tables["known_names"].to_pylist()
    checks = [Search(rows), Wikifier(rows, Vocabulary([row["about"] for row in rows]), 0.02)]
    for check in checks:
        assert check.same(place(one), place(other)) == check.same(place(other), place(one))
        assert check.same(place(one), place(one))


@pytest.mark.parametrize(
    ("one", "other", "kind", "same"),
    [
        ("Nathaniel Bacon rebelled .", "Francis Bacon wrote .", "PERSON", False),
        ("Nathaniel Bacon rebelled .", "General Nathaniel Bacon died .", "PERSON", True),
        ("When Bacon rebelled", "Francis Bacon wrote .", "PERSON", True),
        ("He lives in Bacon, Ohio .", "He lives in Bacon, Peru .", "GPE", False),
        ("He lives in Bacon, Ohio .", "She left Bacon , Ohio .", "GPE", True),
        ("He lives in Bacon, Ohio .", "from Bacon , Ohio .", "GPE", True),
    ],
)
def test_fuller_names_tell_two_things_apart(one: str, other: str, kind: str, same: bool) -> None:
    places = [place(text, "bacon", kind) for text in (one, other)]
    assert FullerNames().same(*places) is same
    # A name of several words is told enough.
    assert FullerNames().same(*(place(text, "roger bacon", kind) for text in (one, other)))
