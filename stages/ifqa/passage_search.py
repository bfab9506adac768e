"""Searches the passages of questions by their wording alone: Recall@K of BM25 (IfQA, section 4).

Corpus: JSONL of {"id", "text", ...}, as `export` writes it; it is read line by line. Questions: a released
file (`stages.evaluation.spans`), whose context names the passages to find by their text.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from stages.evaluation.outcome import BaselineError, BaselineRun, choose
from stages.evaluation.report import some_of, string_keys, table
from stages.evaluation.spans import GoldSpan, read_gold_spans
from stages.models.bm25 import Index

RETRIEVERS = {"bm25": "the question's words against a corpus of passages, given in place of TRAIN; --set k=[5,20]"}
CUTOFFS = (1, 5, 10, 20, 50, 100)
_NEVER = 1 << 30
_COLUMNS = {"K": ("k", 5), "Recall": ("one", 9), "of all": ("every", 9)}


@dataclass(frozen=True)
class RecallReport:
    """corpus: passages that were searched; questions: those of which a passage is among them.

    one, every: by cut-off K, the share of these questions of which one passage (each passage) is among the first K.
    missing: ids of the questions of which no passage is in the corpus; they are not counted.
    """

    corpus: int
    questions: int
    one: Mapping[int, float]
    every: Mapping[int, float]
    missing: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values; cut-offs as string keys, as JSON has them."""
        return dict(string_keys(asdict(self)))

    def as_text(self) -> str:
        """A table for reading: one line per cut-off."""
        rows = [("", {"k": k, "one": share, "every": self.every[k]}) for k, share in self.one.items()]
        lines = [f"{self.questions:,} questions, {self.corpus:,} passages", *table(0, _COLUMNS, rows)]
        return "\n".join(lines + [f"no passage in the corpus: {some_of(self.missing)}"] * bool(self.missing))


@dataclass
class _Corpus:
    """The passages of a file, noting on the way which of them are wanted. ids: by text; size: passages read."""

    path: Path
    wanted: frozenset[str]
    ids: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    size: int = 0

    def __iter__(self) -> Iterator[tuple[str, str]]:
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                name, text = _passage(f"{self.path}, line {number}", line)
                if (words := _words(text)) in self.wanted:
                    self.ids[words].append(name)
                self.size += 1
                yield name, text


def run(
    name: str,
    corpus: Path,
    asked: Path,
    *,
    seed: int = 0,
    model: str | None = None,
    k: int | Sequence[int] = CUTOFFS,
    **options: Any,
) -> BaselineRun:
    """Searches a corpus with every question of a released file.

    name: one of RETRIEVERS. k: one cut-off or several. Nothing is random, so seed and model change nothing.

    Raises BaselineError: an unknown name or option, a cut-off below 1, a corpus of another shape.
    """
    choose(name, RETRIEVERS, options | {"k": k}, {name: ["k"]})
    cutoffs = _cutoffs(name, k)
    if _holds_passages(asked) and not _holds_passages(corpus):
        raise BaselineError(f"{asked}: a corpus of passages; expected CORPUS first and the released questions after it")
    questions = read_gold_spans(asked)
    passages = _Corpus(corpus, frozenset(_words(text) for question in questions for text in question.context))
    found = _search(passages, questions, cutoffs[-1])
    report = _report(passages, questions, found, cutoffs)
    rankings = [{"id": key, "passages": ids} for key, ids in sorted(found.items())]
    return BaselineRun(name, rankings, {"k": list(cutoffs)}, report)


def _search(corpus: _Corpus, questions: Sequence[GoldSpan], k: int) -> dict[str, list[str]]:
    try:
        index = Index.build(iter(corpus))
    except BaselineError:
        raise
    except ValueError as error:
        raise BaselineError(f"{corpus.path}: {error}") from error
    ranked = index.search([question.question for question in questions], k)
    return {question.question_id: [hit.id for hit in hits] for question, hits in zip(questions, ranked, strict=True)}


def _report(
    corpus: _Corpus, questions: Iterable[GoldSpan], found: Mapping[str, Sequence[str]], cutoffs: Sequence[int]
) -> RecallReport:
    best: list[tuple[int, int]] = []
    missing = []
    for question in questions:
        place = {name: rank for rank, name in enumerate(found[question.question_id], start=1)}
        # A passage that the corpus holds twice is found where one of its copies is.
        ranks = [
            min(place.get(name, _NEVER) for name in corpus.ids[words])
            for words in dict.fromkeys(map(_words, question.context))
            if words in corpus.ids
        ]
        if ranks:
            best.append((min(ranks), max(ranks)))
        else:
            missing.append(question.question_id)
    count = max(len(best), 1)
    return RecallReport(
        corpus=corpus.size,
        questions=len(best),
        one={k: sum(first <= k for first, _ in best) / count for k in cutoffs},
        every={k: sum(last <= k for _, last in best) / count for k in cutoffs},
        missing=tuple(sorted(missing)),
    )


def _cutoffs(name: str, k: int | Sequence[int]) -> tuple[int, ...]:
    listed = [k] if isinstance(k, int) else list(k) if isinstance(k, list | tuple) else []
    if not listed or not all(type(value) is int and value >= 1 for value in listed):
        raise BaselineError(
            f"{name}: k: expected a whole number from 1 on, or a list of them such as [5,20], got {k!r}"
        )
    return tuple(sorted(set(listed)))


def _holds_passages(path: Path) -> bool:
    """Whether the first line of a file is a passage."""
    with path.open("rb") as file:
        line = file.readline().decode("utf-8", errors="replace")
    try:
        return bool(_passage(str(path), line))
    except BaselineError:
        return False


def _passage(where: str, line: str) -> tuple[str, str]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BaselineError(
            f"{where}: expected a CORPUS, which comes first, one JSON object a line: {error}"
        ) from error
    name, text = (item.get("id"), item.get("text")) if isinstance(item, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(text, str):
        raise BaselineError(f"{where}: expected a passage's id and text as strings, in a CORPUS, which comes first")
    return name, text


def _words(text: str) -> str:
    return " ".join(text.split())
