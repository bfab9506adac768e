"""What speaks for the spans of a paragraph, worked out by hand."""

from __future__ import annotations

import math

import pytest

from stages.models.readers.asked import AskedSpans
from stages.models.readers.habits import Habits, Rarity
from stages.models.readers.spans import see
from tests.stages.models.readers.samples import BRIDGE, MINE, SINGER, solved

# "The Red Mine opened in 1902. Copper ore was carried to Narvik by rail."
VIEW = see(MINE.title, MINE.text)
SPANS = [span.text for span in VIEW.spans]
# Every stem weighs the same: none was ever seen.
EVEN = Rarity([])


def asked(question: str, *examples: object) -> AskedSpans:
    return AskedSpans(question, EVEN, Habits(list(examples)))  # type: ignore[arg-type]


def test_words_beside_a_span() -> None:
    facts = dict(zip(SPANS, asked("When did the Red Mine open?").beside(VIEW).tolist(), strict=True))
    # "red", "mine" and "open" are all in its sentence, "open" two words before it, "mine" three, "red" four.
    assert facts["1902"] == pytest.approx([1.0, (1 / 1.4 + 1 / 1.6 + 1 / 1.8) / 3, 0.0])
    assert facts["Red Mine"][2] == 1.0
    assert facts["Narvik"] == [0.0, 0.0, 0.0]


def test_shares_of_paragraphs() -> None:
    views = [see(passage.title, passage.text) for passage in (MINE, BRIDGE, SINGER)]
    assert asked("When did the Red Mine open?").shares(views) == [1.0, 0.0, 0.0]
    assert asked("Old mine?").shares(views) == [0.5, 0.5, 0.0]
    assert asked("").shares(views) == [0.0, 0.0, 0.0]


def test_what_is_usual() -> None:
    question = asked("When did it open?", solved("When did it close?", "1902", MINE))
    facts = dict(zip(SPANS, question.usual(VIEW).tolist(), strict=True))
    shape, _, known, late, title, long = facts["1902"]
    assert shape == max(values[0] for values in facts.values())
    # The sixth of fourteen words.
    assert (known, late, title, long) == (pytest.approx(math.log(2)), pytest.approx(5 / 14), 0.0, 0.0)
    assert facts["Red Mine"][4:] == [1.0, 1.0]


def test_an_empty_paragraph_has_no_spans() -> None:
    empty = see("", "...")
    assert asked("who").beside(empty).shape == (0, 3) and asked("who").usual(empty).shape == (0, 6)
