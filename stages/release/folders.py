"""The folder of a release: written whole or not at all, and never over anything but an earlier release.

A hidden file in it lists what was written with the digests, so that a later export knows its own files
from those of somebody who keeps a README.md there, or has changed one.

Releases with several benchmarks ("configs") have a folder for each:

    {folder}/README.md                            the card
    {folder}/{config}/{split}.{ending}            the records in the released shape
    {folder}/parquet/{config}/{split}.parquet     the same, and maybe more of each
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from manifests.storage import file_sha256
from stages.io.folders import whole_folder
from stages.release.format import ReleaseError
from stages.splits.relations import SPLITS

CARD, PARQUET = "README.md", "parquet"
LISTING = ".release.json"
"""{"files": {path: sha256}}: what an export wrote, without the listing itself."""
_BATCH = 500


@contextmanager
def release_folder(
    folder: Path, known: Collection[str], card: str, replace: bool = True, force: bool = False
) -> Iterator[Path]:
    """A new folder to write a release to, which takes the place of `folder` when the block ends well.

    known: all paths, folders too, that a release of this kind may hold inside its folder. card: its text.
    force: also takes the place of files with these paths that no export wrote, or that were changed since.

    Raises ReleaseError where `folder` holds anything else: exchanging a folder removes all that was in it.
    """
    _must_be_a_release(folder, known)
    if not force:
        _must_be_as_written(folder)
    with whole_folder(folder, replace) as attempt:
        yield attempt
        (attempt / CARD).write_text(card, encoding="utf-8")
        listed = {path.as_posix(): file_sha256(str(attempt / path)) for path in files_in(attempt)}
        (attempt / LISTING).write_text(json.dumps({"files": listed}, indent=1) + "\n", encoding="utf-8")


def config_paths(configs: Collection[str], ending: str) -> frozenset[str]:
    """All paths of a release with a folder per config; ending: of the released files, without a dot."""
    folders = {PARQUET, *configs, *(f"{PARQUET}/{config}" for config in configs)}
    files = {f"{config}/{split}.{ending}" for config in configs for split in SPLITS}
    return frozenset({CARD} | folders | files | {f"{PARQUET}/{c}/{split}.parquet" for c in configs for split in SPLITS})


def make_config(folder: Path, config: str) -> tuple[Path, Path]:
    """The folder of a config's released files and that of its tables, made."""
    made = folder / config, folder / PARQUET / config
    for one in made:
        one.mkdir(parents=True)
    return made


def write_records(lines: Iterable[str], lines_path: Path, parquet_path: Path, nested: pa.Schema) -> None:
    """Records, a line of JSON each, as JSONL and as a table of the schema `nested`."""
    lines = iter(lines)
    with (
        lines_path.open("w", encoding="utf-8", newline="\n") as file,
        pq.ParquetWriter(parquet_path, nested, compression="zstd") as parquet,
    ):
        while batch := list(islice(lines, _BATCH)):
            file.writelines(f"{line}\n" for line in batch)
            parquet.write_table(pa.Table.from_pylist([json.loads(line) for line in batch], schema=nested))


def files_in(folder: Path) -> list[Path]:
    """Paths of all files of a release's folder but the listing, relative to it and sorted."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if path.as_posix() != LISTING)


def _must_be_a_release(folder: Path, known: Collection[str]) -> None:
    if folder.exists() and not folder.is_dir():
        raise ReleaseError(f"{folder}: not a folder; choose another one")
    for path in sorted(folder.rglob("*")):
        if path.relative_to(folder).as_posix() not in {*known, LISTING}:
            raise ReleaseError(
                f"{folder}: holds {path.relative_to(folder)}, which is no part of a release; "
                "nothing was written; choose a new or an empty folder"
            )


def _must_be_as_written(folder: Path) -> None:
    """Files of a release's names are only replaced where an export wrote them as they are."""
    listed = _listed(folder / LISTING)
    for path in files_in(folder):
        known = listed.get(path.as_posix())
        if known != file_sha256(str(folder / path)):
            what = "was changed since it was exported" if known else "no export of this version wrote"
            raise ReleaseError(
                f"{folder}: holds {path}, which {what}; nothing was written; choose another folder, "
                "or have it replaced with --force"
            )


def _listed(path: Path) -> Mapping[str, str]:
    """Digests by path; none where there is no listing, or none that can be read: then nothing is known to be ours."""
    if not path.is_file():
        return {}
    try:
        files = json.loads(path.read_bytes())["files"]
    except (ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}
