"""The datasets there are: every folder in pipelines/ that holds a pipeline.py, and those of other packages.

A package names its own as entry points of the group `benchwright.datasets`: `clubs = "clubs.pipeline:DATASET"`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.lineage import Lineage
from pipelines.model import Pipeline
from pipelines.params import Values
from stages.annotation.forms.answers import Answers
from stages.core.contract import StageError
from stages.io.detect import Inputs

HERE = Path(__file__).parent
ENTRY_POINTS = "benchwright.datasets"


class Report(Protocol):
    """What an evaluation says: numbers for a script, a table for a person."""

    def as_dict(self) -> dict[str, Any]: ...

    def as_text(self) -> str: ...


class Outcome(Protocol):
    """What a baseline's run says: its predictions as JSON lines, and their evaluation."""

    @property
    def report(self) -> Report: ...

    def lines(self) -> str: ...

    def as_dict(self) -> dict[str, object]: ...


class Analysis(Protocol):
    """What the questions are like: numbers for a script, a table for a person, and plots as SVG by file name."""

    def as_dict(self) -> dict[str, object]: ...

    def as_text(self) -> str: ...

    def plots(self) -> dict[str, bytes]: ...


@dataclass(frozen=True)
class PaperStep:
    """A step of the paper, for the funnel.

    stages: those that do it here, the last of which is told of by the paper's count; takes, gives: the tables that
    come in and out, "" for files; alternatives are divided by "|", as parameters may leave a stage out.
    count: the paper's own count of what comes out, in its words.
    """

    name: str
    stages: tuple[str, ...]
    takes: str
    gives: str
    count: str = ""


@dataclass(frozen=True)
class Dataset:
    """One dataset, as its pipeline.py describes it.

    pipeline: makes the stages from parameters and input files.
    sample: paths of the built-in sample's files; sample_answers: of people's answers to its tasks.
    export: writes the release format into a folder; returns the paths written. Its last argument: whether files
        that no export wrote may be replaced.
    evaluate: scores a file of predictions against a gold file.
    reads: the kinds of files that its pipeline reads (`stages.io.detect`), so that others can be pointed out;
        none where it does not say.
    need: raises SourceError where the inputs lack what a build cannot do without.
    properties: of Wikidata, whose statements it reads, by its inputs; a live source is asked for these where a
        recipe names none.
    names: that its identity checks or its normaliser will want to tell apart, of some inputs, those that matter most
        first; a live wiki is asked for the pages that they may stand for.
    paper: the paper's steps in their order, with its own counts, for the funnel.
    baselines: what can be run on a release, with a line about each; baseline: runs one by name.
    picture: draws the record of a key as SVG.
    folder: where its params.yaml lies; beside its pipeline.py where it says none.
    analyse, analyse_build: describe the questions of released files, and of a build.
    lineage: how its records tell their whole way back; none for a dataset that does not say.
    parts: the keys that a key of its tables is made of, such as those of two queries; none where it is of one piece.
    rounds: the names of the rounds of people's work that a build has or, with answers of people, may come to have.
    no_tasks: why a round of people's work, by its name, has no tasks in a build; "" where it cannot say.
    truths: what a simulated crowd takes for the right answers, per task, beyond those that are known; empty for a
        task of which it can say nothing sensible, which is then left out.
    """

    name: str
    title: str
    pipeline: Callable[[Values, Inputs], Pipeline]
    sample: Callable[[], Sequence[str]]
    export: Callable[[Storage, BuildManifest, Path, bool], Sequence[Path]]
    evaluate: Callable[[Path, Path], Report]
    need: Callable[[Values, Inputs], None]
    rounds: Callable[[BuildManifest], Sequence[str]]
    reads: tuple[str, ...] = ()
    properties: Callable[[Inputs], Sequence[str]] | None = None
    names: Callable[[Inputs, Values], Iterable[str]] | None = None
    paper: Sequence[PaperStep] = ()
    sample_answers: Callable[[], Sequence[str]] | None = None
    baselines: Mapping[str, str] = field(default_factory=dict)
    baseline: Callable[..., Outcome] | None = None
    picture: Callable[[Storage, BuildManifest, str], str] | None = None
    no_tasks: Callable[[BuildManifest, str], str] | None = None
    truths: Callable[[Storage, BuildManifest], Mapping[str, Answers]] | None = None
    analyse: Callable[[Sequence[Path]], Analysis] | None = None
    analyse_build: Callable[[Storage, BuildManifest], Analysis] | None = None
    folder: Path | None = None
    lineage: Lineage | None = None
    parts: Callable[[str], Sequence[str]] | None = None

    @property
    def defaults(self) -> Path:
        return (self.folder or HERE / self.name) / "params.yaml"


def names() -> list[str]:
    return sorted({*_own(), *_elsewhere()})


def _own() -> set[str]:
    return {path.parent.name for path in HERE.glob("*/pipeline.py")}


def _elsewhere() -> dict[str, metadata.EntryPoint]:
    return {found.name: found for found in metadata.entry_points(group=ENTRY_POINTS)}


def having(part: str) -> str:
    """The datasets that have an optional part, such as "baselines" or "picture", for a message about one without."""
    found = [name for name in names() if getattr(dataset(name), part)]
    return ", ".join(found) or "none"


def dataset(name: str) -> Dataset:
    """The dataset of a name.

    Raises:
        StageError: there is none, two packages have one, or what its package names is none.
    """
    if name not in names():
        raise StageError(f"no dataset {name!r}; there are {', '.join(names())}")
    outside = _elsewhere().get(name)
    if outside is None:
        found = importlib.import_module(f"pipelines.{name}.pipeline").DATASET
        where = f"pipelines/{name}/pipeline.py: DATASET"
    elif name in _own():
        raise StageError(f"{outside.value}: there is a built-in dataset {name!r}; its package has to name its own anew")
    else:
        found, where = _load(outside), outside.value
    if not isinstance(found, Dataset):
        raise StageError(f"{where} is not a Dataset")
    if found.name != name:
        raise StageError(f"{where}: its name is {found.name!r}; expected {name!r}, as it is registered")
    return found


def _load(outside: metadata.EntryPoint) -> object:
    try:
        return outside.load()
    except (ImportError, AttributeError) as error:
        raise StageError(f"{outside.value}, which is registered as dataset {outside.name!r}: {error}") from error
