"""Scores of ranked passages: how many answers and how much evidence the first K hold.

ARecall@K: share of a question's distinct answers of which an alias occurs, as whole
words in normal form, in one of its first K passages. ERecall@K: share of its distinct
evidence passages among the first K. Both are averaged over questions; a question
without a ranking scores 0. The paper, section on retrieval.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from stages.core.short_answers import normalise
from stages.evaluation.files import Item, need_gold, read_predictions
from stages.evaluation.matching import distinct_answers
from stages.evaluation.report import mean, string_keys, table
from stages.qampari.metrics.metrics import GoldQuestion, read_gold
from stages.release.format import ReleaseError

CUTOFFS = (10, 25, 50, 100, 200)
_NEVER = 1 << 30
_COLUMNS = {"K": ("k", 5), "ARecall": ("answers", 10), "ERecall": ("evidence", 10)}


@dataclass(frozen=True)
class RetrievalReport:
    """Mean recall by cut-off K, and the qids that do not match up.

    evidence_questions: the questions with evidence, over which ERecall is averaged.
    odd: missing, unknown, repeated, as in an answer report.
    """

    questions: int
    evidence_questions: int
    answer_recall: Mapping[int, float]
    evidence_recall: Mapping[int, float]
    odd: Mapping[str, tuple[str, ...]]

    def as_dict(self) -> dict[str, Any]:
        """Plain values; cut-offs as string keys, as JSON has them."""
        counts = {"questions": self.questions, "evidence_questions": self.evidence_questions}
        recalls = {"answer_recall": self.answer_recall, "evidence_recall": self.evidence_recall}
        return {**counts, **string_keys(recalls), **self.odd}

    def as_text(self) -> str:
        """A table for reading: one line per cut-off."""
        rows = [
            {"k": k, "answers": share, "evidence": self.evidence_recall[k]} for k, share in self.answer_recall.items()
        ]
        lines = [f"{self.questions} questions, {self.evidence_questions} of them with evidence"]
        lines += table(0, _COLUMNS, [("", row) for row in rows])
        return "\n".join([*lines, *(f"{name}: {len(ids)}" for name, ids in self.odd.items() if ids)])


def evaluate_retrieval(gold_path: Path, ranking_path: Path, cutoffs: Sequence[int] = CUTOFFS) -> RetrievalReport:
    """Scores a ranking file against a released file.

    Ranking: JSONL of {"qid", "passages": [...]}, best first, each a text or an object
    with "text". Evidence is matched by text: a passage holds a proof when it contains
    the proof's words in order, so passages may be cut longer than the proofs, not shorter.
    Raises ReleaseError on any other shape, and where no ranking is for a question of the gold file.
    """
    gold = need_gold(gold_path, read_gold(gold_path))
    given = read_predictions(ranking_path, ("qid", "id"), _ranking)
    rankings = given.answers
    if rankings and not rankings.keys() & {question.qid for question in gold}:
        raise ReleaseError(f"{ranking_path}: none of its {len(rankings):,} ids is a question of {gold_path}")
    return score_rankings(gold, rankings, cutoffs, given.unmatched(sorted(question.qid for question in gold)))


def score_rankings(
    gold: Sequence[GoldQuestion],
    rankings: Mapping[str, Sequence[str]],
    cutoffs: Sequence[int],
    odd: Mapping[str, tuple[str, ...]],
) -> RetrievalReport:
    """Scores texts ranked by qid, best first; a question without a ranking scores 0."""
    answers = [_answer_ranks(question, rankings.get(question.qid, ())) for question in gold]
    evidence = [_proof_ranks(question, rankings.get(question.qid, ())) for question in gold]
    return RetrievalReport(
        questions=sum(map(bool, answers)),
        evidence_questions=sum(map(bool, evidence)),
        answer_recall=_recalls(answers, cutoffs),
        evidence_recall=_recalls(evidence, cutoffs),
        odd=odd,
    )


def first_ranks(groups: Iterable[Iterable[str]], passages: Sequence[str]) -> list[int]:
    """Per group of normalised phrases the 1-based rank of the first passage that holds one; 2**30 for none."""
    padded = [f" {normalise(passage)} " for passage in passages]
    starts = list(accumulate((len(passage) + 1 for passage in padded), initial=0))
    text = "\n".join(padded)
    return [min((_rank(phrase, text, starts) for phrase in group), default=_NEVER) for group in groups]


def _rank(phrase: str, text: str, starts: Sequence[int]) -> int:
    found = text.find(f" {phrase} ")
    return _NEVER if found < 0 else bisect_right(starts, found)


def _answer_ranks(question: GoldQuestion, passages: Sequence[str]) -> list[int]:
    return first_ranks(distinct_answers(question.answers), passages)


def _proof_ranks(question: GoldQuestion, passages: Sequence[str]) -> list[int]:
    proofs = dict.fromkeys(form for form in map(normalise, question.proofs) if form)
    return first_ranks(([proof] for proof in proofs), passages)


def _recalls(ranks: Iterable[list[int]], cutoffs: Sequence[int]) -> dict[int, float]:
    counted = [question for question in ranks if question]
    return {k: mean(sum(rank <= k for rank in question) / len(question) for question in counted) for k in cutoffs}


def _ranking(place: str, item: Item) -> tuple[str, list[str]]:
    qid, passages = item.get("qid", item.get("id")), item.get("passages")
    if not isinstance(qid, str) or not isinstance(passages, list):
        raise ReleaseError(f"{place}: expected a string under 'qid' and a list under 'passages'")
    texts = [passage.get("text") if isinstance(passage, dict) else passage for passage in passages]
    found = [text for text in texts if isinstance(text, str)]
    if len(found) < len(texts):
        raise ReleaseError(f"{place}: expected each passage as a text or an object with 'text'")
    return qid, found
