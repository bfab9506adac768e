"""From what a user names to a pipeline over it: which files there are, what they hold, and which are left aside."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType

from manifests.secrets import masked
from manifests.storage import size
from pipelines.datasets import Dataset
from pipelines.identity import modules_of
from pipelines.limits import with_record_limit
from pipelines.live import split
from pipelines.model import Pipeline
from pipelines.own_templates import own_templates
from pipelines.params import Values
from stages.core.code import templates_of
from stages.core.overlay import Overlay, using
from stages.io.column_names import KNOWN, USUAL, ColumnNames
from stages.io.detect import ANNOTATIONS, READABLE, RELATIONS, UNKNOWN, Inputs, SourceError, detect, files_of
from stages.io.recompress import one_workers

NOTHING_SAID: Mapping[str, str] = MappingProxyType({})


def read_inputs(
    described: Dataset,
    sources: Sequence[str],
    answers: Sequence[str] = (),
    templates: Sequence[str] = (),
    columns: ColumnNames = USUAL,
) -> Inputs:
    """The files of --source by what they hold, with those of --annotations and --templates, whatever they look like.

    Live sources among them are left to whoever asks them. columns: what --map says.

    Raises:
        SourceError: a path is empty, missing or unreadable, the sample stands beside other files, or there is
            a template file that the dataset does not know.
    """
    sources, _ = split(sources)
    if not all(sources):
        raise SourceError("--source: an empty path; name a file or a folder, or 'sample' for the built-in files")
    if not all(answers):
        raise SourceError("--annotations: an empty path; name a file or a folder with answers of people")
    if "sample" in sources and len(sources) > 1:
        raise SourceError("--source sample stands alone; leave it out to build from other files")
    inputs = detect(list(described.sample()) if "sample" in sources else list(sources), columns)
    own = [path for path in answers if path != "sample"]
    if len(own) < len(answers):
        if described.sample_answers is None:
            raise SourceError(f"--annotations sample: the sample of {described.name} has no answers; name a file")
        own += described.sample_answers()
    mine = own_templates(described.name, described.reads, templates)
    inputs = replace(inputs.layered(RELATIONS, mine.relations), templates=mine.overlay)
    return inputs.plus(ANNOTATIONS, files_of(own, "--annotations"))


def mapped_columns(given: Sequence[str]) -> ColumnNames:
    """What --map says, as COLUMN=FIELD.

    Raises:
        SourceError: it says nothing, or names a field that no simple file has, or two columns of one field.
    """
    pairs = [text.rpartition("=")[::2] for text in given]
    for text, (column, name) in zip(given, pairs, strict=True):
        if not column or name not in KNOWN:
            raise SourceError(f"--map {text}: expected COLUMN=FIELD, where FIELD is one of {', '.join(KNOWN)}")
    if len({name for _, name in pairs}) < len(pairs) or len({column for column, _ in pairs}) < len(pairs):
        raise SourceError(f"--map {' --map '.join(given)}: expected each column and each field once")
    return ColumnNames(dict(pairs))


def left_aside(described: Dataset, inputs: Inputs) -> list[str]:
    """A line for every file that the dataset does not read."""
    kinds = sorted(set(inputs.paths) - {*described.reads, UNKNOWN}) if described.reads else []
    lines = [
        *(f"left aside: {path} (holds {READABLE[UNKNOWN]})" for path in inputs.of(UNKNOWN)),
        *(
            f"left aside: {path} (holds {READABLE[kind]}, which {described.name} does not read)"
            for kind in kinds
            for path in inputs.of(kind)
        ),
    ]
    return [masked(line) for line in lines]


def slow_to_read(inputs: Inputs) -> list[str]:
    """A line for every large file that cannot be shared among workers, with what to do."""
    paths = (path for kind, paths in inputs.paths.items() if kind not in (UNKNOWN, RELATIONS) for path in paths)
    lines = [
        f"{path}: its {size(path) / 1e9:.1f} GB are one worker's work, as this form cannot be read in parts; "
        f"`{shlex.join(['benchwright', 'recompress', path, f'{PurePath(path).stem}.zst'])}` makes one that all workers "
        "read"
        for path in one_workers(sorted(paths))
    ]
    return [masked(line) for line in lines]


def make_pipeline(
    described: Dataset,
    values: Values,
    inputs: Inputs,
    notes: Sequence[str] = (),
    about: Mapping[str, str] = NOTHING_SAID,
) -> Pipeline:
    """The pipeline over the user's files. notes: for the manifest, besides; about: what a build file says of the
    dataset.

    Raises:
        SourceError: what a build cannot do without is missing.
        StageError: a parameter, a template or a model cannot be used.
    """
    limit = values.get("build", {}).get("record_bytes")
    with using(inputs.templates):
        pipeline = with_record_limit(described.pipeline(values, inputs), limit)
    unread = _unread(pipeline, inputs.templates)
    return replace(pipeline, notes=(*pipeline.notes, *notes, *unread), about=about)


def _unread(pipeline: Pipeline, own: Overlay) -> list[str]:
    """A note for every template file of the user's own that no stage reads."""
    if not own.files:
        return []
    read = {name for stage in pipeline.stages for name in templates_of(modules_of(stage), own)}
    return [
        f"--templates: no stage of {pipeline.dataset} reads {file.name}; it changes nothing here"
        for file in own.files
        if file.label not in read
    ]
