"""BM25 on a corpus by hand: the answers and the evidence that a cut-off holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.evaluation.outcome import BaselineError
from stages.qampari.baselines.passage_search import run
from stages.qampari.metrics.retrieval import evaluate_retrieval
from stages.release.format import ReleaseError
from tests.stages.release.samples import ANSWERS, as_lines, changed

CORPUS = [
    {"_id": "Jaws#0", "title": "Jaws", "text": "X directed Jaws. A film about a shark."},
    {"_id": "Jaws#1", "title": "Jaws", "text": "It was long."},
    {"_id": "X#0", "title": "X", "text": "A director."},
    {"_id": "Cat#0", "title": "Cat", "text": "Cats sleep."},
]
QUESTION = changed(ANSWERS, "question_text", to="Which film of a shark was long?")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    corpus, dev = tmp_path / "corpus.jsonl", tmp_path / "dev.jsonl"
    corpus.write_text(as_lines(*CORPUS))
    dev.write_text(as_lines(QUESTION))
    return corpus, dev


def test_recall_by_hand(files: tuple[Path, Path], tmp_path: Path) -> None:
    found = run("bm25", *files, k=[1, 2])
    # "film" and "shark" stand in the first passage, "long" in the second; the proof "X directed Jaws." in the first.
    [ranking] = found.predictions
    assert [row["id"] for row in ranking["passages"]] == ["Jaws#0", "Jaws#1"]
    assert found.report.as_dict() == {
        "questions": 1,
        "evidence_questions": 1,
        "answer_recall": {"1": 1.0, "2": 1.0},
        "evidence_recall": {"1": 1.0, "2": 1.0},
        "missing": (),
        "unknown": (),
        "repeated": (),
    }
    rankings = tmp_path / "found.jsonl"
    rankings.write_text(found.lines())
    assert evaluate_retrieval(files[1], rankings, [1, 2]) == found.report


def test_a_question_without_a_word_of_the_corpus_finds_nothing(files: tuple[Path, Path]) -> None:
    files[1].write_text(as_lines(changed(ANSWERS, "question_text", to="Quid novi?")))
    report = run("bm25", *files, k=5).report.as_dict()
    assert (report["answer_recall"], report["evidence_recall"], report["missing"]) == ({"5": 0.0}, {"5": 0.0}, ())


def test_a_title_is_searched_with_its_text(files: tuple[Path, Path]) -> None:
    files[1].write_text(as_lines(changed(ANSWERS, "question_text", to="Jaws?")))
    [ranking] = run("bm25", *files).predictions
    assert sorted(row["id"] for row in ranking["passages"]) == ["Jaws#0", "Jaws#1"]


@pytest.mark.parametrize("asked", [{}, {"question": ""}, {"question_text": 5}])
def test_answers_alone_cannot_be_searched_for(files: tuple[Path, Path], asked: dict[str, Any]) -> None:
    files[1].write_text(json.dumps([{"id": "a", "answers": [["x"]]} | asked]))
    with pytest.raises(BaselineError, match=r"dev\.jsonl: expected the question of each entry under 'question_text'"):
        run("bm25", *files)


def test_refusals(files: tuple[Path, Path]) -> None:
    with pytest.raises(BaselineError, match="a corpus of passages; expected CORPUS first"):
        run("bm25", *reversed(files))
    with pytest.raises(BaselineError, match="'dense' is no baseline; there are bm25"):
        run("dense", *files)
    with pytest.raises(BaselineError, match="k: expected a whole number"):
        run("bm25", *files, k=0)
    files[1].write_text("")
    with pytest.raises(ReleaseError, match="no question"):
        run("bm25", *files)
