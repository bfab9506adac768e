"""Names inside longer names: cases worked out by hand from the rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.core.template_files import folder
from stages.facts.longer_names import FILE, Longer, load_words, opens_sentence, within_longer
from stages.facts.matching import PreparedPage

WORDS = load_words()


def matched(name: str, sentence: str, known: tuple[str, ...] = ()) -> bool:
    return any(PreparedPage([sentence]).mentions([name], WORDS, known))


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        # Short names that are words of the language.
        ("in", "Companies in the north", False),
        ("is", "It is large", False),
        ("it", "it was sold", False),
        ("de", "He went to Rio de Janeiro", False),
        ("by", "by him", False),
        ("at", "at sea", False),
        ("he", "then he left", False),
        ("can", "They can leave", False),
        ("IT", "the IT sector", False),
        ("us", "They told us", False),
        ("US", "the US army", True),
        ("UK", "the UK government", True),
        ("pop", "a pop song", True),
        # Longer words of the language name something where they are written as names.
        ("Once", "He starred in Once with her", True),
        ("Once", "He was once a star", False),
        ("Once", "Once he was a star", False),
        ("Them", 'He said: "Them again"', False),
        # Words beside a name.
        ("America", "Companies from North America", False),
        ("America", "He came to America from South America", True),
        ("South", "a South West wind", False),
        ("South", "a south west wind", False),
        ("Bosnia", "in Bosnia and Herzegovina", False),
        ("Bosnia", "in Bosnia and Serbia", True),
        ("Africa", "It borders on South Africa", False),
        ("Africa", "It lies in West Africa", True),
        ("Asia", "in Southeast Asia", True),
        ("Russia", "in Southern Russia", True),
        ("Ireland", "in Northern Ireland", False),
        ("Germany", "in former East Germany", False),
        ("York", "in New York", False),
        ("China", "the South China Sea", False),
        ("China", "the East China Sea", False),
        ("Mexico", "the Gulf of Mexico", False),
        ("Mexico", "the cities of Mexico", True),
        ("France", "an Air France jet", False),
        ("Guinea", "in Guinea-Bissau", False),
        ("Guinea", "in Papua New Guinea", False),
        ("Simon", "a song by Simon & Garfunkel", False),
        ("Paul Simon", "Paul Simon & Art Garfunkel", True),
        ("French", "a French-American actor", True),
        ("German", "Franco-German relations", True),
        ("Texas", "in Dallas, Texas", True),
        ("New York", "The New York Times", False),
        ("New York", "the New York senator", True),
        ("Republic of China", "the People's Republic of China", False),
        # Common nouns within names.
        ("actor", "the Academy Award for Best Actor", False),
        ("actor", "Actor Tom Hanks came", True),
        ("city", "Mexico City grew", False),
        ("army officer", "a British Army officer", True),
        ("football", "an American football player", False),
        ("story writer", "a short story writer", False),
        ("story writer", "a story writer", True),
        ("writer", "a short story writer", True),
        ("short story", "a short story writer", True),
    ],
)
def test_rule(name: str, sentence: str, expected: bool) -> None:
    assert matched(name, sentence) is expected


@pytest.mark.parametrize(
    ("name", "known", "sentence", "expected"),
    [
        # Its own name says of what kind the page's subject is.
        ("kingdom", "Kingdom of Greece", "The Kingdom of Greece was a state.", True),
        ("kingdom", "Kingdom of Greece", "It fought the Ottoman Kingdom.", False),
        ("empire", "Swedish Empire", "The Swedish Empire was large.", True),
        ("city", "Guadalajara", "It is smaller than Mexico City.", False),
        ("Greece", "Kingdom of Greece", "The Kingdom of Greece was a state.", False),
        ("Sudan", "Republic of South Sudan", "the Republic of South Sudan", False),
        ("Germany", "city of Germany", "the largest city of Germany", True),
        ("American football", "American football team", "an American football team", True),
        ("Dublin", "Trinity College Dublin", "educated at Trinity College Dublin", False),
        ("Texas", "Dallas, Texas", "born in Dallas, Texas", True),
        ("director", "film director", "a film director", True),
        ("Bahamas", "The Bahamas", "The Bahamas are islands", True),
    ],
)
def test_what_the_page_itself_is_called(name: str, known: str, sentence: str, expected: bool) -> None:
    assert matched(name, sentence, (known,)) is expected


def test_without_lists_every_match_is_a_mention() -> None:
    assert any(PreparedPage(["in North America"]).mentions(["America"]))


def test_a_span_is_taken_by_the_one_that_reaches_over_it() -> None:
    text = "New York City Hall"
    longer = Longer({(0, 13), (0, 8), (9, 18)})
    assert [longer.takes(span, text) for span in ((0, 8), (0, 13), (4, 8), (9, 13), (14, 18))] == [
        True,
        False,
        True,
        True,
        True,
    ]


def test_places_that_open_a_sentence() -> None:
    text = 'One here.\n"Two" there: three'
    assert [opens_sentence(text, text.index(word)) for word in ("One", "here", "Two", "there", "three")] == [
        True,
        False,
        True,
        False,
        True,
    ]


def test_the_words_beside_decide_only_for_names() -> None:
    assert not within_longer("the north america of old", (10, 17), False, WORDS)
    assert within_longer("the North America of old", (10, 17), False, WORDS)


def test_the_file_is_read_strictly(tmp_path: Path) -> None:
    text = (folder() / FILE).read_text(encoding="utf-8")
    (tmp_path / "mentions.yaml").write_text(text.replace("initials:", "initial:"), encoding="utf-8")
    with pytest.raises(StageError, match=r"mentions\.yaml: expected version and words, initials"):
        load_words(tmp_path / "mentions.yaml")
    (tmp_path / "mentions.yaml").write_text(text.replace('"no"', "no"), encoding="utf-8")
    with pytest.raises(StageError, match=r"mentions\.yaml: words: expected a list of texts"):
        load_words(tmp_path / "mentions.yaml")
