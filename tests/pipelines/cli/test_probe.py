"""`probe` tells how far a file of questions can be cheated."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pipelines.commands import refused, run
from tests.stages.musique.probes.samples import PARAGRAPHS, cited, marked


def test_a_table_or_json_for_some_or_all_probes(tmp_path: Path) -> None:
    file, train = tmp_path / "dev.jsonl", tmp_path / "train.json"
    file.write_text(json.dumps(marked("1", "Where was Ann Lee born?", "Bergen", *PARAGRAPHS)) + "\n")
    train.write_text(json.dumps([cited("2", "Where was Bo born?", "Bergen", *PARAGRAPHS)]))
    assert "dire" in run("probe", str(file))
    found = json.loads(
        run("probe", str(file), "--train", str(train), "--probe", "question_only", "--probe", "one_paragraph", "--json")
    )
    assert found["trained_on"] == 1
    assert {probe["probe"]: probe["exact_match"] for probe in found["probes"]} == {
        "question_only": 100.0,
        "one_paragraph": 100.0,
    }


def test_refusals(tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    file.write_text("[]")
    assert "no answerable question" in refused("probe", str(file))
    file.write_text(json.dumps([marked("1", "Where was Ann Lee born?", "Bergen", *PARAGRAPHS)]))
    assert "'guess' is no reader" in refused("probe", str(file), "--reader", "guess")
    assert "'half' is not one of" in refused("probe", str(file), "--probe", "half")
