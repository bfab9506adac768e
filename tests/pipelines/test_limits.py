"""One option limits every reader's records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.datasets import dataset, names
from pipelines.inputs import make_pipeline, read_inputs
from pipelines.params import load
from stages.core.contract import Source, StageError
from stages.io.several import Several


def sources(source: Source) -> list[Any]:
    return [inner for one in source.sources for inner in sources(one)] if isinstance(source, Several) else [source]


def read(name: str, setting: str, source: str = "sample") -> list[Any]:
    described = dataset(name)
    values = load(described.defaults, None, [setting])
    pipeline = make_pipeline(described, values, read_inputs(described, [source]))
    return [one for stage in pipeline.stages if stage.source is not None for one in sources(stage.source)]


@pytest.mark.parametrize("name", names())
def test_every_source_of_every_dataset_takes_the_limit(name: str) -> None:
    assert {source.max_record_bytes for source in read(name, "build.record_bytes=1000")} == {1000}
    own = {source.max_record_bytes for source in read(name, "build.record_bytes=null")}
    assert own <= {16 << 20, 64 << 20} and own


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "many", "[1]"])
def test_a_limit_is_a_whole_number_of_bytes(value: str) -> None:
    with pytest.raises(StageError, match="build.record_bytes: expected a whole number of bytes from 1 up, got"):
        read("wiqa", f"build.record_bytes={value}")


def test_a_longer_record_is_a_reject(tmp_path: Path) -> None:
    pages = [{"title": title, "qid": "Q1", "text": title * 100} for title in ("short", "longer")]
    (tmp_path / "pages.jsonl").write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    (tmp_path / "entities.json").write_text(json.dumps({"id": "Q1", "labels": {}, "claims": {}}) + "\n")
    (_, prepared) = read("qampari", "build.record_bytes=600", str(tmp_path))
    rows = [row for part in prepared.parts() for table in prepared.read(part) for row in table.to_pylist()]
    assert [(row["title"], row["error"]) for row in rows] == [
        ("short", None),
        (None, f"oversized_line: {len(json.dumps(pages[1]))} bytes, the limit is 600"),
    ]
