"""Writes a build's release from its published tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.gaps import why_nothing
from pipelines.provenance import described, papers
from pipelines.published import iterate_table, read_table
from stages.core.contract import TableSpec
from stages.ifqa.passages import WORD_PASSAGES
from stages.ifqa.release import records as counterfactual_records
from stages.ifqa.release.records import CONTEXTS, COUNTERFACTUAL_RECORDS
from stages.musique.release import records as multihop_records
from stages.musique.release.records import COMPOSITIONS, MULTIHOP_RECORDS
from stages.qampari.release import records
from stages.qampari.release.records import RECORDS, SIDECAR
from stages.release.card import CardText
from stages.release.corpus import Look, collect
from stages.release.export import Release, export_release
from stages.release.format import ReleaseError
from stages.wikipedia.segment import PASSAGES
from stages.wiqa.explanations import EXPLANATIONS
from stages.wiqa.release import records as choice_records
from stages.wiqa.release.records import CHOICE_QUESTIONS, CHOICE_RECORDS

Made = Callable[[Storage, BuildManifest], Release]
Writer = Callable[[Storage, BuildManifest, Path, str, bool], Sequence[Path]]
"""Writes the release of a build into a folder, in place of an earlier one; returns the paths written.

Its last arguments: the dataset's title, and whether files of a release's names may be replaced that no export wrote.
Raises ReleaseError: there is no question (yet), or the folder holds what no release holds.
"""


def _writer(made: Made) -> Writer:
    def write(root: Storage, manifest: BuildManifest, folder: Path, title: str, force: bool) -> Sequence[Path]:
        if why := why_nothing(manifest):
            raise ReleaseError(f"this build of {manifest.dataset} cannot be released. {why}")
        text = CardText(
            name=manifest.dataset,
            description="\n\n".join((described(manifest, title), *manifest.notes)),
            version=metadata.version("benchwright"),
            licences={name: text for stage in manifest.stages for name, text in stage.licences.items()},
            own=manifest.about,
        )
        return export_release(made(root, manifest), folder, text, force, papers(manifest, title))

    return write


def _of(made: Callable[..., Release], *specs: TableSpec) -> Made:
    """What is made of some tables of a build, read whole."""
    return lambda root, manifest: made(*(read_table(root, manifest, spec) for spec in specs))


def _look(root: Storage, manifest: BuildManifest, spec: TableSpec) -> Look:
    """The passages of a build shard by shard; none where it has no such table. Their id is the table's one key."""
    has_corpus = any(spec.name in stage.tables for stage in manifest.stages)
    [key] = spec.key

    def look(*columns: str) -> Iterator[pa.Table]:
        wanted = [key if column == "passage" else column for column in columns]
        for table in iterate_table(root, manifest, spec, wanted) if has_corpus else ():
            yield table.select(wanted).rename_columns(list(columns))

    return look


def _answers(root: Storage, manifest: BuildManifest) -> Release:
    found, sidecar = (read_table(root, manifest, spec) for spec in (RECORDS, SIDECAR))
    return records.release(found, sidecar, collect(_look(root, manifest, PASSAGES)))


def _counterfactuals(root: Storage, manifest: BuildManifest) -> Release:
    questions, contexts = (read_table(root, manifest, spec) for spec in (COUNTERFACTUAL_RECORDS, CONTEXTS))
    return counterfactual_records.release(questions, collect(_look(root, manifest, WORD_PASSAGES), contexts))


write_release = _writer(_answers)
write_choices = _writer(_of(choice_records.release, CHOICE_RECORDS, CHOICE_QUESTIONS, EXPLANATIONS))
write_counterfactuals = _writer(_counterfactuals)
write_multihop = _writer(_of(multihop_records.release, MULTIHOP_RECORDS, COMPOSITIONS))
