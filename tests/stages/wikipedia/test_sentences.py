"""Sentence boundaries."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import redos
from nltk.tokenize.punkt import PunktSentenceTokenizer

from stages.wikipedia.holes import HOLE
from stages.wikipedia.punkt import parameters, tokenizer
from stages.wikipedia.sentences import split_sentences, whole_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Rome is a city. It is old.", ["Rome is a city.", "It is old."]),
        ("He met Dr. Smith in Washington D.C. in 1950.", ["He met Dr. Smith in Washington D.C. in 1950."]),
        ("J. R. R. Tolkien wrote it. Who else?", ["J. R. R. Tolkien wrote it.", "Who else?"]),
        ("It cost $3.5 million. \n\nA list item\nAnother", ["It cost $3.5 million.", "A list item", "Another"]),
        ("He said: “Go.” Then he left.", ["He said: “Go.”", "Then he left."]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("glued.(word) stays", ["glued.(word) stays"]),
        ("Her mother was Elizabeth A. (née McClure).", ["Her mother was Elizabeth A. (née McClure)."]),
        ("Is it true? (internationally True) is a film.", ["Is it true? (internationally True) is a film."]),
        ("It was. (He said so.) So be it.", ["It was.", "(He said so.)", "So be it."]),
        ("Sgt. Pepper is an album. It was new.", ["Sgt. Pepper is an album.", "It was new."]),
        (
            "He and Brig. Gen. Lloyd Tilghman met. Rev. Hale came.",
            ["He and Brig. Gen. Lloyd Tilghman met.", "Rev. Hale came."],
        ),
        (
            "It stands at the foot of Mt. Terminillo. It is old.",
            ["It stands at the foot of Mt. Terminillo.", "It is old."],
        ),
        ("It reached No. 2 in the UK. The next did not.", ["It reached No. 2 in the UK.", "The next did not."]),
        ("They asked, and he said no. The others left.", ["They asked, and he said no.", "The others left."]),
        (
            "Warner Bros. Pictures made it. He left Warner Bros. The end.",
            ["Warner Bros. Pictures made it.", "He left Warner Bros.", "The end."],
        ),
        ("She was born in Los Angeles, CA. Vice came later.", ["She was born in Los Angeles, CA.", "Vice came later."]),
        ("Ada (b. 1950 in Rome. She left.) came. He too.", ["Ada (b. 1950 in Rome. She left.) came.", "He too."]),
        ("It was built ca. 300 and fl. [sic] 400.", ["It was built ca. 300 and fl. [sic] 400."]),
        (
            "Some gases (e.g. Argon. Neon too) glow. Others do not.",
            [
                "Some gases (e.g. Argon. Neon too) glow.",
                "Others do not.",
            ],
        ),
        ('The film "Who Goes There?" was new. It ran.', ['The film "Who Goes There?" was new.', "It ran."]),
        (
            "It never closes (a slip. Then it goes on. To the end.",
            [
                "It never closes (a slip.",
                "Then it goes on.",
                "To the end.",
            ],
        ),
        ("It was sold. eBay bought it.", ["It was sold.", "eBay bought it."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_boundaries(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_a_sentence_with_a_hole_is_left_out() -> None:
    assert whole_sentences(f"One. It has {HOLE} people. Two.") == (["One.", "Two."], 1)
    assert whole_sentences("One. Two.") == (["One.", "Two."], 0)


@given(st.text(alphabet="abAB .!?\n\t\u00a0)(\"'”,;:19-…", max_size=80))
def test_the_words_of_the_sentences_are_the_words_of_the_text(text: str) -> None:
    sentences = split_sentences(text)
    assert " ".join(sentences).split() == text.split()
    assert all(sentence and sentence == " ".join(sentence.split()) for sentence in sentences)


_WORD_TEXT = (
    "Sgt no No u.s U.S Dr St F a i.e The the Rome went 27 3.5 é (and so) “He left” it's ... Bros co Co dec Ö 2nd x-ray "
    "O'Neill - York etc II"
)
_WORDS = st.sampled_from(
    [
        *("Sgt", "no", "No", "u.s", "U.S", "Dr", "St", "F", "a", "i.e", "The", "the", "Rome", "went", "27", "3.5", "é"),
        *("(and", "so)", "“He", "left”", "it's", "...", "Bros", "co", "Co", "dec", "Ö", "2nd", "x-ray", "O'Neill", "-"),
        *("York", "etc", "II"),
    ]
)
_SIGNS = st.sampled_from([" ", ". ", ".", "? ", "!  ", ".” ", ".) ", ", ", "...", ".\u00a0"])


@given(st.lists(st.tuples(_WORDS, _SIGNS)))
def test_the_boundaries_are_punkts_own(pieces: list[tuple[str, str]]) -> None:
    text = "".join(word + sign for word, sign in pieces)
    plain = PunktSentenceTokenizer(parameters())
    assert list(tokenizer().span_tokenize(text)) == list(plain.span_tokenize(text))


@pytest.mark.slow
def test_the_boundaries_are_punkts_own_on_real_pages(shared_data: Path) -> None:
    plain = PunktSentenceTokenizer(parameters())
    with gzip.open(shared_data / "wikidata/pages.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in islice(file, 5000):
            for paragraph in json.loads(line)["text"].split("\n"):
                assert list(tokenizer().span_tokenize(paragraph)) == list(plain.span_tokenize(paragraph))


def test_a_long_line_is_cut_however_slow_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redos, "DEFAULT_TIMEOUT", 0.001)
    assert split_sentences("Mr. A was. " * 2000) == ["Mr. A was."] * 2000
