"""The dataset `openings`: pages in, questions with a blank out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from openings import cloze
from openings.cloze import ClozeParams
from pipelines.corpus import wikipedia
from pipelines.datasets import Dataset, Report
from pipelines.model import Pipeline, licences
from pipelines.params import Values, section
from stages.core.contract import StageError
from stages.io.detect import MEDIAWIKI, PAGES, Inputs
from stages.wikipedia import pages

HERE = Path(__file__).parent


def need(values: Values, inputs: Inputs) -> None:
    inputs.need("Wikipedia dump or prepared pages", MEDIAWIKI, PAGES)


def pipeline(values: Values, inputs: Inputs) -> Pipeline:
    need(values, inputs)
    stages = (pages.stage(wikipedia(inputs)), cloze.stage(section(ClozeParams, values, "openings")))
    return Pipeline("openings", stages, ("cloze",), values, licences(stages), values["build"]["buckets"])


def export(root: Storage, manifest: BuildManifest, folder: Path, force: bool = False) -> Sequence[Path]:
    raise StageError("openings: read the table `cloze` from the build; this example writes no release")


def evaluate(gold: Path, predictions: Path) -> Report:
    raise StageError("openings: this example has no measure of its own")


DATASET = Dataset(
    name="openings",
    title="Openings: which thing an article's first line is about",
    folder=HERE,
    pipeline=pipeline,
    sample=lambda: [str(HERE / "pages.jsonl")],
    export=export,
    evaluate=evaluate,
    need=need,
    rounds=lambda manifest: (),
    reads=(MEDIAWIKI, PAGES),
)
