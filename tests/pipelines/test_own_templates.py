"""Folders of one's own templates: what is a relation file, what lies over a built-in one, and what is neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.datasets import dataset
from pipelines.identity import stage_identity
from pipelines.inputs import make_pipeline, read_inputs
from pipelines.model import Pipeline
from pipelines.own_templates import own_templates
from pipelines.params import load
from stages.core.contract import StageError
from stages.io.detect import RELATIONS, SourceError

POLARITY = "lexicons/polarity.yaml"
# Per dataset: a file of one's own, and stages that it changes.
READ = {
    "qampari": ("mentions.yaml", "version: 1\nafter: [Sea]", {"facts.candidate_evidence"}),
    "musique": ("soundness/asked.yaml", "version: 1\nkinds: {date: [eon]}", {"musique.hop_filter"}),
    "wiqa": (POLARITY, "version: 2\nmore: [aplenty]", {"wiqa.explanations"}),
    "ifqa": ("screening/causal.yaml", "version: 2\nreasons: {mine: {aplenty: 1}}", {"ifqa.screening"}),
}


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def pipeline(name: str, *templates: Path) -> Pipeline:
    found = dataset(name)
    inputs = read_inputs(found, found.sample(), (), [str(path) for path in templates])
    return make_pipeline(found, load(found.defaults), inputs)


def templates(made: Pipeline) -> dict[str, set[str]]:
    """The template files of each stage's fingerprint, as far as no table has to be there."""
    return {
        stage.name: set(stage_identity(stage, _Any(), 1)["templates"]) for stage in made.stages if stage.source is None
    }


class _Any(dict):  # type: ignore[type-arg]
    """Stands for any table."""

    def __missing__(self, name: str) -> _Any:
        return self

    digest = "0"


@pytest.mark.parametrize("name", READ)
def test_each_dataset_takes_words_of_ones_own(name: str, tmp_path: Path) -> None:
    file, text, stages = READ[name]
    made = templates(pipeline(name, written(tmp_path, file, text)))
    assert stages <= {stage for stage, files in made.items() if f"own/{file}" in files} < set(made)


def test_folders_and_files_are_told_apart(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for folder, name in [(first, "clubs.yaml"), (first, "relations/more.yaml"), (first, POLARITY), (second, POLARITY)]:
        written(folder, name, "version: 2")
    written(first, ".hidden/x", "")
    found = own_templates("qampari", [RELATIONS], [str(first), str(second)])
    assert found.relations == (f"{first}/clubs.yaml", f"{first}/relations/more.yaml")
    assert [(file.label, file.path) for file in found.overlay.files] == [
        (f"own/{POLARITY}", f"{first}/{POLARITY}"),
        (f"own2/{POLARITY}", f"{second}/{POLARITY}"),
    ]
    one = own_templates("qampari", [RELATIONS], [f"{first}/clubs.yaml"])
    assert one.relations == (f"{first}/clubs.yaml",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "lexicons/polarty.yaml",
            r"polarty\.yaml: wiqa reads no relation templates.*known: adjectives.*polarity",
        ),
        ("polarity.yaml", r"it would lie over lexicons/polarity\.yaml in a folder of that name"),
        ("README.md", "known: adjectives"),
    ],
)
def test_a_file_that_nobody_knows_names_those_that_are(name: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=told):
        own_templates("wiqa", [], [str(written(tmp_path, name, ""))])
    if "/" in name or name.endswith(".md"):
        with pytest.raises(SourceError, match=r"--templates .*known: adjectives"):
            own_templates("qampari", [RELATIONS], [str(tmp_path)])


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="the folder holds no files"):
        own_templates("wiqa", [], [str(tmp_path)])


def test_words_that_no_stage_reads_are_told_of(tmp_path: Path) -> None:
    made = pipeline("wiqa", written(tmp_path, "mentions.yaml", "version: 1"))
    assert "--templates: no stage of wiqa reads mentions.yaml; it changes nothing here" in made.notes


def test_what_is_wrong_is_named_before_a_build(tmp_path: Path) -> None:
    with pytest.raises(StageError, match=r"^--templates .*polarity\.yaml: in two lists: loss"):
        pipeline("wiqa", written(tmp_path, POLARITY, "version: 2\nmore: [loss]"))
