"""A small WIQA build whose tasks a crowd answers, for builds that are killed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.model import Pipeline
from pipelines.params import load
from pipelines.rounds import read_rounds
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.simulation.crowd import make_crowd
from stages.annotation.simulation.crowd_answers import annotate, records
from stages.io.detect import detect
from tests.faults import builder
from tests.stages.wiqa.world import full

WIQA = dataset("wiqa")


def pipeline(paths: Sequence[str], buckets: int = 1) -> Pipeline:
    values = load(WIQA.defaults, None, [f"build.buckets={buckets}", "balance.test=4", "balance.train=12"])
    return WIQA.pipeline(values, detect(paths))


def write_input(folder: Path) -> list[str]:
    """Six paragraphs on as many topics, with a graph each."""
    folder.mkdir(parents=True)
    texts, drawn = folder / "paragraphs.jsonl", folder / "graphs.jsonl"
    numbers = range(6)
    paragraphs = [{"para_id": str(n), "topic": f"topic {n}", "sentences": [f"Part {n} begins."]} for n in numbers]
    texts.write_text("".join(json.dumps(row) + "\n" for row in paragraphs))
    graphs = [full(f"of {n}", 1) | {"para_id": str(n), "graph_id": "g", "Y_affects_outcome": "more"} for n in numbers]
    for row in graphs:
        row |= {"para_outcome_accelerate": row.pop("A"), "para_outcome_decelerate": row.pop("D")}
    drawn.write_text("".join(json.dumps(row) + "\n" for row in graphs))
    return [str(texts), str(drawn)]


def write_answers(root: Path, path: Path) -> str:
    """A crowd's answers to all tasks of the build in a root."""
    crowd, rows = make_crowd(7, spammers=1), []
    for one in read_rounds(Storage.at(root), builder.latest(root, "wiqa")):
        kinds = load_kinds(*sorted(set(one.tasks["kind"].to_pylist())))
        rows += annotate(one.tasks.to_pylist(), one.task_keys.to_pylist(), kinds, crowd)
    path.write_text("".join(json.dumps(record) + "\n" for record in records(rows)))
    return str(path)
