"""Which readers judge, and what they think of the hops: shared by the steps of this folder."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from stages.core.columns import values
from stages.core.contract import StageError
from stages.evaluation.squad import best_f1, support_f1
from stages.models.readers.folds import Folds
from stages.models.readers.interface import Prediction, ReaderError, ReaderPassage, SolvedQuestion, Trainer


@dataclass(frozen=True)
class PanelParams:
    """The readers of a stage. reader, identity: of the trainer; folds, seeds: how many readers are trained and on what;
    a question is judged by `seeds` readers, none of which saw its paragraph."""

    reader: str
    identity: str
    folds: int = 5
    seeds: int = 2

    def __post_init__(self) -> None:
        try:
            Folds(self.folds, self.seeds)
        except ReaderError as error:
            raise StageError(str(error)) from error

    @classmethod
    def of(cls, trainer: Trainer, folds: Folds | None = None) -> PanelParams:
        folds = folds or Folds()
        return cls(trainer.name, trainer.identity, folds.count, folds.seeds)

    @property
    def split(self) -> Folds:
        return Folds(self.folds, self.seeds)


def passages(hops: pa.Table) -> dict[str, ReaderPassage]:
    """The paragraphs of SINGLE_HOPS by their ids."""
    return {row[0]: ReaderPassage(*row) for row in values(hops, "paragraph", "title", "text")}


def answers(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The answer of a hop and its other spellings."""
    return (row["answer"], *row["answer_aliases"])


def alone(hops: Iterable[Mapping[str, Any]], texts: Mapping[str, ReaderPassage]) -> list[SolvedQuestion]:
    """Hops with the one paragraph that answers each."""
    return [SolvedQuestion(row["question"], (texts[row["paragraph"]],), answers(row), (0,)) for row in hops]


def mean_f1(predictions: Sequence[Prediction], wanted: Collection[str]) -> float:
    """Mean answer F1 over readers."""
    return sum(best_f1(prediction.answer, wanted) for prediction in predictions) / len(predictions)


def mean_support_f1(predictions: Sequence[Prediction], wanted: Collection[int]) -> float:
    """Mean F1 over readers of the paragraphs that they name."""
    return sum(support_f1(prediction.support, wanted) for prediction in predictions) / len(predictions)


def percent(part: int, whole: int) -> float:
    """A share in percent, to two decimals; 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0
