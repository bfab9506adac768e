"""Writes a release of composed questions to a folder, all at once or not at all.

{folder}/README.md                             the card
{folder}/{ans, full}/{split}.jsonl             one record a line: answerable questions; these and their contrasts
{folder}/parquet/{ans, full}/{split}.parquet   the same records, nested
{folder}/compositions.parquet                  how each question was composed, by its id
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stages.columns import values
from stages.questions.order import rank
from stages.release.folders import config_paths, files_in, make_config, release_folder, write_records
from stages.release.multihop import ANS, CONFIGS
from stages.release.multihop_records import COMPOSITIONS
from stages.splits.relations import SPLITS

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
_KNOWN = config_paths(CONFIGS, "jsonl") | {_TABLE}


def export_multihop(
    records: pa.Table, compositions: pa.Table, folder: Path, card: str, force: bool = False
) -> list[Path]:
    """Writes the release beside `folder` first and renames it into place of an earlier one; returns its files, sorted.

    records: MULTIHOP_RECORDS; compositions: COMPOSITIONS. The records of a file come in an order that tells nothing:
    which of the two with one id is answerable depends on a hash of the id. force: see `release_folder`.

    Raises ReleaseError where the folder holds what no release holds.
    """
    folder = folder.absolute()
    with release_folder(folder, _KNOWN, card, force=force) as attempt:
        for config in CONFIGS:
            released, tables = make_config(attempt, config)
            chosen = records.filter(records["answerable"]) if config == ANS else records
            for split in SPLITS:
                rows = chosen.filter(pc.equal(chosen["split"], split))
                if rows.num_rows:
                    lines, table = released / f"{split}.jsonl", tables / f"{split}.parquet"
                    write_records(_ordered(rows), lines, table, NESTED_SCHEMA)
        pq.write_table(compositions.sort_by("id"), attempt / _TABLE, compression="zstd")
    return [folder / file for file in files_in(folder)]


def _ordered(rows: pa.Table) -> list[str]:
    ranked = sorted(
        (rank(0, name), rank(0, f"{name} {answerable}"), line)
        for name, answerable, line in values(rows, "id", "answerable", "record")
    )
    return [line for *_, line in ranked]
