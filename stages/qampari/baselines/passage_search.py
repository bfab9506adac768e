"""Searches the passages that hold answers by the questions' wording alone: ARecall and ERecall of BM25 (QAMPARI,
section on retrieval).

Corpus: a file of passages (`stages.evaluation.passage_files`), each searched with its title. Questions: a released
file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stages.evaluation.files import Predictions, need_gold
from stages.evaluation.outcome import BaselineError, BaselineRun, choose
from stages.evaluation.passage_files import PassageFile, cut_offs, need_order, search_passages
from stages.qampari.metrics.metrics import read_gold
from stages.qampari.metrics.retrieval import CUTOFFS, score_rankings

RETRIEVERS = {"bm25": "the question's words against a corpus of passages, given in place of TRAIN; --set k=[10,100]"}


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
    The predictions hold the passages found, with id and text: a ranking as `evaluate_retrieval` reads it.

    Raises BaselineError: an unknown name or option, a cut-off below 1, a corpus of another shape, a file of answers
    without the questions.
    """
    choose(name, RETRIEVERS, options | {"k": k}, {name: ["k"]})
    cutoffs = cut_offs(name, k)
    need_order(corpus, asked)
    questions = need_gold(asked, read_gold(asked))
    if not all(question.text.strip() for question in questions):
        raise BaselineError(f"{asked}: expected the question of each entry under 'question_text' or 'question'")
    passages = PassageFile(corpus)
    ranked = search_passages(passages, [question.text for question in questions], cutoffs[-1], lambda one: one.titled)
    texts = _texts(passages, {hit.id for hits in ranked for hit in hits})
    found = {
        question.qid: [{"id": hit.id, "text": texts[hit.id]} for hit in hits]
        for question, hits in zip(questions, ranked, strict=True)
    }
    rankings = {qid: [row["text"] for row in rows] for qid, rows in found.items()}
    report = score_rankings(questions, rankings, cutoffs, Predictions(rankings).unmatched(sorted(rankings)))
    predictions = [{"qid": qid, "passages": rows} for qid, rows in sorted(found.items())]
    return BaselineRun(name, predictions, {"k": list(cutoffs)}, report)


def _texts(passages: PassageFile, wanted: set[str]) -> dict[str, str]:
    """The texts of the passages that were found: a second look at the corpus, which need not fit in memory."""
    return {passage.name: passage.text for passage in passages if passage.name in wanted}
