"""Words for a sort of relation: cases read off real wordings, in sentences of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.core.template_files import folder
from stages.facts.relations.templates import load_relations
from stages.facts.sorts import FILE, load_sorts

SORTS = load_sorts()


@pytest.mark.parametrize(
    ("prop", "sentence", "names", "expected"),
    [
        ("P1412", "She was a French actress.", ("French",), False),
        ("P1412", "She spoke French and German.", ("French",), True),
        ("P1412", "He was a German-language novelist.", ("German",), True),
        ("P1412", "He was a Telugu actor.", ("Telugu",), False),
        ("P364", "It is a 1960 French film.", ("French",), False),
        ("P364", "It is a 1960 Malayalam film.", ("Malayalam",), True),
        ("P364", "It is a French-language film.", ("French",), True),
        ("P37", "Brunei is ruled by English common law.", ("English",), False),
        ("P37", "The official language is English.", ("English",), True),
        ("P172", "He was an English architect.", ("English",), False),
        ("P172", "He was born to Armenian parents.", ("Armenian",), True),
        ("P172", "She was an African American lawyer.", ("African American",), True),
        ("P27", "He was born in Bonn, Germany.", ("Germany",), False),
        ("P27", "He was a German politician.", ("Germany",), True),
        ("P27", "He was a German politician.", ("German",), True),
        ("P27", "He became a citizen of Germany.", ("Germany",), True),
        ("P27", "He is a Zambian runner.", ("Zambia",), True),
        ("P27", "He runs in Zambia.", ("Zambia",), False),
        ("P27", "He is a runner from Zambia.", ("Zambia",), True),
        ("P27", "He is Zambia's fastest runner.", ("Zambia",), True),
        ("P27", "She wrote in Equatorial Guinea, an Equatorial Guinean poet.", ("Equatorial Guinea",), True),
        ("P1412", "She was a Polish poet and translator.", ("Polish",), False),
        ("P1412", "She was fluent in English, German and Polish.", ("Polish",), True),
        ("P1412", "He translated novels from Polish.", ("Polish",), True),
        ("P172", "He is the father of English poetry.", ("English", "English people"), False),
        ("P172", "She fought for African-American civil rights.", ("African-American",), False),
        ("P172", "He wrote on the English people.", ("English people",), True),
        ("P172", "He was an Arab scholar.", ("Arab",), True),
        ("P27", "She is an Austrian-born chemist.", ("Austria", "Austrian"), False),
        ("P27", "She is an Austrian-born American chemist.", ("American",), True),
        ("P1303", "Her piano pieces are her best known works.", ("piano",), False),
        ("P1303", "She was a pianist who wrote for the piano.", ("piano",), True),
        ("P108", "He gave a lecture at the University of Bern.", ("University of Bern",), False),
        ("P108", "He taught at the University of Bern.", ("University of Bern",), True),
        ("P530", "It borders on Mali to the east.", ("Mali",), False),
        ("P530", "It has an embassy in Mali.", ("Mali",), True),
        ("P19", "He studied at Trinity College Dublin.", ("Dublin",), False),
        ("P19", "Ann Lee (3 May 1850, Dublin – 1 June 1900) was a poet.", ("Dublin",), True),
        ("P20", "He lived in Rome.", ("Rome",), False),
        ("P119", "His tomb is in Rome.", ("Rome",), True),
        ("P57", "Anything at all.", ("Rome",), True),
    ],
)
def test_words_for_a_sort(prop: str, sentence: str, names: tuple[str, ...], expected: bool) -> None:
    assert SORTS.says(prop, sentence, names) is expected


@pytest.mark.parametrize(
    ("prop", "label", "expected"),
    [
        ("P27", "Germany", ["German"]),
        ("P27", "United States of America", ["American"]),
        ("P27", "Kingdom of Italy", []),
        ("P172", "Germany", []),
        ("P17", "Germany", []),
    ],
)
def test_adjectives_that_name_an_object(prop: str, label: str, expected: list[str]) -> None:
    assert SORTS.said_as(prop, label) == expected


def test_all_properties_have_templates() -> None:
    assert set(SORTS.properties) <= set(load_relations().properties)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sorts:", "kinds:", "expected version and sorts"),
        ("adjectives: word", "adjectives: words", "citizenship: adjectives: expected word or doubt, found 'words'"),
        ("properties: [P27]", "properties: [P37]", "citizenship: P37: a property is of one sort"),
        ("dates: true", "date: true", "birth: expected properties and words, and at most adjectives, dates"),
        ("properties: [P27]", "properties: P27", "citizenship: properties: expected a list of texts"),
    ],
)
def test_the_file_is_read_strictly(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "sorts.yaml"
    text = (folder() / FILE).read_text(encoding="utf-8").partition("\nversion")[2]
    path.write_text(f"version{text}".replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StageError, match=message):
        load_sorts(path)
