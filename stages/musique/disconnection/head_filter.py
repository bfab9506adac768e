"""Stage `musique.head_filter`: heads that nobody answers without reading (MuSiQue, step 3).

A head whose answer readers know by heart leaves its tail answerable without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, StageError, Whole
from stages.models.readers.folds import Folds, judge
from stages.models.readers.interface import Trainer
from stages.musique.bridges.tables import BRIDGES
from stages.musique.disconnection.panel import PanelParams, alone, answers, mean_f1, passages, percent
from stages.musique.disconnection.tables import JUDGED_HEADS
from stages.musique.single_hops.tables import SINGLE_HOPS

# Percent of heads that survived in the paper.
PAPER = 74.5


@dataclass(frozen=True)
class HeadParams:
    """max_f1: a head goes whose mean answer F1 is this or more; panel: who judges."""

    panel: PanelParams
    max_f1: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.max_f1 <= 1.01:
            raise StageError(f"max_f1: expected above 0 and at most 1 (1.01 keeps every head), got {self.max_f1}")


def heads(bridges: pa.Table, hops: pa.Table, *, trainer: Trainer, params: HeadParams) -> Output:
    """JUDGED_HEADS of the bridges' heads. All of SINGLE_HOPS are learnt from.

    Metrics: heads, heads_kept, heads_kept_percent and the paper's, mean_f1_percent.
    """
    rows = hops.sort_by("hop").to_pylist()
    asked = set(pc.unique(bridges.column("head")).to_pylist())
    only = [row["hop"] in asked for row in rows]
    found = judge(trainer, alone(rows, passages(hops)), params.panel.split, closed=True, only=only)
    judged = []
    for row, predictions in zip(rows, found, strict=True):
        if predictions:
            f1 = mean_f1(predictions, answers(row))
            judged.append(
                {
                    "hop": row["hop"],
                    "readers": len(predictions),
                    "f1": f1,
                    "kept": f1 < params.max_f1,
                    "predicted": [prediction.answer for prediction in predictions],
                }
            )
    kept = sum(row["kept"] for row in judged)
    metrics = {
        "heads": float(len(judged)),
        "heads_kept": float(kept),
        "heads_kept_percent": percent(kept, len(judged)),
        "heads_kept_percent_paper": PAPER,
        "mean_f1_percent": round(100 * sum(row["f1"] for row in judged) / max(1, len(judged)), 2),
    }
    return Output({JUDGED_HEADS.name: JUDGED_HEADS.table(judged)}, metrics=metrics)


def stage(trainer: Trainer, folds: Folds | None = None, max_f1: float = 0.5, bridges: str = BRIDGES.name) -> Stage:
    params = HeadParams(PanelParams.of(trainer, folds), max_f1)
    return Stage(
        name="musique.head_filter",
        shape=Whole(),
        kernel=partial(heads, trainer=trainer, params=params),
        inputs=(bridges, SINGLE_HOPS.name),
        outputs=(JUDGED_HEADS,),
        about=f"S3: heads that nobody answers unread; the paper kept {PAPER} % ({trainer.name} reader here).",
    )
