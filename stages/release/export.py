"""Writes a release to a folder, all at once or not at all: JSONL and Parquet per split, sidecar and card.

{folder}/README.md                  the card
{folder}/{split}.jsonl              one record a line, in the layout's order
{folder}/parquet/{split}.parquet    the same records, nested
{folder}/{sidecar}.parquet          what the records have no place for, by its key

A `Layout` says what a benchmark's records look like: ANSWERS for lists of answers with
proofs, CHOICES for multiple-choice questions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stages.contract import TableSpec
from stages.influence.explain import EXPLANATIONS
from stages.io.folders import whole_folder
from stages.release.format import ReleaseError
from stages.release.records import SIDECAR
from stages.splits.relations import SPLITS

_BATCH = 1000

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
) -> Exported:
    """Writes the release beside `folder` first and renames it into place.

    records, sidecar: rows of the layout's tables in any order (RECORDS and SIDECAR for ANSWERS).
    extra: further tables, written as they are to "{name}.parquet".
    replace: allows an earlier release to be exchanged for the new one; a kill leaves either of the two whole,
        at worst the old one under a name that begins like the folder's and ends in ".old".

    Raises ReleaseError where the folder exists and may not be replaced, or holds what no release holds, and where
    two records have one qid.
    """
    folder = folder.absolute()
    repeated = sorted(qid for qid, count in Counter(records["qid"].to_pylist()).items() if count > 1)
    if repeated:
        raise ReleaseError(f"qid: expected one record each, found several of {', '.join(repeated[:3])}")
    if folder.exists() and not replace:
        raise ReleaseError(f"{folder}: already exists; choose another folder, or allow it to be replaced")
    _must_be_a_release(folder, {f"{name}.parquet" for name in (layout.sidecar_name, *(extra or ()))})
    with whole_folder(folder, replace) as attempt:
        questions = _write(records, sidecar, attempt, layout)
        for name, table in (extra or {}).items():
            pq.write_table(table, attempt / f"{name}.parquet", compression="zstd")
        (attempt / "README.md").write_text(card, encoding="utf-8")
        files = tuple(sorted(str(path.relative_to(attempt)) for path in attempt.rglob("*") if path.is_file()))
    return Exported(folder, questions, files)


def _write(records: pa.Table, sidecar: pa.Table, folder: Path, layout: Layout) -> dict[str, int]:
    (folder / "parquet").mkdir()
    present = set(records["split"].to_pylist())
    counts = {}
    for split in [split for split in SPLITS if split in present]:
        rows = records.filter(pc.equal(records["split"], split)).sort_by(layout.order)
        _write_split(rows, folder / f"{split}.jsonl", folder / "parquet" / f"{split}.parquet", layout.nested)
        counts[split] = rows.num_rows
    spec = layout.sidecar
    ordered = sidecar.select(spec.schema.names).sort_by([(name, "ascending") for name in spec.key])
    pq.write_table(ordered, folder / f"{layout.sidecar_name}.parquet", compression="zstd")
    return counts


def _must_be_a_release(folder: Path, tables: set[str]) -> None:
    """Exchanging a folder removes all that was in it, so nothing but an earlier release may be there."""
    if folder.exists() and not folder.is_dir():
        raise ReleaseError(f"{folder}: not a folder; choose another one")
    known = {"README.md", *tables, *(f"{split}.jsonl" for split in SPLITS)}
    known |= {f"parquet/{split}.parquet" for split in SPLITS} | {"parquet"}
    for path in sorted(folder.rglob("*")):
        if path.relative_to(folder).as_posix() not in known:
            raise ReleaseError(
                f"{folder}: holds {path.relative_to(folder)}, which is no part of a release; "
                "nothing was written; choose a new or an empty folder"
            )


def _write_split(rows: pa.Table, lines_path: Path, parquet_path: Path, nested: pa.Schema) -> None:
    with (
        lines_path.open("w", encoding="utf-8", newline="\n") as lines,
        pq.ParquetWriter(parquet_path, nested, compression="zstd") as parquet,
    ):
        for batch in _batches(rows):
            lines.writelines(f"{line}\n" for line in batch)
            parquet.write_table(pa.Table.from_pylist([json.loads(line) for line in batch], schema=nested))


def _batches(rows: pa.Table) -> Iterator[list[str]]:
    column = rows["record"]
    for start in range(0, len(column), _BATCH):
        yield column.slice(start, _BATCH).to_pylist()
