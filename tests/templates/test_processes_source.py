"""Mistakes in the source of the sample of processes are named, with the entry that holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tools import build_processes, processes_source
from tests.tools.processes_source import SourceError


def write(folder: Path, **files: Any) -> Path:
    """A source with one topic and nothing else, but for `files`."""
    paragraph = {"sentences": ["It starts.", "It ends."], "graphs": {1: {"X": "a", "Y": "b", "outcome": "more"}}}
    content: dict[str, Any] = {"topics/one": {"tea": {"prompt": "How?", "paragraphs": {"tea": paragraph}}}}
    content |= {f"{part}/{file}": [] for part in ("odd", "damaged") for file in processes_source.ODD_FILES}
    content |= {"answers/graphs": [], "answers/questions": []} | files
    for name, entries in content.items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(entries), encoding="utf-8")
    return folder


def topic(**paragraph: Any) -> dict[str, Any]:
    own = {"sentences": ["It starts."], **paragraph}
    return {"topics/two": {"coffee": {"prompt": "How?", "paragraphs": {own.pop("name", "coffee"): own}}}}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (topic(name="tea"), "'tea' stands twice"),
        (topic(written="backwards"), "coffee: written: expected one of as sentences"),
        (topic(graphs={1: {"X": "a", "Y": "b", "Q": "c", "outcome": "more"}}), "coffee 1: unknown key 'Q'"),
        (topic(graphs={1: {"X": "a", "Y": "b"}}), "coffee 1: expected either 'outcome' or 'is outcome'"),
        ({"answers/graphs": [{"paragraph": "beer", "worker": "w", "X": "a", "Y": "b", "outcome": "more"}]}, "beer"),
        ({"answers/questions": [{"paragraph": "tea", "change": "x", "effect": "b", "says": {"w": "more"}}]}, "anybody"),
    ],
)
def test_mistakes_in_the_source_are_named(tmp_path: Path, files: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        build_processes.build(write(tmp_path, **files))
