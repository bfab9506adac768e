from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from stages.evaluation.outcome import BaselineError
from stages.release.format import ReleaseError
from stages.wiqa.baselines.classifiers import features, majority, polarity
from stages.wiqa.baselines.run import BASELINES, run
from stages.wiqa.polarity import load_lexicon
from stages.wiqa.release.records import CHOICES, LETTERS, ChoiceQuestion, ChoiceRecord, Metadata, stem
from tests.stages.wiqa.baselines.tiny import make_tiny

KINDS = {"more": "INPARA_EFFECT", "less": "INPARA_EFFECT", "no_effect": "OUTOFPARA_DISTRACTOR"}


def asked_about(change: str, effect: str, label: Any = "more", number: int = 0) -> ChoiceRecord:
    head = f"out_of_para:1:1:{number}" if label == "no_effect" else f"influence_graph:1:1:{number}#0"
    question = ChoiceQuestion(stem(change, effect), ["Water warms up.", "It rises."], label, LETTERS[label], CHOICES)
    kind: Any = KINDS[label]
    return ChoiceRecord(question, Metadata(head, "1", "1", kind, 0 if label == "no_effect" else 2))


def write(path: Path, asked: list[tuple[str, str, str]]) -> Path:
    """A released file of (change, effect, label)."""
    path.write_text("".join(asked_about(*row, number).line() + "\n" for number, row in enumerate(asked)))
    return path


# The rule that a lexicon can know: equal directions give more, opposite ones less; pebbles have no effect.
ASKED = [
    (f"{first} {what}", f"{second} {other}", "more" if first == second else "less")
    for what in ("heat", "sunlight", "wind")
    for other in ("vapor", "clouds", "rain")
    for first in ("more", "less")
    for second in ("more", "less")
] + [(f"a pebble of {what}", "more rain", "no_effect") for what in ("granite", "basalt", "slate", "chalk", "flint")]


@pytest.fixture()
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write(tmp_path / "train.jsonl", ASKED[::2] + ASKED[1::4]), write(tmp_path / "dev.jsonl", ASKED)


def test_the_majority_is_that_of_train_and_ties_go_to_the_first() -> None:
    train = [asked_about("a", "b", label) for label in ("less", "no_effect", "less")]
    assert majority(train, [asked_about("a", "b")] * 2) == ["less", "less"]
    assert majority(train[:2], [asked_about("a", "b")]) == ["less"]


def test_polarity_follows_its_lexicon_and_is_random_where_it_cannot_tell() -> None:
    asked = [
        asked_about("more heat", "fewer clouds"),
        asked_about("no heat", "less vapor"),
        asked_about("LESS heat", "more rain"),
    ]
    assert polarity(asked, 0) == ["less", "more", "less"]
    unclear = [asked_about("a pebble", "a stone", number=number) for number in range(300)]
    drawn = polarity(unclear, 0)
    assert drawn == polarity(unclear, 0) != polarity(unclear, 1)
    assert all(60 < drawn.count(label) < 140 for label in ("more", "less", "no_effect"))


def test_the_simple_baselines_run_on_released_files(files: tuple[Path, Path]) -> None:
    majority_of, polar = run("majority", *files), run("polarity", *files, seed=3)
    # 18 of 41 are more; the lexicon is right on all 36 with a direction.
    assert majority_of.report.as_dict()["overall"]["right"] == 18
    labels = polar.report.as_dict()["by_label"]
    assert labels["more"]["accuracy"] == labels["less"]["accuracy"] == 1.0
    rows = [json.loads(line) for line in polar.lines().splitlines()]
    assert len(rows) == 41 and rows == sorted(rows, key=lambda row: row["ques_id"])
    assert json.loads(json.dumps(polar.as_dict()))["settings"] == {"seed": 3}


def test_adaboost_learns_the_rule(files: tuple[Path, Path]) -> None:
    pytest.importorskip("sklearn")
    outcome = run("adaboost", *files, seed=1, estimators=20)
    assert outcome.report.as_dict()["overall"]["accuracy"] > 0.9
    assert outcome.predictions == run("adaboost", *files, seed=1, estimators=20).predictions


