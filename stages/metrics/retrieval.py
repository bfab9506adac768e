"""Scores of ranked passages: how many answers and how much evidence the first K hold.

ARecall@K: share of a question's distinct answers of which an alias occurs, as whole
words in normal form, in one of its first K passages. ERecall@K: share of its distinct
evidence passages among the first K. Both are averaged over questions; a question
without a ranking scores 0. The paper, section on retrieval.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from stages.metrics.files import GoldQuestion, PredictionError, need_gold, read_gold, read_items
from stages.metrics.matching import distinct_answers
from stages.metrics.normalise import normalise

CUTOFFS = (10, 25, 50, 100, 200)
_NEVER = 1 << 30


@dataclass(frozen=True)
class RetrievalReport:
    """Mean recall by cut-off K, and the qids that do not match up.

    evidence_questions: the questions with evidence, over which ERecall is averaged.
    missing, unknown, repeated: as in an answer report.
    """

    questions: int
    evidence_questions: int
    answer_recall: Mapping[int, float]
    evidence_recall: Mapping[int, float]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    repeated: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values; cut-offs as string keys, as JSON has them."""
        plain = asdict(self)
        for name in ("answer_recall", "evidence_recall"):
            plain[name] = {str(cutoff): value for cutoff, value in plain[name].items()}
        return plain

    def as_text(self) -> str:
        """A table for reading: one line per cut-off."""
        lines = [f"{self.questions} questions, {self.evidence_questions} of them with evidence"]
        lines.append(f"{'K':>5}{'ARecall':>10}{'ERecall':>10}")
        for cutoff, value in self.answer_recall.items():
            lines.append(f"{cutoff:>5}{100 * value:>10.1f}{100 * self.evidence_recall[cutoff]:>10.1f}")
        odd = ("missing", "unknown", "repeated")
        lines += [f"{name}: {len(getattr(self, name))}" for name in odd if getattr(self, name)]
        return "\n".join(lines)


def evaluate_retrieval(gold_path: Path, ranking_path: Path, cutoffs: Sequence[int] = CUTOFFS) -> RetrievalReport:
    """Scores a ranking file against a released file.

    Ranking: JSONL of {"qid", "passages": [...]}, best first, each a text or an object
    with "text". Evidence is matched by text: a passage holds a proof when it contains
    the proof's words in order, so passages may be cut longer than the proofs, not shorter.
    Raises PredictionError on any other shape, and where no ranking is for a question of the gold file.
    """
    gold = need_gold(gold_path, read_gold(gold_path))
    rankings, repeated = _read_rankings(ranking_path)
    if rankings and not rankings.keys() & {question.qid for question in gold}:
        raise PredictionError(f"{ranking_path}: none of its {len(rankings):,} ids is a question of {gold_path}")
    answers = {question.qid: _answer_ranks(question, rankings.get(question.qid, ())) for question in gold}
    evidence = {question.qid: _proof_ranks(question, rankings.get(question.qid, ())) for question in gold}
    known = {question.qid for question in gold}
    return RetrievalReport(
        questions=sum(1 for ranks in answers.values() if ranks),
        evidence_questions=sum(1 for ranks in evidence.values() if ranks),
        answer_recall=_recalls(answers.values(), cutoffs),
        evidence_recall=_recalls(evidence.values(), cutoffs),
        missing=tuple(sorted(known - rankings.keys())),
        unknown=tuple(sorted(rankings.keys() - known)),
        repeated=repeated,
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
    return {
        cutoff: sum(sum(rank <= cutoff for rank in question) / len(question) for question in counted)
        / max(len(counted), 1)
        for cutoff in cutoffs
    }


def _read_rankings(path: Path) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    rankings: dict[str, list[str]] = {}
    repeated: set[str] = set()
    for place, item in read_items(path):
        qid, passages = item.get("qid", item.get("id")), item.get("passages")
        if not isinstance(qid, str) or not isinstance(passages, list):
            raise PredictionError(f"{path}, {place}: expected a string under 'qid' and a list under 'passages'")
        if qid in rankings:
            repeated.add(qid)
        else:
            rankings[qid] = [_text(path, place, passage) for passage in passages]
    return rankings, tuple(sorted(repeated))


def _text(path: Path, place: str, passage: Any) -> str:
    text = passage.get("text") if isinstance(passage, dict) else passage
    if not isinstance(text, str):
        raise PredictionError(f"{path}, {place}: expected each passage as a text or an object with 'text'")
    return text
