"""Stage `musique.tail_filter`: tails that nobody answers without their bridge (MuSiQue, step 3).

A masked tail that is answered all the same needs no head before it. Where readers come
near its answer but not to its paragraph, it is kept: they guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, StageError, Whole
from stages.models.readers.folds import Folds, judge
from stages.models.readers.interface import Prediction, ReaderPassage, SolvedQuestion, Trainer
from stages.musique.disconnection.panel import PanelParams, answers, mean_f1, mean_support_f1, passages, percent
from stages.musique.disconnection.tables import JUDGED_TAILS, MASKED_TAILS
from stages.musique.single_hops.tables import SINGLE_HOPS

# Percent of tails that survived in the paper.
PAPER = 26.5
# Sums of a few quotients may lie a rounding error below what they stand for.
_EXACT = 1e-9


@dataclass(frozen=True)
class TailParams:
    """A tail is kept at a mean answer F1 up to max_f1, and up to max_guessed_f1 where its mean support F1 is below
    min_support_f1. panel: who judges."""

    panel: PanelParams
    max_f1: float = 0.25
    max_guessed_f1: float = 0.75
    min_support_f1: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.max_f1 <= self.max_guessed_f1 <= 1:
            raise StageError(
                f"expected 0 <= max_f1 <= max_guessed_f1 <= 1, got max_f1 {self.max_f1} and {self.max_guessed_f1}"
            )
        if not 0 <= self.min_support_f1 <= 1:
            raise StageError(f"min_support_f1: expected 0 to 1, got {self.min_support_f1}")

    def keeps(self, f1: float, support_f1: float) -> bool:
        """Whether a tail of such means is kept."""
        guessed = f1 <= self.max_guessed_f1 + _EXACT and support_f1 < self.min_support_f1 - _EXACT
        return guessed or f1 <= self.max_f1 + _EXACT


def tails(masked: pa.Table, hops: pa.Table, *, trainer: Trainer, params: TailParams) -> Output:
    """JUDGED_TAILS from MASKED_TAILS; readers learn from the masked tails of the other folds.

    Metrics: masked_tails, masked_tails_kept, masked_tails_kept_percent and the paper's, mean_f1_percent,
    mean_support_f1_percent.
    """
    rows = masked.sort_by([("tail", "ascending"), ("masked", "ascending")]).to_pylist()
    texts = passages(hops)
    wanted = {row["hop"]: answers(row) for row in hops.select(["hop", "answer", "answer_aliases"]).to_pylist()}
    examples = [_example(row, texts, wanted[row["tail"]]) for row in rows]
    found = judge(trainer, examples, params.panel.split)
    judged = [
        _verdict(row, example, predictions, params)
        for row, example, predictions in zip(rows, examples, found, strict=True)
    ]
    return Output({JUDGED_TAILS.name: JUDGED_TAILS.table(judged)}, metrics=_metrics(judged))


def _example(row: dict[str, Any], texts: dict[str, ReaderPassage], wanted: tuple[str, ...]) -> SolvedQuestion:
    own = row["paragraphs"].index(row["answered_by"])
    return SolvedQuestion(row["masked"], tuple(texts[paragraph] for paragraph in row["paragraphs"]), wanted, (own,))


def _verdict(
    row: dict[str, Any], example: SolvedQuestion, predictions: list[Prediction], params: TailParams
) -> dict[str, Any]:
    f1, support = mean_f1(predictions, example.answers), mean_support_f1(predictions, example.support)
    return {
        "tail": row["tail"],
        "masked": row["masked"],
        "readers": len(predictions),
        "f1": f1,
        "support_f1": support,
        "kept": params.keeps(f1, support),
        "predicted": [prediction.answer for prediction in predictions],
    }


def _metrics(judged: list[dict[str, Any]]) -> dict[str, float]:
    kept, count = sum(row["kept"] for row in judged), max(1, len(judged))
    return {
        "masked_tails": float(len(judged)),
        "masked_tails_kept": float(kept),
        "masked_tails_kept_percent": percent(kept, len(judged)),
        "masked_tails_kept_percent_paper": PAPER,
        "mean_f1_percent": round(100 * sum(row["f1"] for row in judged) / count, 2),
        "mean_support_f1_percent": round(100 * sum(row["support_f1"] for row in judged) / count, 2),
    }


def stage(
    trainer: Trainer,
    folds: Folds | None = None,
    *,
    max_f1: float = 0.25,
    max_guessed_f1: float = 0.75,
    min_support_f1: float = 1.0,
) -> Stage:
    params = TailParams(PanelParams.of(trainer, folds), max_f1, max_guessed_f1, min_support_f1)
    return Stage(
        name="musique.tail_filter",
        shape=Whole(),
        kernel=partial(tails, trainer=trainer, params=params),
        inputs=(MASKED_TAILS.name, SINGLE_HOPS.name),
        outputs=(JUDGED_TAILS,),
        about=f"S3: tails not answered without their bridge; the paper kept {PAPER} % ({trainer.name} reader here).",
    )
