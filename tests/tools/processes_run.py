"""Runs all stages of a WIQA build in one process, a whole table at a time.

Tables are published as a build does it, in one bucket: sorted, and with repeated keys rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipelines.params import load
from pipelines.wiqa.pipeline import DATASET
from stages.core.contract import Stage
from stages.core.shards import sort_bucket
from stages.io.detect import ANNOTATIONS, GRAPHS, PARAGRAPHS, Inputs

KIND_OF_FILE = {
    "paragraphs.jsonl": PARAGRAPHS,
    "graphs.jsonl": GRAPHS,
    "answers.jsonl": ANNOTATIONS,
    "label_studio.json": ANNOTATIONS,
}


@dataclass
class Run:
    """tables: by name; rejects, metrics: by stage."""

    tables: dict[str, pa.Table] = field(default_factory=dict)
    rejects: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    metrics: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def rows(self, table: str) -> list[dict[str, Any]]:
        return self.tables[table].to_pylist()

    def reasons(self, stage: str) -> dict[str, int]:
        """How often each reason occurs among a stage's rejects."""
        counts: Counter[str] = Counter()
        for row in self.rejects[stage]:
            counts[row["reason"]] += row["count"]
        return dict(counts)

    def do(self, stage: Stage) -> None:
        output = stage.call(*self._inputs(stage))
        self.rejects[stage.name] = output.rejects.to_pylist()
        self.metrics[stage.name] = output.metrics
        for spec in stage.outputs:
            published = sort_bucket([output.tables[spec.name]], spec, stage.name)
            self.tables[spec.name] = published.rows
            self.rejects[stage.name] += published.rejects.to_pylist()

    def _inputs(self, stage: Stage) -> list[pa.Table]:
        if stage.source is None:
            return [self.tables[name] for name in (*stage.inputs, *stage.side)]
        read = [table for part in stage.source.parts() for table in stage.source.read(part)]
        return [pa.concat_tables([stage.source.schema.empty_table(), *read])]


def run(*folders: Path, settings: Sequence[str] = ()) -> Run:
    """A build from the files of some folders that are named in KIND_OF_FILE. settings: as --set takes them."""
    paths: dict[str, tuple[str, ...]] = {}
    for folder in folders:
        for name, kind in KIND_OF_FILE.items():
            if (folder / name).is_file():
                paths[kind] = (*paths.get(kind, ()), str(folder / name))
    done = Run()
    for stage in DATASET.pipeline(load(DATASET.defaults, None, settings), Inputs(paths)).stages:
        done.do(stage)
    return done
