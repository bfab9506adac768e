"""Files of retrieval: that they fit each other, and that ids of any kind come through."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from stages.release.beir import HEADER, Retrieval, write_retrieval
from stages.release.corpus import Collection

LINES = [
    {"_id": 'a"b\tc', "title": "A", "text": "One.\u2028Two.", "also": "z"},
    {"_id": "d", "title": "", "text": "x"},
]


def judged(path: Path) -> list[list[str]]:
    """As BEIR's loader reads them."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL))


def test_the_three_files(tmp_path: Path) -> None:
    relevant = {("", "dev"): {"q2": ["z", 'a"b\tc'], "q1": {"d"}}, ("full", "test"): {"q1": ["d", "z"]}}
    collection = Collection(LINES, standing={"z": 'a"b\tc'})
    write_retrieval(Retrieval(collection, {"q2": "Who?", "q1": "Where\n?"}, relevant), tmp_path)
    assert [json.loads(line) for line in (tmp_path / "corpus.jsonl").read_text().split("\n")[:-1]] == LINES
    assert (tmp_path / "queries.jsonl").read_text().splitlines() == [
        '{"_id": "q1", "text": "Where\\n?"}',
        '{"_id": "q2", "text": "Who?"}',
    ]
    assert judged(tmp_path / "qrels" / "dev.tsv") == [list(HEADER), ["q1", "d", "1"], ["q2", 'a"b\tc', "1"]]
    assert judged(tmp_path / "qrels" / "full" / "test.tsv") == [list(HEADER), ["q1", 'a"b\tc', "1"], ["q1", "d", "1"]]
