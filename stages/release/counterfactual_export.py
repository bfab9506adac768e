"""Writes a release of counterfactual questions to a folder, all at once or not at all.

{folder}/README.md                        the card
{folder}/{full, few}/{split}.json         questions, answers and passages, in the released shape
{folder}/parquet/{full, few}/{split}.parquet    the same with all that is known of each
{folder}/corpus.jsonl                     {"id", "title", "text"}: the passages to search, one a line
                                          (also "also", the other ids of a text that several passages have)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stages.release.corpus import Repeats, corpus_lines
from stages.release.counterfactual_records import record_of
from stages.release.counterfactuals import encode_counterfactuals
from stages.release.folders import config_paths, files_in, make_config, release_folder
from stages.splits.grouped import CONFIGS
from stages.splits.relations import SPLITS

CORPUS = "corpus.jsonl"
_NONE = Repeats()
_KNOWN = config_paths(CONFIGS, "json") | {CORPUS}


def export_counterfactuals(
    records: pa.Table,
    contexts: pa.Table,
    corpus: Iterable[pa.Table],
    folder: Path,
    card: str,
    repeats: Repeats = _NONE,
    force: bool = False,
) -> list[Path]:
    """Writes the release beside `folder` first and renames it into place of an earlier one; returns its files, sorted.

    records: COUNTERFACTUAL_RECORDS; contexts: CONTEXTS; corpus: tables of {passage, title, text}, which may be
        large. A context whose text the corpus holds already is not written again.
    repeats: of the corpus, whose repeated texts are then written once. force: see `release_folder`.

    Raises ReleaseError where the folder holds what no release holds.
    """
    folder = folder.absolute()
    with release_folder(folder, _KNOWN, card, force=force) as attempt:
        for config in CONFIGS:
            released, tables = make_config(attempt, config)
            for split in SPLITS:
                rows = records.filter(pc.equal(records[config], split)).sort_by("idx")
                if rows.num_rows:
                    _write_split(rows, released / f"{split}.json")
                    pq.write_table(rows, tables / f"{split}.parquet", compression="zstd")
        with (attempt / CORPUS).open("w", encoding="utf-8", newline="\n") as file:
            lines = corpus_lines(contexts, corpus, repeats)
            file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    return [folder / file for file in files_in(folder)]


def _write_split(rows: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(encode_counterfactuals(record_of(row) for row in rows.to_pylist()))
