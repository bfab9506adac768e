"""What is shown in training, in which batches, and where answers stand."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from stages.models.readers.interface import ReaderPassage, SolvedQuestion
from stages.models.readers.shown import Shown, batches, frequent, place_of, shown
from tests.stages.models.readers.samples import MINE, SINGER, solved


def test_what_is_shown() -> None:
    asked = [solved("when", "1902", MINE, SINGER), SolvedQuestion("who", (SINGER,), ("nobody", "Karl Berg"), (0,))]
    found = shown(asked, 1, random.Random(0))
    assert {(item.question, item.passage.title, item.answer) for item in found} == {
        ("when", "Red Mine", (23, 27)),
        ("when", "Ada Holm", None),
        ("who", "Ada Holm", (74, 83)),
    }
    assert MINE.text[23:27] == "1902" and SINGER.text[74:83] == "Karl Berg"
    assert shown(asked, 0, random.Random(0)) != [] and all(item.answer for item in shown(asked, 0, random.Random(0)))


def test_an_answer_is_marked_as_words_of_their_own_where_it_is_some() -> None:
    assert place_of("Someone of Romeo met one.", ("one",)) == (21, 24)
    assert place_of("Romeo met no one", ("meo", "Romeo")) == (0, 5)
    assert place_of("19th-century towns", ("19th-century town",)) == (0, 17)
    assert place_of("paid (c. $5)", ("(c. $5)",)) == (5, 12)
    assert place_of("abc", ("", "x")) is None


@given(st.lists(st.integers(1, 300), max_size=200), st.integers(1, 7), st.integers(0, 3))
def test_batches_hold_every_pair_once_and_pairs_of_like_lengths(lengths: list[int], size: int, seed: int) -> None:
    epoch = [Shown(str(place), ReaderPassage.of("", "x" * length), None) for place, length in enumerate(lengths)]
    found = batches(epoch, size, random.Random(seed))
    assert sorted(item.question for batch in found for item in batch) == sorted(item.question for item in epoch)
    assert all(0 < len(batch) <= size for batch in found)
    assert found == batches(epoch, size, random.Random(seed))
    if len(epoch) <= size * 50:
        ranges = sorted((len(batch[0].passage.text), len(batch[-1].passage.text)) for batch in found)
        assert all(before[1] <= after[0] for before, after in pairwise(ranges))


def test_frequent_answers() -> None:
    asked = [solved("q", answer, MINE) for answer in ("b", "a", "a", "b", "c", "c", "c", "d")]
    assert frequent(asked, 10) == ["c", "a", "b"]
    assert frequent(asked, 1) == ["c"]
