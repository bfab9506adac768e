"""Recall of passages: which questions count, what a cut-off holds, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.evaluation.outcome import BaselineError
from stages.ifqa.passage_search import RecallReport, run

CORPUS = [
    {"_id": "a", "title": "Bridge", "text": "The bridge over the river was opened in spring."},
    {"id": "b", "title": "Ferry", "text": "A ferry crossed the river until the bridge came."},
    {"id": "c", "title": "Cat", "text": "Cats sleep."},
    {"id": "d", "title": "Cat", "text": "Cats  sleep."},
    {"id": "e", "title": "Owl", "text": "An owl hunts by night."},
]


def asked(idx: int, question: str, *context: str) -> dict[str, Any]:
    return {"idx": idx, "question": question, "answers": ["x"], "context": list(context)}


QUESTIONS = [
    asked(0, "If the bridge had opened in spring, when?", CORPUS[0]["text"]),
    # "bridge" and "river" find both; the ferry's passage comes first, the other second.
    asked(1, "If the ferry had crossed the river after the bridge?", CORPUS[0]["text"], CORPUS[1]["text"]),
    asked(2, "If dogs barked?", "Cats sleep."),
    asked(3, "If nobody knew?", "A passage from elsewhere."),
]


def written(path: Path, rows: list[Any], *, lines: bool = False) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows) if lines else json.dumps(rows)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path / "corpus.jsonl", CORPUS, lines=True), written(tmp_path / "dev.json", QUESTIONS)


def test_recall_by_hand(files: tuple[Path, Path]) -> None:
    found = run("bm25", *files, k=[2, 1])
    # The third question shares no word with its passage, so it is never found; the fourth has none to find.
    assert found.report == RecallReport(5, 3, {1: 2 / 3, 2: 2 / 3}, {1: 1 / 3, 2: 2 / 3}, ("3",))
    assert {row["id"]: row["passages"] for row in found.predictions} == {
        "0": ["a", "b"],
        "1": ["b", "a"],
        "2": [],
        "3": [],
    }
    assert json.loads(found.lines().splitlines()[1]) == {"id": "1", "passages": ["b", "a"]}
    assert found.as_dict()["settings"] == {"k": [1, 2]}
    assert found.as_dict()["report"]["one"] == {"1": 2 / 3, "2": 2 / 3}
    assert found.report.as_text().splitlines() == [
        "3 questions, 5 passages",
        "    K   Recall   of all",
        "    1     66.7     33.3",
        "    2     66.7     66.7",
        "no passage in the corpus: 1 (3)",
    ]


def test_a_passage_that_stands_twice_is_found_by_either_copy(tmp_path: Path) -> None:
    corpus = written(tmp_path / "corpus.jsonl", CORPUS, lines=True)
    dev = written(tmp_path / "dev.json", [asked(0, "If cats had slept?", "Cats sleep.")])
    assert run("bm25", corpus, dev, k=1).report.one == {1: 1.0}


@pytest.mark.parametrize("k", [0, -1, True, "5", [], [5, 0], 2.5])
def test_cut_offs_are_whole_numbers(files: tuple[Path, Path], k: Any) -> None:
    with pytest.raises(BaselineError, match="k: expected a whole number from 1 on"):
        run("bm25", *files, k=k)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: expected a CORPUS, which comes first, one JSON object a line"),
        ('{"id": 1, "text": "x"}', "line 2: expected a passage's id and text as strings"),
        ("[1]", "line 2: expected a passage's id"),
        ('{"id": "a", "text": "x"}', "an id occurs twice"),
    ],
)
def test_a_corpus_of_another_shape(files: tuple[Path, Path], line: str, message: str) -> None:
    files[0].write_text(json.dumps(CORPUS[0]) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(BaselineError, match=message):
        run("bm25", *files)


def test_the_files_the_other_way_round(files: tuple[Path, Path]) -> None:
    with pytest.raises(BaselineError, match=r"corpus\.jsonl: a corpus of passages; expected CORPUS first"):
        run("bm25", *reversed(files))
    with pytest.raises(BaselineError, match="expected .* CORPUS, which comes first"):
        run("bm25", files[1], files[1])


def test_what_there_is_not(files: tuple[Path, Path]) -> None:
    files[0].write_bytes(b"\xff\n")
    with pytest.raises(BaselineError, match=r"corpus\.jsonl, line 1: .*utf-8"):
        run("bm25", *files)
    with pytest.raises(BaselineError, match="'dense' is no baseline; there are bm25"):
        run("dense", *files)
    with pytest.raises(BaselineError, match="unknown option b1; it takes k"):
        run("bm25", *files, b1=2)


def test_real_questions_among_their_own_passages(shared_data: Path, tmp_path: Path) -> None:
    dev = shared_data / "ifqa" / "full_dev.json"
    texts = dict.fromkeys(" ".join(t.split()) for row in json.loads(dev.read_text("utf-8")) for t in row["context"])
    rows = [{"id": f"p{number}", "text": text} for number, text in enumerate(texts)]
    report = run("bm25", written(tmp_path / "corpus.jsonl", rows, lines=True), dev, k=[1, 20]).report
    assert (report.questions, report.missing) == (700, ())
    assert report.one[1] > 0.85 and report.one[20] > 0.97
