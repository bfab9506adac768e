from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.datasets import dataset
from pipelines.musique.names import bridge_names
from pipelines.params import load
from stages.io.detect import HOPS, Inputs, detect

VALUES = load(dataset("musique").defaults, None, ())
FILLER = "It is a town of which much more could be told, were this a longer text than it is, but that will do here."


def hop(question: str, answer: str, text: str, title: str = "") -> dict[str, str]:
    return {"question": question, "answer": answer, "title": title, "paragraph": f"{text} {FILLER}", "source": "test"}


HOPS_OF_A_TEST = [
    hop("Ada >> place of birth", "Orin", "Ada was born in Orin."),
    hop("Bea >> place of birth", "the Orin", "Bea was born in the Orin."),
    hop("Who is the mayor of Orin?", "Cay Lund", "Cay Lund is the mayor of Orin."),
    hop("Which river runs through Orin?", "Sill", "The Sill runs through Orin."),
    hop("Where does the Sill end?", "Dorn Bay", "The Sill ends in Dorn Bay."),
    hop("What is Dorn Bay called?", "a bay", "Dorn Bay is called a bay."),
]


def inputs(folder: Path, *hops: dict[str, str]) -> Inputs:
    path = folder / "hops.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in hops), encoding="utf-8")
    return detect([str(path)])


def test_answers_that_other_questions_mention(tmp_path: Path) -> None:
    """Two heads and two tails for Orin, in two spellings; one of each for the others; nobody asks of Cay Lund."""
    assert bridge_names(inputs(tmp_path, *HOPS_OF_A_TEST), VALUES) == ["Orin", "the Orin", "Dorn Bay", "Sill"]


def test_the_order_of_files_and_hops_does_not_count(tmp_path: Path) -> None:
    assert bridge_names(inputs(tmp_path, *HOPS_OF_A_TEST[::-1]), VALUES) == ["Orin", "the Orin", "Dorn Bay", "Sill"]


@pytest.mark.parametrize("given", [Inputs(), Inputs({HOPS: ()})])
def test_without_hops_there_are_no_names(given: Inputs) -> None:
    assert bridge_names(given, VALUES) == []


def test_bad_records_are_left_to_the_build(tmp_path: Path) -> None:
    given = inputs(tmp_path, *HOPS_OF_A_TEST, {"question": "?", "paragraph": "x"})
    assert len(bridge_names(given, VALUES)) == 4
