"""The build file: what it says, where its paths lie, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.build_file import BuildFile, read_build_file, written
from pipelines.datasets import dataset, names
from pipelines.params import load
from stages.core.contract import StageError

TEXT = """
dataset: qampari
name: Clubs
version: 2
authors: [Ann, Ben]
sources: [facts.csv, /data/pages.csv, "sparql:https://my.org/sparql"]
templates: relations
map: {about: text}
params: {queries: {min_answers: 4}}
root: s3://bucket/out
export: release
"""


def test_paths_are_seen_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "build.yaml"
    path.write_text(TEXT, encoding="utf-8")
    assert read_build_file(str(path)) == BuildFile(
        where=str(path),
        dataset="qampari",
        about={"name": "Clubs", "version": "2", "authors": "Ann; Ben"},
        sources=(f"{tmp_path}/facts.csv", "/data/pages.csv", "sparql:https://my.org/sparql"),
        templates=(f"{tmp_path}/relations",),
        map={"about": "text"},
        params={"queries": {"min_answers": 4}},
        root="s3://bucket/out",
        export=f"{tmp_path}/release",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "expected keys such as dataset and sources"),
        ("datset: qampari", "datset: unknown key; expected one of dataset, name"),
        ("dataset: 7", "dataset: expected a text, found 7"),
        ("sources: {a: b}", "sources: expected a list of paths"),
        ("sources: [7]", "sources: expected a list of paths"),
        ("map: {a: 7}", r"map: expected entries as in \{contents: text\}"),
        ("params: {queries: 7}", r"params: expected entries as in \{queries: \{min_answers: 4\}\}"),
        ("name: {a: b}", "name: expected a text"),
        ("name: [a, 7]", "name: expected a text"),
        ("a: b: c", "not a readable YAML file"),
    ],
)
def test_what_no_build_file_says_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "build.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StageError, match=message) as caught:
        read_build_file(str(path))
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StageError, match=r"--config .*nowhere: not a readable YAML file"):
        read_build_file(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("name", names())
def test_what_init_writes_is_read_and_says_the_defaults(tmp_path: Path, name: str) -> None:
    path = tmp_path / "build.yaml"
    defaults = dataset(name).defaults
    told = defaults.read_text(encoding="utf-8")
    path.write_text(written(name, told, "build.yaml", ["a.csv"], ["b"], {"c": "text"}), encoding="utf-8")
    found = read_build_file(str(path))
    assert (found.dataset, found.sources, found.templates) == (name, (f"{tmp_path}/a.csv",), (f"{tmp_path}/b",))
    assert (found.map, found.params, found.about) == ({"c": "text"}, {}, {})
    # With its comments taken away, its parameters are the defaults.
    head, tail = path.read_text(encoding="utf-8").split("params: {}\n")
    path.write_text(tail.replace("# ", "", 1).replace("\n# ", "\n"), encoding="utf-8")
    assert load(defaults, str(path)) == load(defaults)
    assert head.startswith(f"# A build of {name}:")
