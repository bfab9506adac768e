"""Writes a release of composed questions to a folder, all at once or not at all.

{folder}/README.md                             the card
{folder}/{ans, full}/{split}.jsonl             one record a line: answerable questions; these and their contrasts
{folder}/parquet/{ans, full}/{split}.parquet   the same records, nested
{folder}/compositions.parquet                  how each question was composed, by its id
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stages.io.folders import whole_folder
from stages.questions.order import rank
from stages.release.format import ReleaseError
from stages.release.multihop import ANS, CONFIGS
from stages.release.multihop_records import COMPOSITIONS
from stages.splits.relations import SPLITS

_BATCH = 500
_PARAGRAPH = pa.struct(
    [("idx", pa.int64()), ("title", pa.string()), ("paragraph_text", pa.string()), ("is_supporting", pa.bool_())]
)
_STEP = pa.struct(
    [
        ("id", pa.string()),
        ("question", pa.string()),
        ("answer", pa.string()),
        ("paragraph_support_idx", pa.int64()),
    ]
)
NESTED_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("paragraphs", pa.list_(_PARAGRAPH)),
        ("question", pa.string()),
        ("question_decomposition", pa.list_(_STEP)),
        ("answer", pa.string()),
        ("answer_aliases", pa.list_(pa.string())),
        ("answerable", pa.bool_()),
    ]
)
_TABLE = f"{COMPOSITIONS.name}.parquet"
_KNOWN = (
    {"README.md", _TABLE, "parquet", *CONFIGS, *(f"parquet/{config}" for config in CONFIGS)}
    | {f"{config}/{split}.jsonl" for config in CONFIGS for split in SPLITS}
    | {f"parquet/{config}/{split}.parquet" for config in CONFIGS for split in SPLITS}
)


def export_multihop(records: pa.Table, compositions: pa.Table, folder: Path, card: str) -> list[Path]:
    """Writes the release beside `folder` first and renames it into place of an earlier one; returns its files, sorted.

    records: MULTIHOP_RECORDS; compositions: COMPOSITIONS. The records of a file come in an order that tells nothing:
    which of the two with one id is answerable depends on a hash of the id.

    Raises ReleaseError where the folder holds what no release holds.
    """
    folder = folder.absolute()
    _must_be_a_release(folder)
    with whole_folder(folder, replace=True) as attempt:
        for config in CONFIGS:
            (attempt / config).mkdir()
            (attempt / "parquet" / config).mkdir(parents=True)
            chosen = records.filter(records["answerable"]) if config == ANS else records
            for split in SPLITS:
                rows = chosen.filter(pc.equal(chosen["split"], split))
                if rows.num_rows:
                    _write(_ordered(rows), attempt / config / split, attempt / "parquet" / config / split)
        pq.write_table(compositions.sort_by("id"), attempt / _TABLE, compression="zstd")
        (attempt / "README.md").write_text(card, encoding="utf-8")
        files = sorted(path.relative_to(attempt) for path in attempt.rglob("*") if path.is_file())
    return [folder / file for file in files]


def _ordered(rows: pa.Table) -> list[str]:
    columns = (rows[name].to_pylist() for name in ("id", "answerable", "record"))
    ranked = sorted(
        (rank(0, name), rank(0, f"{name} {answerable}"), line) for name, answerable, line in zip(*columns, strict=True)
    )
    return [line for *_, line in ranked]


def _write(lines: list[str], lines_path: Path, parquet_path: Path) -> None:
    with (
        lines_path.with_suffix(".jsonl").open("w", encoding="utf-8", newline="\n") as file,
        pq.ParquetWriter(parquet_path.with_suffix(".parquet"), NESTED_SCHEMA, compression="zstd") as parquet,
    ):
        for start in range(0, len(lines), _BATCH):
            batch = lines[start : start + _BATCH]
            file.writelines(f"{line}\n" for line in batch)
            parquet.write_table(pa.Table.from_pylist([_nested(line) for line in batch], schema=NESTED_SCHEMA))


def _nested(line: str) -> dict[str, object]:
    record: dict[str, object] = json.loads(line)
    return record


def _must_be_a_release(folder: Path) -> None:
    """Exchanging a folder removes all that was in it, so nothing but an earlier release may be there."""
    if folder.exists() and not folder.is_dir():
        raise ReleaseError(f"{folder}: not a folder; choose another one")
    for path in sorted(folder.rglob("*")):
        if path.relative_to(folder).as_posix() not in _KNOWN:
            raise ReleaseError(
                f"{folder}: holds {path.relative_to(folder)}, which is no part of a release; "
                "nothing was written; choose a new or an empty folder"
            )
