"""Retrieval in the form of BEIR (Thakur et al., 2021): a collection, queries, and which passages belong to a query.

    corpus.jsonl                    {"_id", "title", "text"} a line, and "also": other ids of the same text, one a line
    queries.jsonl                   {"_id", "text"} a line
    qrels/{config}/{split}.tsv      query-id, corpus-id, score (1), with a header

The release's folder is itself such a data set: BEIR's loader takes it as it is.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.release.corpus import CORPUS, Collection

QUERIES, QRELS = "queries.jsonl", "qrels"
HEADER = ("query-id", "corpus-id", "score")
Relevant = Mapping[str, Iterable[str]]
"""Per query the ids of the passages that belong to it."""


@dataclass(frozen=True)
class Retrieval:
    """queries: text by id; relevant: by benchmark and split."""

    collection: Collection
    queries: Mapping[str, str]
    relevant: Mapping[tuple[str, str], Relevant]


def qrels_path(config: str, split: str) -> Path:
    """Inside the folder."""
    return Path(QRELS, config, f"{split}.tsv")


def write_retrieval(retrieval: Retrieval, folder: Path) -> None:
    """Writes the three; a passage whose text stands under another id is named by that one."""
    _write_lines(folder / CORPUS, retrieval.collection.lines)
    queries = ({"_id": name, "text": text} for name, text in sorted(retrieval.queries.items()))
    _write_lines(folder / QUERIES, queries)
    for (config, split), relevant in retrieval.relevant.items():
        path = folder / qrels_path(config, split)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerows([HEADER, *_pairs(relevant, retrieval.collection.standing)])


def _pairs(relevant: Relevant, standing: Mapping[str, str]) -> Iterator[Sequence[str]]:
    for query, passages in sorted(relevant.items()):
        for passage in sorted({standing.get(name, name) for name in passages}):
            yield query, passage, "1"


def _write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
