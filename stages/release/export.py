"""Writes a release to a folder, all at once or not at all: JSONL and Parquet per split, sidecar and card.

{folder}/README.md                  the card
{folder}/{split}.jsonl              one record a line, in the layout's order
{folder}/parquet/{split}.parquet    the same records, nested
{folder}/{sidecar}.parquet          what the records have no place for, by its key

A `Layout` says what a benchmark's records look like: ANSWERS for lists of answers with
proofs, CHOICES for multiple-choice questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stages.contract import TableSpec
from stages.influence.explain import EXPLANATIONS
from stages.release.folders import CARD, PARQUET, files_in, release_folder, write_records
from stages.release.format import ReleaseError
from stages.release.records import SIDECAR
from stages.splits.relations import SPLITS

_STRINGS = pa.list_(pa.string())
_ENTITY = pa.struct([("entity_url", pa.string()), ("entity_text", pa.string()), ("aliases", _STRINGS)])
_PROOF = pa.struct([("proof_text", pa.string()), ("found_in_url", pa.string()), ("pid", pa.string())])
_ANSWER = pa.struct(
    [
        ("answer_text", pa.string()),
        ("aid", pa.string()),
        ("aliases", _STRINGS),
        ("answer_url", pa.string()),
        ("proof", pa.list_(_PROOF)),
    ]
)
NESTED_SCHEMA = pa.schema(
    [
        ("entities", pa.list_(_ENTITY)),
        ("question_text", pa.string()),
        ("answer_list", pa.list_(_ANSWER)),
        ("qid", pa.string()),
    ]
)


_CHOICE = pa.struct([("label", pa.string()), ("text", pa.string())])
_CHOICE_QUESTION = pa.struct(
    [
        ("stem", pa.string()),
        ("para_steps", _STRINGS),
        ("answer_label", pa.string()),
        ("answer_label_as_choice", pa.string()),
        ("choices", pa.list_(_CHOICE)),
    ]
)
_METADATA = pa.struct(
    [
        ("ques_id", pa.string()),
        ("graph_id", pa.string()),
        ("para_id", pa.string()),
        ("question_type", pa.string()),
        ("path_len", pa.int64()),
    ]
)


_KNOWN = {CARD, PARQUET, *(name for split in SPLITS for name in (f"{split}.jsonl", f"{PARQUET}/{split}.parquet"))}


@dataclass(frozen=True)
class Layout:
    """How records are laid out. nested: their Parquet schema; order: the column they are sorted by;
    sidecar: the table of what they have no place for; sidecar_name: its file, without the ending."""

    nested: pa.Schema
    order: str
    sidecar: TableSpec
    sidecar_name: str


ANSWERS = Layout(NESTED_SCHEMA, "qid", SIDECAR, "sidecar")
CHOICES = Layout(
    pa.schema([("question", _CHOICE_QUESTION), ("metadata", _METADATA)]), "qid", EXPLANATIONS, "explanations"
)


@dataclass(frozen=True)
class Exported:
    """What was written. questions: per split, in the order train, dev, test; files: paths inside the folder, sorted."""

    folder: Path
    questions: Mapping[str, int]
    files: tuple[str, ...]


def export_release(
    records: pa.Table,
    sidecar: pa.Table,
    folder: Path,
    card: str,
    replace: bool = False,
    layout: Layout = ANSWERS,
    extra: Mapping[str, pa.Table] | None = None,
    force: bool = False,
) -> Exported:
    """Writes the release beside `folder` first and renames it into place.

    records, sidecar: rows of the layout's tables in any order (RECORDS and SIDECAR for ANSWERS).
    extra: further tables, written as they are to "{name}.parquet".
    replace: allows an earlier release to be exchanged for the new one; a kill leaves either of the two whole,
        at worst the old one under a name that begins like the folder's and ends in ".old".
    force: see `release_folder`.

    Raises ReleaseError where the folder exists and may not be replaced, or holds what no release holds, and where
    two records have one qid.
    """
    folder = folder.absolute()
    repeated = sorted(qid for qid, count in Counter(records["qid"].to_pylist()).items() if count > 1)
    if repeated:
        raise ReleaseError(f"qid: expected one record each, found several of {', '.join(repeated[:3])}")
    if folder.exists() and not replace:
        raise ReleaseError(f"{folder}: already exists; choose another folder, or allow it to be replaced")
    tables = {f"{name}.parquet" for name in (layout.sidecar_name, *(extra or ()))}
    with release_folder(folder, _KNOWN | tables, card, replace, force) as attempt:
        questions = _write(records, sidecar, attempt, layout)
        for name, table in (extra or {}).items():
            pq.write_table(table, attempt / f"{name}.parquet", compression="zstd")
    return Exported(folder, questions, tuple(map(str, files_in(folder))))


def _write(records: pa.Table, sidecar: pa.Table, folder: Path, layout: Layout) -> dict[str, int]:
    (folder / PARQUET).mkdir()
    present = set(records["split"].to_pylist())
    counts = {}
    for split in [split for split in SPLITS if split in present]:
        rows = records.filter(pc.equal(records["split"], split)).sort_by(layout.order)
        lines, table = folder / f"{split}.jsonl", folder / PARQUET / f"{split}.parquet"
        write_records(rows["record"].to_pylist(), lines, table, layout.nested)
        counts[split] = rows.num_rows
    spec = layout.sidecar
    ordered = sidecar.select(spec.schema.names).sort_by([(name, "ascending") for name in spec.key])
    pq.write_table(ordered, folder / f"{layout.sidecar_name}.parquet", compression="zstd")
    return counts
