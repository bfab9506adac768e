from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from stages.baselines.adaboost import features
from stages.baselines.examples import Example, read_examples
from stages.baselines.optional import BaselineError
from stages.baselines.run import BASELINES, run
from stages.baselines.simple import majority, polarity
from stages.influence.lexicon import load_lexicon
from stages.release.choices import CHOICES, LETTERS, ChoiceQuestion, ChoiceRecord, Metadata, encode_choice, stem
from tests.stages.baselines.tiny import make_tiny

KINDS = {"more": "INPARA_EFFECT", "less": "INPARA_EFFECT", "no_effect": "OUTOFPARA_DISTRACTOR"}


def write(path: Path, asked: list[tuple[str, str, str]]) -> Path:
    """A released file of (change, effect, label)."""
    lines = []
    for number, (change, effect, label) in enumerate(asked):
        head = f"out_of_para:1:1:{number}" if label == "no_effect" else f"influence_graph:1:1:{number}#0"
        record = ChoiceRecord(
            ChoiceQuestion(stem(change, effect), ["Water warms up.", "It rises."], label, LETTERS[label], CHOICES),  # type: ignore[arg-type]
            Metadata(head, "1", "1", KINDS[label], 0 if label == "no_effect" else 2),  # type: ignore[arg-type]
        )
        lines.append(encode_choice(record) + "\n")
    path.write_text("".join(lines))
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


def example(change: str, effect: str, label: str = "more") -> Example:
    return Example("1", stem(change, effect), change, effect, "Water warms up.", label)


def test_the_majority_is_that_of_train_and_ties_go_to_the_first() -> None:
    train = [example("a", "b", label) for label in ("less", "no_effect", "less")]
    assert majority(train, [example("a", "b")] * 2) == ["less", "less"]
    assert majority(train[:2], [example("a", "b")]) == ["less"]


def test_polarity_follows_its_lexicon_and_is_random_where_it_cannot_tell() -> None:
    asked = [example("more heat", "fewer clouds"), example("no heat", "less vapor"), example("LESS heat", "more rain")]
    assert polarity(asked, 0) == ["less", "more", "less"]
    unclear = [Example(str(n), "", "a pebble", "a stone", "", "more") for n in range(300)]
    drawn = polarity(unclear, 0)
    assert drawn == polarity(unclear, 0) != polarity(unclear, 1)
    assert all(60 < drawn.count(label) < 140 for label in ("more", "less", "no_effect"))


def test_the_simple_baselines_run_on_released_files(files: tuple[Path, Path]) -> None:
    majority_of, polar = run("majority", *files), run("polarity", *files, seed=3)
    # 18 of 41 are more; the lexicon is right on all 36 with a direction.
    assert majority_of.report.overall.right == 18
    assert polar.report.by_label["more"].accuracy == polar.report.by_label["less"].accuracy == 1.0
    rows = [json.loads(line) for line in polar.lines().splitlines()]
    assert len(rows) == 41 and rows == sorted(rows, key=lambda row: row["ques_id"])
    assert json.loads(json.dumps(polar.as_dict()))["settings"] == {"seed": 3}


def test_adaboost_learns_the_rule(files: tuple[Path, Path]) -> None:
    pytest.importorskip("sklearn")
    outcome = run("adaboost", *files, seed=1, estimators=20)
    assert outcome.report.overall.accuracy > 0.9
    assert outcome.predictions == run("adaboost", *files, seed=1, estimators=20).predictions


def test_features_are_worked_out_by_hand() -> None:
    found = features(example("more water", "less water warms"), load_lexicon())
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
    assert outcome.report.overall.accuracy == 1.0
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


def test_files_that_are_no_release_are_errors(tmp_path: Path, files: tuple[Path, Path]) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    for name, problem in (("empty", "holds no question"), ("other", "line 1"), ("absent", "absent")):
        with pytest.raises(BaselineError, match=problem):
            read_examples(tmp_path / f"{name}.jsonl")
    assert set(BASELINES) >= {"majority", "polarity", "adaboost", "encoder"}


def test_a_train_file_of_one_label_cannot_be_boosted(tmp_path: Path, files: tuple[Path, Path]) -> None:
    pytest.importorskip("sklearn")
    with pytest.raises(BaselineError, match="at least two labels"):
        run("adaboost", write(tmp_path / "one.jsonl", ASKED[:1]), files[1])
