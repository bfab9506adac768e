"""The rules' files: what is in them, and what is refused."""

from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.core.template_files import folder
from stages.musique.composition.grammar import FOLDER, load_grammar

GRAMMAR = load_grammar()


def test_a_listed_relation_has_its_own_words() -> None:
    assert GRAMMAR.wording("performer").ask == "Who performed {x}?"
    assert GRAMMAR.wording(" performer ").name == "the performer of {x}"


@pytest.mark.parametrize(
    ("relation", "ask", "name"),
    [
        ("translated by", "Who or what was {x} translated by?", "the one that {x} was translated by"),
        (
            "licensed to broadcast to",
            "What is {x} licensed to broadcast to?",
            "the one that {x} is licensed to broadcast to",
        ),
        ("colour", "What is the colour of {x}?", "the colour of {x}"),
    ],
)
def test_other_relations_are_worded_by_the_end_of_their_label(relation: str, ask: str, name: str) -> None:
    wording = GRAMMAR.wording(relation)
    assert (wording.ask, wording.name) == (ask, name)


def test_every_wording_asks_and_names() -> None:
    for wording in GRAMMAR.relations.values():
        asks = [wording.ask, *wording.asks.values(), *([wording.long] if wording.long else [])]
        assert all(ask.endswith("?") for ask in asks)
        assert all(name.split()[0] in ("the", "a", "an") for name in (wording.name, *wording.names.values()))


def test_a_name_ends_in_its_subject_so_that_phrases_in_phrases_can_be_read() -> None:
    for wording in GRAMMAR.relations.values():
        assert all(name.endswith(" {x}") for name in (wording.name, *wording.names.values()))


def test_common_relations_of_real_hops_are_listed(shared_data: Path) -> None:
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt") as file:
        questions = [json.loads(line)["question"] for line in file]
    counts = Counter(question.split(">>")[1].strip() for question in questions if ">>" in question)
    assert counts.total() == 16_961
    assert {relation for relation, count in counts.items() if count > 1} <= set(GRAMMAR.relations)


@pytest.mark.parametrize(
    ("word", "known"), [("born", True), ("Located", True), ("united", False), ("red", False), ("river", False)]
)
def test_participles(word: str, known: bool) -> None:
    assert GRAMMAR.is_participle(word) is known


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("relations.yaml", 'name: "the author of {x}"', 'name: "the author"', "author"),
        ("relations.yaml", '    ask: "Who wrote {x}?"\n', "", "author"),
        ("relations.yaml", '      PERSON: "a certain member of {x}"', '      PERSON: "a member"', "has part"),
        ("names.yaml", "common:", "usual:", "common"),
        ("questions.yaml", "version: 1", "- 1", "questions.yaml"),
    ],
)
def test_a_file_with_a_fault_is_refused(file: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    for name in ("relations.yaml", "questions.yaml", "names.yaml"):
        shutil.copy(folder() / FOLDER / name, tmp_path / name)
    text = (tmp_path / file).read_text()
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1))
    with pytest.raises(StageError, match=told):
        load_grammar(tmp_path)


def test_what_is_asked_for_may_depend_on_types_and_length() -> None:
    part, start, country = (GRAMMAR.wording(name) for name in ("part of", "inception", "country"))
    assert part.named("GPE") == "the larger place that includes {x}"
    assert part.named("") == "the larger whole that includes {x}"
    assert start.asked("ORG", False) == "When was {x} founded?"
    assert (country.asked("", True), country.asked("", False)) == (
        "What is the country of {x}?",
        "Which country does {x} belong to?",
    )
