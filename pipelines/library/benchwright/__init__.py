"""Benchwright as a library: each call does what the command of the same name does, and raises what that would print.

Build a dataset from its built-in sample, or from files of your own, and look at its tables:

>>> import benchwright
>>> made = benchwright.build("wiqa", annotations="sample", root=root)
>>> made.tables["paragraphs"]
18
>>> made.table("graphs").num_rows
47
>>> made.pandas("questions", ["stem", "label"]).shape
(1770, 2)

A stage that is there already is not run again, whoever ran it. What a build would do, and which one there is:

>>> {step.state for step in benchwright.plan("wiqa", annotations="sample", root=root)}
{'cached'}
>>> benchwright.latest("wiqa", root).version == made.version
True

Two builds compare by all that is not true of one run or one machine only:

>>> benchwright.diff(root, root).equal
True

Answers in canonical form, never with an invented part:

>>> benchwright.normalise("20 July 1969").value
'1969-07-20'
>>> benchwright.normalise("3/4/2015").refusal
'day_or_month'

All errors that the project means to raise are among `ERRORS`, and say what to do:

>>> try:
...     benchwright.build("wiqa", settings={"build.bucket": 4})
... except benchwright.ParameterError as error:
...     print(str(error).partition(";")[0])
--set build.bucket=4: unknown parameter 'build.bucket'

Live sources and runners of Beam are for the command `benchwright build`; its results are read here like any other.
"""

from manifests.manifest import ManifestError
from manifests.storage import StorageError
from pipelines.building import Build, build, latest, plan
from pipelines.comparison import Comparison
from pipelines.comparison import compare as diff
from pipelines.datasets import Report
from pipelines.datasets import names as datasets
from pipelines.evaluation import evaluate
from pipelines.params import ParameterError
from pipelines.runner import PlannedStage
from stages.core.contract import StageError
from stages.io.detect import SourceError
from stages.normalise import AnswerPassage, Kind, NormalisedAnswer, TitleTable, normalise

ERRORS = (StageError, ManifestError, StorageError, OSError, ValueError)
"""ParameterError and SourceError are ValueErrors."""

__all__ = [
    "ERRORS",
    "AnswerPassage",
    "Build",
    "Comparison",
    "Kind",
    "ManifestError",
    "NormalisedAnswer",
    "ParameterError",
    "PlannedStage",
    "Report",
    "SourceError",
    "StageError",
    "StorageError",
    "TitleTable",
    "build",
    "datasets",
    "diff",
    "evaluate",
    "latest",
    "normalise",
    "plan",
]