def test_features_are_worked_out_by_hand() -> None:
    found = features(asked_about("more water", "less water warms"), load_lexicon())
    assert found["agreement"] == -1 and found["shared words"] == 1
    assert (found["change in paragraph"], found["effect in paragraph"]) == (1.0, 1.0)
    assert found["change: more"] == found["effect: less"] == 1.0


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = [word for change, effect, _ in ASKED for word in f"{change} {effect}".split()]
    words += ["suppose", "happens", ",", "how", "will", "it", "affect", ".", "water", "warms", "up", "rises"]
    return make_tiny(tmp_path_factory.mktemp("tiny"), words)


@pytest.mark.parametrize("name", ["encoder", "encoder-no-paragraph"])
def test_an_encoder_learns_and_repeats_itself(files: tuple[Path, Path], tiny_model: Path, name: str) -> None:
    # Agreement of two texts takes more than a tiny model; here the change alone decides.
    by_change = [(change, effect, change.split()[0].replace("a", "no_effect")) for change, effect, _ in ASKED]
    path = write(files[0].parent / "by_change.jsonl", by_change)
    outcome = run(name, path, path, model=str(tiny_model), epochs=20, learning_rate=5e-3, batch=8)
    assert outcome.report.as_dict()["overall"]["accuracy"] == 1.0
    assert outcome.settings["paragraph"] == (name == "encoder")
    short = {"epochs": 1, "batch": 8, "max_tokens": 12}
    first, second = (run(name, *files, model=str(tiny_model), seed=2, **short).predictions for _ in range(2))
    assert first == second


def test_a_model_that_cannot_be_trained_so_says_why(files: tuple[Path, Path], tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text((tiny_model / "config.json").read_text())
    with pytest.raises(BaselineError, match="cannot be loaded: .*; expected one that transformers can train"):
        run("encoder", *files, model=str(tmp_path))
    with pytest.raises(BaselineError, match="reads at most 512, not 600; give --set max_tokens=512"):
        run("encoder", *files, model=str(tiny_model), max_tokens=600)


@pytest.mark.parametrize(
    ("name", "options", "problem"),
    [
        ("bert", {}, "'bert' is no baseline; there are majority"),
        ("majority", {"depth": 3}, "unknown option depth; it takes none"),
        ("encoder", {}, "needs a model"),
        ("encoder", {"model": "x", "epochs": 0}, "epochs: expected 1 or more"),
        ("encoder", {"model": "x", "learning_rate": 0.0}, "learning_rate: expected between 0 and 1"),
    ],
)
def test_wrong_calls_say_what_was_expected(
    files: tuple[Path, Path], name: str, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(BaselineError, match=problem):
        run(name, *files, **options)


@pytest.mark.parametrize(
    ("name", "module", "extra"), [("adaboost", "sklearn.ensemble", "baselines"), ("encoder", "torch", "models")]
)
def test_a_missing_library_names_its_extra(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, name: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    options = {"model": "anything"} if name == "encoder" else {}
    with pytest.raises(BaselineError, match=rf"benchwright\[{extra}\]"):
        run(name, *files, **options)


def test_files_that_are_no_release_are_errors(files: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    for text, problem in (("\n", "holds no question"), ('{"a": 1}\n{"a": 1}\n', "line 1: Object contains unknown")):
        other.write_text(text)
        with pytest.raises(ReleaseError, match=problem):
            run("majority", other, files[1])
    assert set(BASELINES) >= {"majority", "polarity", "adaboost", "encoder"}


def test_a_train_file_of_one_label_cannot_be_boosted(tmp_path: Path, files: tuple[Path, Path]) -> None:
    pytest.importorskip("sklearn")
    with pytest.raises(BaselineError, match="at least two labels"):
        run("adaboost", write(tmp_path / "one.jsonl", ASKED[:1]), files[1])
