"""Figures of WIQA's README."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from stages.wiqa.release.records import CHOICE_QUESTIONS
from tests.figures.blocks import Cell, Figure
from tests.figures.builds import SAMPLE, Build, Work
from tests.pipelines.commands import run


def sample(work: Work) -> Build:
    return work.build("wiqa", "wiqa", *SAMPLE)


def sample_story(work: Work) -> Iterator[Figure]:
    build = sample(work)
    graphs = build.count("wiqa.influence_graphs", "influence_graphs.graphs")
    paths = build.count("wiqa.path_questions", "path_questions")
    foreign = build.count("wiqa.no_effect", "no_effect.no_effect_questions")
    yield f"{graphs} sound graphs"
    yield f"give {paths} questions along paths and {foreign} without an effect."
    yield f"Balanced and split they are {build.count('wiqa.balancing_chosen', 'chosen_questions')};"


def sample_splits(work: Work) -> Iterator[Figure]:
    rows = sample(work).table(CHOICE_QUESTIONS).to_pylist()
    for split in ("train", "dev", "test"):
        own = [row for row in rows if row["split"] == split]
        labels = Counter(row["label"] for row in own)
        yield Cell(split, "questions", f"{len(own):,}")
        yield from (Cell(split, name.replace("_", " "), str(labels[name])) for name in ("more", "less", "no_effect"))
        yield Cell(split, "topics", str(len({row["topic"] for row in own})))


def baselines(work: Work) -> Iterator[Figure]:
    build, release = sample(work), work.folder / "wiqa-release"
    if not release.exists():
        run("export", "wiqa", "--root", str(build.root), "--out", str(release))
    files = [str(release / f"{split}.jsonl") for split in ("train", "test")]
    for name in ("majority", "polarity", "adaboost"):
        overall = json.loads(run("baseline", "wiqa", name, *files, "--json"))["report"]["overall"]
        yield Cell(name, f"sample ({overall['questions']} test questions)", f"{100 * overall['accuracy']:.1f}")
