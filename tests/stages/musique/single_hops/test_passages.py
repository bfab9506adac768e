from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.single_hops.passages import PooledPassage, about_one, copies

TYPED = "Zehdenick (U.S.: Zehden) is a town in Brandenburg's north, on the river Havel, south of Fürstenberg."
TOKENISED = (
    "Zehdenick ( U.S. : Zehden ) is a town in Brandenburg 's north , on the river Havel , south of Fürstenberg ."
)


def grouped(*texts: str, share: float = 0.8, titles: tuple[str, ...] = ()) -> list[list[int]]:
    named = titles or ("Rome",) * len(texts)
    return copies([PooledPassage(title, text) for title, text in zip(named, texts, strict=True)], share)


def words(first: int, last: int) -> str:
    return " ".join(f"w{number}" for number in range(first, last + 1))


def test_an_id_is_over_words() -> None:
    one = PooledPassage("Zehdenick", TYPED)
    for same in (TOKENISED, TYPED.upper(), TYPED.replace(" ", "  ")):
        assert PooledPassage("ZEHDENICK", same).id == one.id
    assert PooledPassage("Zehdenick", TYPED.replace("town", "city")).id != one.id
    assert PooledPassage("Havel", TYPED).id != one.id
    # What has no word is known by its characters.
    assert PooledPassage("", "%").id != PooledPassage("", "$").id


@pytest.mark.parametrize("worse", [TOKENISED, TYPED.lower(), TYPED.replace("ü", "u"), TYPED.replace("'s", " 's")])
def test_the_best_typed_is_chosen(worse: str) -> None:
    assert min(PooledPassage("A", worse), PooledPassage("A", TYPED), key=lambda one: one.untidy).text == TYPED


@pytest.mark.parametrize(
    ("share", "same"),
    # 26 runs of five in 30 words; of the other, 20 words long, 16, of which 11 are shared: words 16 to 30.
    [(0.68, True), (0.69, False), (1.0, False)],
)
def test_copies_share_runs_of_five_words(share: float, same: bool) -> None:
    assert len(grouped(words(1, 30), words(16, 35), share=share)) == (1 if same else 2)


def test_the_shorter_one_counts() -> None:
    assert grouped(words(1, 200), words(50, 80), words(300, 400), share=1.0) == [[0, 1], [2]]


def test_copies_of_copies_are_one() -> None:
    assert grouped(words(1, 100), words(15, 115), words(30, 130)) == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Rome", "rome", True),
        ("Rome", "", True),
        ("W3 (town)", "Rome", True),
        ("The W3", "Rome", True),
        ("History of Rome", "Rome", True),
        # Stubs of one mould, as of Polish villages: each speaks of itself.
        ("Lemany, Warmian-Masurian Voivodeship", "Zabiele, Warmian-Masurian Voivodeship", False),
    ],
)
def test_copies_are_about_one_thing(one: str, other: str, same: bool) -> None:
    text = words(1, 40)
    assert about_one(PooledPassage(one, text), PooledPassage(other, text)) is same
    assert len(grouped(text, text, titles=(one, other))) == (1 if same else 2)


def test_what_many_articles_say_makes_no_copies() -> None:
    mould = "is a village in the district of Szczytno within the Voivodeship in northern Poland"
    assert len(grouped(*(f"{mould} v{number}" for number in range(51)))) == 51
    assert len(grouped(*(f"{mould} v{number}" for number in range(3)))) == 1


def test_few_and_short_texts() -> None:
    assert grouped() == []
    assert grouped("Rome") == [[0]]
    assert grouped("Rome", "rome !", "", "%") == [[0, 1], [2], [3]]


@given(st.lists(st.integers(0, 30), min_size=2, max_size=8), st.integers(0, 99))
def test_groups_do_not_depend_on_the_order(starts: list[int], seed: int) -> None:
    texts = sorted({words(start, start + 30) for start in starts})
    turned = random.Random(seed).sample(texts, len(texts))

    def named(order: list[str]) -> set[frozenset[str]]:
        return {frozenset(order[number] for number in group) for group in grouped(*order)}

    assert named(texts) == named(turned)
