"""Writes a build's release from its published tables."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from stages.release.card import CardText, render_card
from stages.release.export import export_release
from stages.release.records import RECORDS, SIDECAR
from stages.shards import read_shards


def write_release(root: Storage, manifest: BuildManifest, folder: Path, title: str) -> Sequence[Path]:
    """JSONL and Parquet per split, the sidecar and the card; replaces an earlier release in the folder whole."""
    records = _table(root, manifest, RECORDS.name, RECORDS.schema)
    sidecar = _table(root, manifest, SIDECAR.name, SIDECAR.schema)
    licences = {name: text for stage in manifest.stages for name, text in stage.licences.items()}
    text = CardText(
        name=manifest.dataset,
        description="\n\n".join((f"{title}.", *manifest.notes)),
        version=metadata.version("benchwright"),
        licences=licences,
    )
    exported = export_release(records, sidecar, folder, render_card(text, records, sidecar), replace=True)
    return [exported.folder / file for file in exported.files]


def _table(root: Storage, manifest: BuildManifest, name: str, schema: pa.Schema) -> pa.Table:
    return read_shards(root, manifest.table(name).shards, schema)
