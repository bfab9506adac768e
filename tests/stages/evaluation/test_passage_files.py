"""Corpora are read in BEIR's form and in our earlier one; what they may not hold is told of every user of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stages.evaluation.outcome import BaselineError
from stages.evaluation.passage_files import Passage, PassageFile, search_passages


def corpus(path: Path, *lines: object) -> PassageFile:
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    return PassageFile(path)


def test_both_names_of_an_id_are_read_and_a_title_may_be_missing(tmp_path: Path) -> None:
    found = corpus(
        tmp_path / "c.jsonl", {"_id": "a", "title": "T", "text": "x"}, {"id": "b", "title": None, "text": "y"}
    )
    assert list(found) == [Passage("a", "T", "x"), Passage("b", "", "y")]
    assert (found.size, [one.titled for one in found]) == (2, ["T x", "y"])


def test_words_say_what_is_searched(tmp_path: Path) -> None:
    found = corpus(
        tmp_path / "c.jsonl", {"_id": "a", "title": "Owl", "text": "It hunts."}, {"_id": "b", "text": "Owl eggs."}
    )
    assert [[hit.id for hit in hits] for hits in search_passages(found, ["owls"], 5)] == [["b"]]
    titled = search_passages(found, ["owls"], 5, lambda one: one.titled)
    assert [[hit.id for hit in hits] for hits in titled] == [["a", "b"]]


@pytest.mark.parametrize(
    "line", [{"_id": 1, "text": "x"}, {"_id": "a", "text": None}, {"_id": "a", "title": 3, "text": ""}]
)
def test_a_line_of_another_shape_is_named(tmp_path: Path, line: object) -> None:
    with pytest.raises(BaselineError, match=r"c\.jsonl, line 2: expected a passage's id and text as strings"):
        list(corpus(tmp_path / "c.jsonl", {"_id": "z", "text": "x"}, line))
