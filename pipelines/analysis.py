"""Describes the questions of a published build, split by split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.gaps import why_nothing
from pipelines.published import read_table
from stages.core.contract import StageError
from stages.core.splits import SPLITS
from stages.evaluation.spans import GoldSpan
from stages.ifqa.profile import Profiles, analyse_parts
from stages.ifqa.release.records import COUNTERFACTUAL_RECORDS


def analyse_records(root: Storage, manifest: BuildManifest) -> Profiles:
    """The profiles of a build's records, answers as they were written and with the kinds that the build found.

    Raises StageError: the build has no record, and why that is.
    """
    parts = record_parts(read_table(root, manifest, COUNTERFACTUAL_RECORDS))
    if not parts:
        raise StageError(f"this build of {manifest.dataset} cannot be described. {why_nothing(manifest)}")
    return analyse_parts(parts)


def record_parts(records: pa.Table) -> Mapping[str, Sequence[GoldSpan]]:
    """The questions of COUNTERFACTUAL_RECORDS by their split in the full benchmark, without splits that have none."""
    found = {split: records.filter(pc.equal(records["full"], split)).to_pylist() for split in SPLITS}
    return {
        split: [
            GoldSpan(row["question_id"], row["question"], tuple(row["written"]), tuple(row["context"]), row["kinds"][0])
            for row in rows
        ]
        for split, rows in found.items()
        if rows
    }
