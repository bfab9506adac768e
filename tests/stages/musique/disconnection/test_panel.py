"""Means over readers."""

from __future__ import annotations

import pickle

import pytest

from stages.core.contract import StageError
from stages.models.readers.folds import Folds
from stages.models.readers.interface import Prediction
from stages.models.readers.lexical import LexicalTrainer
from stages.musique.disconnection.panel import PanelParams, alone, mean_f1, mean_support_f1, passages, percent
from tests.stages.musique.disconnection.samples import hop, hops


def test_means_over_readers() -> None:
    found = [Prediction("the red house", (1,), 0), Prediction("red", (0, 1), 0)]
    # "red house" against "red" has precision 1/2 and recall 1; "red" is right.
    assert mean_f1(found, ("red",)) == pytest.approx((2 / 3 + 1) / 2)
    assert mean_f1(found, ("blue", "a red house")) == pytest.approx((1 + 2 / 3) / 2)
    assert mean_support_f1(found, (1,)) == pytest.approx((1 + 2 / 3) / 2)


def test_hops_with_their_paragraphs_and_answers() -> None:
    table = hops(hop("a", "q", "one", "It is one.", "1"))
    (example,) = alone(table.to_pylist(), passages(table))
    assert (example.answers, example.context[0].text, example.support) == (("one", "1"), "It is one.", (0,))


def test_a_panel_names_its_reader_and_refuses_folds_that_cannot_be() -> None:
    trainer = LexicalTrainer()
    panel = PanelParams.of(trainer, Folds(3, 1))
    assert (panel.reader, panel.identity, panel.split) == ("lexical", trainer.identity, Folds(3, 1))
    assert pickle.loads(pickle.dumps(panel)) == panel  # noqa: S301 (made here)
    with pytest.raises(StageError, match="folds: expected 2"):
        PanelParams("lexical", "", 1)


def test_percent() -> None:
    assert (percent(1, 3), percent(0, 0)) == (33.33, 0.0)
