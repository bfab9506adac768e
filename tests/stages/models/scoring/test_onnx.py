"""The shipped model: a score depends on its pair alone."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from stages.models.scoring.folders import ModelError
from stages.models.scoring.onnx import OnnxScorer, probability, shipped
from stages.models.scoring.resolve import scorer

GOONIES = "The Goonies is a 1985 film directed by Richard Donner from a screenplay by Chris Columbus."
PAIRS = [
    ("The Goonies has Richard Donner as director.", GOONIES),
    ("Paris is located in Peru.", "Paris is the capital of France."),
    ("Paris is the capital of France.", "Paris is the capital of France. " * 40),
    ("A " * 300, "Short."),
    ("", ""),
]


@pytest.fixture(scope="module")
def shipped_scorer() -> OnnxScorer:
    found = scorer()
    assert isinstance(found, OnnxScorer)
    return found


def test_scores_do_not_depend_on_the_batch(shipped_scorer: OnnxScorer) -> None:
    score = shipped_scorer.load()
    together = score(*map(list, zip(*PAIRS, strict=True)))
    alone = [score([hypothesis], [premise])[0] for hypothesis, premise in PAIRS]
    backwards = score(*map(list, zip(*PAIRS[::-1], strict=True)))[::-1]
    assert together == alone == backwards
    assert all(0 <= value <= 1 for value in together)


def test_true_and_false_statements_lie_apart(shipped_scorer: OnnxScorer) -> None:
    true, false = shipped_scorer.load()([PAIRS[0][0], PAIRS[1][0]], [PAIRS[0][1], PAIRS[1][1]])
    assert true > 0.9
    assert false < 0.1


def test_a_long_premise_loses_its_beginning(shipped_scorer: OnnxScorer) -> None:
    score = shipped_scorer.load()
    noise = "Nothing was said about it at the time. " * 40
    first, second = score([PAIRS[0][0]] * 2, [noise * 2 + GOONIES, noise * 3 + GOONIES])
    assert first == second > 0.5


def test_a_pickled_scorer_finds_the_shipped_model(shipped_scorer: OnnxScorer) -> None:
    assert pickle.loads(pickle.dumps(shipped_scorer)) == shipped_scorer  # noqa: S301
    assert shipped_scorer.place is None


def test_identity_follows_content_and_settings_but_not_the_place(tmp_path: Path, shipped_scorer: OnnxScorer) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shipped(), copy)
    assert scorer(str(copy)).identity == shipped_scorer.identity
    assert scorer(str(copy), max_tokens=128).identity != shipped_scorer.identity
    (copy / "config.json").write_text((copy / "config.json").read_text() + "\n")
    assert scorer(str(copy)).identity != shipped_scorer.identity


def test_a_model_that_changed_since_the_plan_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shipped(), copy)
    planned = scorer(str(copy))
    (copy / "config.json").write_text((copy / "config.json").read_text() + "\n")
    with pytest.raises(ModelError, match="planned with"):
        planned.load()


def test_several_onnx_files_are_refused(tmp_path: Path) -> None:
    shutil.copy(shipped() / "config.json", tmp_path)
    for name in ("model_a.onnx", "model_b.onnx"):
        (tmp_path / name).touch()
    with pytest.raises(ModelError, match="expected one file"):
        scorer(str(tmp_path))


def test_a_folder_without_tokenizer_is_refused(tmp_path: Path) -> None:
    shutil.copy(shipped() / "config.json", tmp_path)
    (tmp_path / "model.onnx").touch()
    with pytest.raises(ModelError, match=r"missing tokenizer\.json"):
        scorer(str(tmp_path))


def test_probability_is_the_softmax_share() -> None:
    assert probability([0.0, 0.0], 1) == 0.5
    assert probability([1000.0, 0.0, -1000.0], 0) == 1.0
    # 1 / (1 + e^2) = 0.1192029...
    assert probability([2.0, 0.0], 1) == 0.119203
