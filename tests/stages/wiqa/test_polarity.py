"""Of which way a phrase speaks is judged by hand; the phrases are the kinds that workers write."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.wiqa.polarity import SIDES, load_lexicon

LEXICON = load_lexicon()
SPOKEN = {
    "more": (
        "there is no lack of food",
        "a lot more rain",
        "more and more bees",
        "the drought ends",
        "less ice is lost",
        "too much water",
        "nothing stops the growth",
        "the temperature goes up",
        "more light",
        "heavy rain",
        "the population increases",
        "an increase in growth",
        "more seeds are produced",
        "faster erosion",
        "a surplus of food",
        "there are many more clouds",
        "far too much salt gets into the dough",
        "many more caterpillars hatch from the eggs",
    ),
    "less": (
        "hardly any rain falls",
        "the pond dries up",
        "the town ran out of water",
        "seeds fail to grow",
        "barely any light reaches the leaf",
        "there is a lack of food",
        "much less rain",
        "a lot less rain",
        "fewer and fewer bees",
        "the river runs dry",
        "trees are cut down",
        "few seeds survive",
        "little rain",
        "no rain",
        "the rain stops",
        "the glacier shrinks",
        "more ice is lost",
        "more drought",
        "there is not enough water",
        "too little sunlight",
        "there are not as many trees",
        "the animals are unable to spread",
        "more animals die",
        "the temperature drops",
        "the supply of oil is used up",
        "a reduction in rain",
        "it never rains",
        "no longer any rain",
        "the seeds do not get enough water",
        "growth is reduced",
        "growth slows down",
        "prevents growth",
        "slower erosion",
        "the forest is wiped out",
        "insufficient nutrients",
        "without water",
        "the disease does not spread",
        "the bees disappear",
        "birds no longer eat the seeds",
        "less and less rain",
        "the chlorophyll catches hardly any light",
        "the waves lose their force before they reach the rock",
        "less vapor condenses",
    ),
    None: (
        "a few seeds",
        "a little rain",
        "rain falls",
        "the leaves fall",
        "light shines on the leaf",
        "MORE heat and LESS water",
        "a cloud",
        "the sun rises",
        "healthy trees",
        "farmers sow clover",
        "other animals eat the remains",
    ),
}


@pytest.mark.parametrize(("text", "said"), [(text, said) for said, texts in SPOKEN.items() for text in texts])
def test_which_way_a_phrase_speaks(text: str, said: str | None) -> None:
    assert LEXICON.direction(text) == said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("more rain", 1),
        ("not a lot of heavy rain", -1),
        ("less and less rain", -2),
        ("a cloud", 0),
        ("less rain, more sun", 0),
    ],
)
def test_polarity_counts_what_it_finds_clause_by_clause(text: str, expected: int) -> None:
    assert LEXICON.polarity(text) == expected


@given(st.lists(st.sampled_from(sorted(LEXICON.kinds)), max_size=12).map(" ".join))
def test_any_phrases_of_the_lexicon_are_read_to_their_end(text: str) -> None:
    assert abs(LEXICON.polarity(text)) <= len(text.split())


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"neutral": "none"}, "neutral: expected a list of phrases"),
        ({"less": "[up]", "more": "[up]"}, "in two lists: up"),
        ({"more": "[Two Words]"}, "more: expected a list of phrases in lower-case words"),
        ({"more": "["}, "expected"),
        ({"negations": "[]"}, "expected the keys version, more, less"),
    ],
)
def test_a_lexicon_of_another_shape_is_an_error(changed: dict[str, str], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "lexicon.yaml"
    sides = dict.fromkeys(SIDES, "[]") | changed
    path.write_text("version: 1\n" + "".join(f"{side}: {phrases}\n" for side, phrases in sides.items()))
    with pytest.raises(StageError, match=problem):
        load_lexicon(path)
