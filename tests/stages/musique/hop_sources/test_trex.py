from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.texts import Refused
from stages.io.detect import HOPS, kind_of
from stages.musique.hop_sources import trex
from stages.musique.single_hops.stated import Stated
from tests.stages.musique.single_hops.files import read, write

TREX: dict[str, Any] = {
    "docid": "http://www.wikidata.org/entity/Q1",
    "title": "Imagine",
    "text": "A line before.\nImagine was sung by John Lennon in 1971.\nA line after.",
    "triples": [
        {
            "subject": {"surfaceform": "Imagine", "uri": "Q1", "boundaries": [15, 22]},
            "predicate": {"surfaceform": None, "uri": "http://www.wikidata.org/entity/P175"},
            "object": {"surfaceform": "John Lennon", "uri": "Q1203", "boundaries": [35, 46]},
            "annotator": "SPOAligner",
        }
    ],
}


def test_trex_takes_the_line_that_holds_the_object(tmp_path: Path) -> None:
    path = write(tmp_path / "re-nlg_0.json", [TREX])
    found, reasons = read(path)
    assert reasons == {}
    assert found[0]["question"] == "Imagine >> performer"
    assert (found[0]["answer"], found[0]["text"]) == ("John Lennon", "Imagine was sung by John Lennon in 1971.")
    assert found[0]["text"][found[0]["answer_start"] :].startswith("John Lennon")
    assert kind_of(str(path)) == HOPS


def test_a_relation_with_two_values_is_two_hops(tmp_path: Path) -> None:
    second = TREX["triples"][0] | {"object": {"surfaceform": "Imagine", "uri": "Q2", "boundaries": [15, 22]}}
    same = TREX["triples"][0] | {"annotator": "Simple-Aligner"}
    record = TREX | {"triples": [*TREX["triples"], same]}
    assert len(read(write(tmp_path / "one.json", [record]))[0]) == 1
    record = TREX | {"triples": [*TREX["triples"], second]}
    found, reasons = read(write(tmp_path / "two.json", [record]))
    assert reasons == {}
    assert [(row["question"], row["answer"]) for row in found] == [
        ("Imagine >> performer", "John Lennon"),
        ("Imagine >> performer", "Imagine"),
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": None}, "bad_document"),
        ({"triples": {"a": 1}}, "bad_document"),
        ({"triples": ["x"]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"object": "Lennon"}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"object": {"surfaceform": None}}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"object": {"surfaceform": "x", "boundaries": [999, 1000]}}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"predicate": None}]}, "bad_triple"),
        ({"triples": [TREX["triples"][0] | {"predicate": {"uri": "P99999"}}]}, "no_relation_label"),
    ],
)
def test_bad_trex(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    assert read(write(tmp_path / "t.json", [TREX | change])) == ([], {reason: 1})


def stated(labels: Mapping[str, str] | None = None, **change: Any) -> Stated | Refused:
    """What is read of the one statement, changed."""
    (found,) = trex.read(TREX | {"triples": [TREX["triples"][0] | change]}, {"P175": "performer"} | (labels or {}))
    return found


def test_what_an_abstract_says_of_one_statement() -> None:
    assert stated() == Stated(
        source="t-rex",
        # sha256 of the document's id, question and answer, parted by U+001F.
        given_id=hashlib.sha256(f"{TREX['docid']}\x1fImagine >> performer\x1fJohn Lennon".encode()).hexdigest()[:12],
        question="Imagine >> performer",
        answers=["John Lennon"],
        title="Imagine",
        text="Imagine was sung by John Lennon in 1971.",
        start=20,
    )


@pytest.mark.parametrize(
    ("predicate", "relation"),
    [
        ({"uri": "http://www.wikidata.org/prop/direct/P175"}, "performer"),
        ({"uri": "P175", "surfaceform": "sung by"}, "performer"),
        ({"uri": "P1750", "surfaceform": " sung \n by "}, "sung by"),
        ({"uri": None, "surfaceform": "sung by"}, "sung by"),
    ],
)
def test_a_relation_is_called_by_its_label(predicate: dict[str, Any], relation: str) -> None:
    found = stated(predicate=predicate)
    assert isinstance(found, Stated) and found.question == f"Imagine >> {relation}"


@pytest.mark.parametrize("bounds", [None, [], "35", ["35", 46], [True, 46], [35.0, 46]])
def test_an_object_without_bounds_is_sought_in_the_text(bounds: object) -> None:
    found = stated(object={"surfaceform": "John Lennon", "uri": "Q1203", "boundaries": bounds})
    assert isinstance(found, Stated)
    assert (found.text, found.start) == ("Imagine was sung by John Lennon in 1971.", 20)


def test_a_subject_that_the_abstract_does_not_name_is_its_title() -> None:
    found = stated(subject={"surfaceform": None})
    assert isinstance(found, Stated) and found.question == "Imagine >> performer"
    nameless = TREX | {"title": None, "triples": [TREX["triples"][0] | {"subject": {"surfaceform": None}}]}
    (refused,) = trex.read(nameless, {"P175": "performer"})
    assert isinstance(refused, Refused) and refused.reason == "bad_triple"


@pytest.mark.parametrize("at", [30, 38, 56])
def test_bounds_a_few_characters_off_mean_the_nearest_place(at: int) -> None:
    """The object begins at 35, and the lines at 0, 15 and 56."""
    found = stated(object={"surfaceform": "John Lennon", "uri": "Q1203", "boundaries": [at, at + 11]})
    assert isinstance(found, Stated)
    assert (found.text, found.start) == ("Imagine was sung by John Lennon in 1971.", 20)


@pytest.mark.parametrize(("at", "reason"), [(-1, "bad_triple"), (69, "bad_triple"), (68, None), (0, None)])
def test_bounds_outside_of_the_text_are_refused(at: int, reason: str | None) -> None:
    # Three lines of 14, 40 and 13 characters, and two line breaks.
    assert len(TREX["text"]) == 69
    found = stated(object={"surfaceform": "John Lennon", "boundaries": [at, at + 11]})
    assert (found.reason if isinstance(found, Refused) else None) == reason


@given(st.lists(st.sampled_from(["Rome", "Oslo", "one", "two"]), min_size=1, max_size=12), st.data())
def test_the_line_of_an_object_is_cut_where_the_lines_end(words: list[str], data: st.DataObject) -> None:
    signs = data.draw(st.lists(st.sampled_from(" \n"), min_size=len(words), max_size=len(words)))
    text = "".join(word + sign for word, sign in zip(words, signs, strict=True))
    number = data.draw(st.integers(0, len(words) - 1))
    at = sum(len(word) + 1 for word in words[:number])
    item = {"surfaceform": words[number], "boundaries": [at, at + len(words[number])]}
    (found,) = trex.read(TREX | {"text": text, "triples": [TREX["triples"][0] | {"object": item}]}, {"P175": "x"})
    assert isinstance(found, Stated) and isinstance(found.start, int) and isinstance(found.text, str)
    assert found.text in text.split("\n")
    assert found.text[found.start :].startswith(words[number])
    assert text[:at].count("\n") == text.split("\n").index(found.text) or text.split("\n").count(found.text) > 1
