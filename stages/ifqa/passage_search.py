"""Searches the passages of questions by their wording alone: Recall@K of BM25 (IfQA, section 4).

Corpus: a file of passages (`stages.evaluation.passage_files`). Questions: a released file (`stages.evaluation.spans`),
whose context names the passages to find by their text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stages.evaluation.outcome import BaselineRun, choose
from stages.evaluation.passage_files import Passage, PassageFile, cut_offs, need_order, search_passages
from stages.evaluation.report import some_of, string_keys, table
from stages.evaluation.spans import GoldSpan, read_gold_spans

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
    cutoffs = cut_offs(name, k)
    need_order(corpus, asked)
    questions = read_gold_spans(asked)
    wanted = frozenset(_words(text) for question in questions for text in question.context)
    holders: defaultdict[str, list[str]] = defaultdict(list)

    def see(passage: Passage) -> None:
        if (words := _words(passage.text)) in wanted:
            holders[words].append(passage.name)

    passages = PassageFile(corpus, see)
    ranked = search_passages(passages, [question.question for question in questions], cutoffs[-1])
    found = {question.question_id: [hit.id for hit in hits] for question, hits in zip(questions, ranked, strict=True)}
    report = _report(passages.size, holders, questions, found, cutoffs)
    rankings = [{"id": key, "passages": ids} for key, ids in sorted(found.items())]
    return BaselineRun(name, rankings, {"k": list(cutoffs)}, report)


def _report(
    size: int,
    holders: Mapping[str, Sequence[str]],
    questions: Iterable[GoldSpan],
    found: Mapping[str, Sequence[str]],
    cutoffs: Sequence[int],
) -> RecallReport:
    """holders: ids by the words of a wanted text."""
    best: list[tuple[int, int]] = []
    missing = []
    for question in questions:
        place = {name: rank for rank, name in enumerate(found[question.question_id], start=1)}
        # A passage that the corpus holds twice is found where one of its copies is.
        ranks = [
            min(place.get(name, _NEVER) for name in holders[words])
            for words in dict.fromkeys(map(_words, question.context))
            if words in holders
        ]
        if ranks:
            best.append((min(ranks), max(ranks)))
        else:
            missing.append(question.question_id)
    count = max(len(best), 1)
    return RecallReport(
        corpus=size,
        questions=len(best),
        one={k: sum(first <= k for first, _ in best) / count for k in cutoffs},
        every={k: sum(last <= k for _, last in best) / count for k in cutoffs},
        missing=tuple(sorted(missing)),
    )


def _words(text: str) -> str:
    return " ".join(text.split())
