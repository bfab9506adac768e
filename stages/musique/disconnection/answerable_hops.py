"""Stage `musique.answerable_hops`: hops that some reader answers from their paragraph (MuSiQue, step 1; optional)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.contract import Output, Stage, Whole
from stages.core.rejects import Rejects
from stages.evaluation.squad import best_f1
from stages.models.readers.folds import Folds, judge
from stages.models.readers.interface import Trainer
from stages.musique.disconnection.panel import PanelParams, alone, answers, passages
from stages.musique.disconnection.tables import ANSWERABLE_HOPS
from stages.musique.single_hops.tables import SINGLE_HOPS


@dataclass(frozen=True)
class AnswerableParams:
    """panels: who judges; one reader that answers is enough."""

    panels: tuple[PanelParams, ...]


def answerable(hops: pa.Table, *, trainers: tuple[Trainer, ...], params: AnswerableParams) -> Output:
    """ANSWERABLE_HOPS from SINGLE_HOPS. Rejects: not_answerable, where every reader's answer F1 is 0.

    Metrics: hops, answerable.
    """
    ordered = hops.sort_by("hop")
    rows = ordered.to_pylist()
    examples = alone(rows, passages(hops))
    right = [False] * len(rows)
    for trainer, panel in zip(trainers, params.panels, strict=True):
        # Whom one reader has answered need not be asked again.
        found = judge(trainer, examples, panel.split, only=[not known for known in right])
        for place, predictions in enumerate(found):
            wanted = answers(rows[place])
            right[place] |= any(best_f1(prediction.answer, wanted) > 0 for prediction in predictions)
    rejects = Rejects()
    for row, known in zip(rows, right, strict=True):
        if not known:
            rejects.add(row["hop"], "not_answerable", f"{row['question']} | {row['answer']}")
    kept = ordered.filter(pa.array(right, pa.bool_()))
    metrics = {"hops": float(len(rows)), "answerable": float(kept.num_rows)}
    return Output({ANSWERABLE_HOPS.name: kept}, rejects.table(), metrics)


def stage(trainers: tuple[Trainer, ...], folds: Folds | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = AnswerableParams(tuple(PanelParams.of(trainer, folds) for trainer in trainers))
    return Stage(
        name="musique.answerable_hops",
        shape=Whole(),
        kernel=partial(answerable, trainers=trainers, params=params),
        inputs=(hops,),
        outputs=(ANSWERABLE_HOPS,),
        about="S1: hops that at least one reader answers from their paragraph, if only in part.",
    )
