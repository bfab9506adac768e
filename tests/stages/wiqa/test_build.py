"""All stages from files to released records, on the executor: a build as a user runs it."""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.core.shards import read_shards
from stages.io.json_records import JsonRecords
from stages.wiqa import (
    balancing,
    changes,
    explanations,
    influence_graphs,
    no_effect,
    paragraphs,
    path_questions,
    sizes,
    splits,
)
from stages.wiqa import graph_files as graphs_file
from stages.wiqa.release import leak_check
from stages.wiqa.release import records as choice_records
from tests.stages.wiqa.world import full


def pipeline(paragraph_files: list[Path], graph_files: list[Path], buckets: int = 3) -> Pipeline:
    texts = JsonRecords(tuple(map(str, paragraph_files)), kind="paragraphs")
    drawn = JsonRecords(tuple(map(str, graph_files)), kind="influence graphs")
    stages = (
        paragraphs.parse_stage(texts),
        paragraphs.stage(),
        graphs_file.stage(drawn),
        influence_graphs.stage(),
        path_questions.stage(),
        sizes.stage(),
        splits.stage(),
        changes.changes_stage(),
        changes.pool_stage(),
        no_effect.stage(),
        balancing.balance_stage(),
        balancing.chosen_stage(),
        explanations.stage(),
        choice_records.stage(),
        leak_check.stage(),
    )
    return Pipeline("influence", stages, ("records", "questions"), {}, {}, buckets)


def source(folder: Path, seed: int) -> tuple[list[Path], list[Path]]:
    """Sixteen paragraphs over eight topics with two graphs each, and bad records; in an order that the seed chooses."""
    chance = random.Random(seed)
    texts: list[Any] = [
        {"para_id": str(n), "topic": f"topic {n // 2}", "sentences": [f"Part {n} begins.", "It ends."]}
        for n in range(16)
    ]
    drawn: list[Any] = []
    for n in range(32):
        nodes = full(f"of {n}")
        outcome = {"para_outcome_accelerate": nodes.pop("A"), "para_outcome_decelerate": nodes.pop("D")}
        fields = {"Y_affects_outcome": ("more", "less", "")[n % 3], "para_id": str(n // 2), "graph_id": str(n)}
        drawn.append(nodes | outcome | fields)
    drawn += [drawn[0] | {"graph_id": "no-x", "X": ""}, drawn[0] | {"para_id": "99"}, drawn[1]]
    folder.mkdir()
    found: tuple[list[Path], list[Path]] = ([], [])
    for number, records in enumerate((texts, drawn)):
        chance.shuffle(records)
        cut = chance.randint(1, len(records) - 1)
        for part in (records[:cut], records[cut:]):
            path = folder / f"{number}-{len(found[number])}.jsonl"
            path.write_text("".join(json.dumps(record) + "\n" for record in part))
            found[number].append(path)
    return found


def build(root: Path, *files: list[Path], buckets: int = 3) -> BuildManifest:
    runner = Runner(Storage.at(root), BeamOptions(workers=1), lambda stage, job: nullcontext())
    return runner.build(pipeline(*files, buckets=buckets), lambda step: None)


def test_the_order_of_records_and_files_changes_no_byte_and_buckets_change_no_row(tmp_path: Path) -> None:
    first = build(tmp_path / "a", *source(tmp_path / "in1", 1))
    second = build(tmp_path / "b", *source(tmp_path / "in2", 2))
    digests = [
        [shard.sha256 for s in m.stages for t in s.tables.values() for shard in t.shards] for m in (first, second)
    ]
    assert digests[0] == digests[1]
    third = build(tmp_path / "c", *source(tmp_path / "in3", 3), buckets=2)
    rows = []
    for root, manifest in ((tmp_path / "a", first), (tmp_path / "c", third)):
        table = read_shards(Storage.at(root), manifest.table("records").shards, choice_records.CHOICE_RECORDS.schema)
        rows.append(sorted(table["record"].to_pylist()))
    assert rows[0] == rows[1] and len(rows[0]) > 500


def test_every_dropped_record_has_its_reason(tmp_path: Path) -> None:
    manifest = build(tmp_path / "a", *source(tmp_path / "in", 1))
    rejects = {stage.stage: stage.rejects for stage in manifest.stages}
    assert rejects["wiqa.graph_files"] == {"duplicate": 1}
    assert rejects["wiqa.influence_graphs"] == {"no_x": 1, "unknown_paragraph": 1}
    assert set(rejects["wiqa.balancing"]) == {"over_target"}
    metrics = {stage.stage: stage.metrics for stage in manifest.stages}
    assert metrics["wiqa.influence_graphs"]["graphs"] == 32
    assert metrics["wiqa.leak_check"]["topics_in_two_splits"] == 0
    # Every third of 32 graphs, ten, affects no outcome and asks 21 pairs of text; the others ask 41.
    assert metrics["wiqa.path_questions"]["path_questions"] == 22 * 41 + 10 * 21
