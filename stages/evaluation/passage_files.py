"""Corpora of passages to search, in the form of BEIR: JSONL of {"_id" (or "id"), "text", "title"?}, read line by line.

`export` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stages.evaluation.outcome import BaselineError
from stages.models.bm25 import K1, B, Hit, Index


@dataclass(frozen=True)
class Passage:
    """One line of a corpus."""

    name: str
    title: str
    text: str

    @property
    def titled(self) -> str:
        """The text below its title, as BEIR's baselines search it."""
        return f"{self.title} {self.text}".strip()


@dataclass
class PassageFile:
    """The passages of a file. see: is shown each of them; size: how many were read last time."""

    path: Path
    see: Callable[[Passage], None] = lambda passage: None
    size: int = 0

    def __iter__(self) -> Iterator[Passage]:
        """BaselineError names the line of any other shape."""
        self.size = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    passage = _passage(f"{self.path}, line {number}", line)
                    self.see(passage)
                    self.size += 1
                    yield passage


def search_passages(
    corpus: PassageFile,
    questions: Sequence[str],
    k: int,
    words: Callable[[Passage], str] = lambda passage: passage.text,
    k1: float = K1,
    b: float = B,
) -> list[list[Hit]]:
    """Per question its `k` best passages by BM25, best first. words: what is searched of a passage.

    Raises BaselineError: a line of another shape, an id that comes twice.
    """
    try:
        index = Index.build(((passage.name, words(passage)) for passage in corpus), k1=k1, b=b)
    except BaselineError:
        raise
    except ValueError as error:
        raise BaselineError(f"{corpus.path}: {error}") from error
    return index.search(questions, k)


def cut_offs(name: str, k: int | Sequence[int]) -> tuple[int, ...]:
    """The numbers of passages at which recall is told, ascending; BaselineError unless all are 1 or more."""
    listed = [k] if isinstance(k, int) else list(k) if isinstance(k, list | tuple) else []
    if not listed or not all(type(value) is int and value >= 1 for value in listed):
        raise BaselineError(
            f"{name}: k: expected a whole number from 1 on, or a list of them such as [5,20], got {k!r}"
        )
    return tuple(sorted(set(listed)))


def need_order(corpus: Path, asked: Path) -> None:
    """Raises BaselineError where the two files were given the other way round."""
    if _holds_passages(asked) and not _holds_passages(corpus):
        raise BaselineError(f"{asked}: a corpus of passages; expected CORPUS first and the released questions after it")


def _holds_passages(path: Path) -> bool:
    """Whether the first line of a file is a passage."""
    with path.open("rb") as file:
        line = file.readline()
    try:
        return bool(_passage(str(path), line))
    except BaselineError:
        return False


def _passage(where: str, line: bytes) -> Passage:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BaselineError(
            f"{where}: expected a CORPUS, which comes first, one JSON object a line: {error}"
        ) from error
    found = item if isinstance(item, dict) else {}
    name, title, text = found.get("_id", found.get("id")), found.get("title") or "", found.get("text")
    if not isinstance(name, str) or not isinstance(title, str) or not isinstance(text, str):
        raise BaselineError(f"{where}: expected a passage's id and text as strings, in a CORPUS, which comes first")
    return Passage(name, title, text)
