"""Writes a release to a folder, whole or not at all, and never over anything but an earlier release.

    {folder}/README.md                          the card
    {folder}/{config}/{split}.{ending}          the records in the released shape
    {folder}/parquet/{config}/{split}.parquet   the same, and maybe more of each
    {folder}/...                                files beside them, such as a table of what the records have no place for
    {folder}/corpus.jsonl, queries.jsonl, qrels the same questions as a task of retrieval (`stages.release.beir`)
    {folder}/lm_eval/...                        tasks of the LM evaluation harness (`stages.release.harness`)
    {folder}/croissant.json                     the release in Croissant's form (`stages.release.croissant`)

A benchmark that is alone in its release has no folder of its own: its config is "". A hidden file lists what was
written with the digests, so that a later export knows its own files from those of somebody who keeps a README.md
there, or has changed one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from manifests.storage import file_sha256
from stages.core.splits import SPLITS
from stages.io.folders import whole_folder
from stages.release.beir import QUERIES, Retrieval, qrels_path, write_retrieval
from stages.release.card import CardText, Facts, Holdings, render_card
from stages.release.corpus import CORPUS
from stages.release.croissant import FILE as CROISSANT
from stages.release.croissant import Described, croissant
from stages.release.format import Record, ReleaseError, arrow_schema, notes_of
from stages.release.harness import Harness, task_paths, tasks_of, write_tasks

CARD, PARQUET = "README.md", "parquet"
LISTING = ".release.json"
"""{"files": {path: sha256}}: what an export wrote, without the listing itself."""
NO_PAPERS: Mapping[str, str] = MappingProxyType({})
_BATCH = 500


@dataclass(frozen=True)
class Layout:
    """What a dataset's releases are like. beside: names of the files beside the records; card: the template of its own
    parts; configs: its benchmarks; ending: "jsonl" for a record a line, "json" for an array of them; searched: those of
    its benchmarks that are tasks of retrieval as well; harness: its tasks for the LM evaluation harness; categories:
    the Hub's, of its questions."""

    record: type[Record]
    beside: tuple[str, ...]
    card: str
    configs: tuple[str, ...] = ("",)
    ending: str = "jsonl"
    searched: tuple[str, ...] = ()
    harness: Harness | None = None
    categories: tuple[str, ...] = ("question-answering",)

    def paths(self, config: str, split: str) -> tuple[Path, Path]:
        """Of a split's records and of its table, inside the folder."""
        return Path(config, f"{split}.{self.ending}"), Path(PARQUET, config, f"{split}.parquet")

    def known(self, name: str) -> frozenset[str]:
        """All paths, folders too, that a release of a dataset's name may hold inside its folder."""
        files = [path for config in self.configs for split in SPLITS for path in self.paths(config, split)]
        if self.searched:
            files += [
                Path(CORPUS),
                Path(QUERIES),
                *(qrels_path(one, split) for one in self.searched for split in SPLITS),
            ]
        if self.harness is not None:
            files += task_paths(self.harness, name)
        folders = {folder.as_posix() for path in files for folder in path.parents}
        return frozenset({CARD, CROISSANT, *self.beside, *folders, *(path.as_posix() for path in files)})


@dataclass(frozen=True)
class SplitFile:
    """A split of a benchmark. lines: its records in their order; table: what Parquet holds, by default the same."""

    config: str
    split: str
    lines: Sequence[str]
    table: pa.Table | None = None


@dataclass(frozen=True)
class Release:
    """All that is written of some questions. facts: the card's own fields; beside: tables by file name."""

    layout: Layout
    splits: Sequence[SplitFile]
    facts: Facts
    beside: Mapping[str, pa.Table] = field(default_factory=dict)
    retrieval: Retrieval | None = None

    def card(self, text: CardText) -> str:
        """The card in Markdown; raises ReleaseError where the template asks for a field that is not there."""
        layout = self.layout
        held = Holdings(
            self.present,
            sum(len(part.lines) for part in self.splits),
            self.judged,
            self.retrieval.collection.repeated if self.retrieval else 0,
            list(tasks_of(layout.harness, text.name, self.present)) if layout.harness else [],
            (*layout.categories, *(["text-retrieval"] if self.judged else [])),
        )
        return render_card(text, layout.card, self.facts, held, layout.record)

    @property
    def present(self) -> dict[str, list[str]]:
        """The splits of each benchmark."""
        return {config: [part.split for part in self.splits if part.config == config] for config in self.layout.configs}

    @property
    def judged(self) -> dict[str, list[str]]:
        """The splits with judged passages of each benchmark that has any, in the order of splits."""
        relevant = self.retrieval.relevant if self.retrieval else {}
        found = {config: [split for split in SPLITS if (config, split) in relevant] for config in self.layout.searched}
        return {config: splits for config, splits in found.items() if splits}


def splits_of(records: pa.Table) -> list[SplitFile]:
    """The splits of a table of {qid, split, record: a line}, by qid; ReleaseError where one qid comes twice."""
    repeated = sorted(qid for qid, count in Counter(records["qid"].to_pylist()).items() if count > 1)
    if repeated:
        raise ReleaseError(f"qid: expected one record each, found several of {', '.join(repeated[:3])}")
    tables = {split: rows_of(records, "split", split).sort_by("qid") for split in SPLITS}
    return [SplitFile("", split, rows["record"].to_pylist()) for split, rows in tables.items() if rows.num_rows]


def rows_of(table: pa.Table, column: str, split: str) -> pa.Table:
    """The rows whose column names the split."""
    return table.filter(pc.equal(table[column], split))


def export_release(
    release: Release, folder: Path, text: CardText, force: bool = False, papers: Mapping[str, str] = NO_PAPERS
) -> list[Path]:
    """Writes the release beside `folder` first and renames it into place of an earlier one; returns its files, sorted.

    A kill leaves the old or the new one whole, at worst the old one under a name that begins like the folder's and
    ends in ".old". force: also replaces files of a release's names that no export wrote, or that were changed since.
    papers: texts by file name that say where the release comes from.

    Raises ReleaseError where the folder holds anything else: exchanging a folder removes all that was in it.
    """
    folder, layout = folder.absolute(), release.layout
    with release_folder(folder, {*layout.known(text.name), *papers}, release.card(text), force) as attempt:
        for name, said in papers.items():
            (attempt / name).write_text(said, encoding="utf-8")
        for config in layout.configs:
            for path in layout.paths(config, ""):
                (attempt / path).parent.mkdir(parents=True, exist_ok=True)
        for part in release.splits:
            lines, table = (attempt / path for path in layout.paths(part.config, part.split))
            _write_split(part, lines, table, layout)
        for name, content in release.beside.items():
            pq.write_table(content, attempt / name, compression="zstd")
        if release.retrieval is not None:
            write_retrieval(release.retrieval, attempt)
        if layout.harness is not None:
            write_tasks(layout.harness, text.name, release.present, attempt)
        version = text.own.get("version", text.version)
        about = Described(
            text.name, text.description, version, text.stated, notes_of(layout.record), text.own.get("citation", "")
        )
        (attempt / CROISSANT).write_text(croissant(about, attempt, digests_in(attempt)), encoding="utf-8")
    return [folder / file for file in files_in(folder)]


def _write_split(part: SplitFile, lines_path: Path, table_path: Path, layout: Layout) -> None:
    with lines_path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_framed(part.lines, layout.ending))
    if part.table is not None:
        pq.write_table(part.table, table_path, compression="zstd")
        return
    schema = arrow_schema(layout.record)
    with pq.ParquetWriter(table_path, schema, compression="zstd") as parquet:
        for start in range(0, len(part.lines), _BATCH):
            batch = part.lines[start : start + _BATCH]
            parquet.write_table(pa.Table.from_pylist([json.loads(line) for line in batch], schema=schema))


def _framed(lines: Iterable[str], ending: str) -> Iterator[str]:
    if ending == "jsonl":
        yield from (f"{line}\n" for line in lines)
        return
    yield "["
    for number, line in enumerate(lines):
        yield f"{',' if number else ''}\n{line}"
    yield "\n]\n"


@contextmanager
def release_folder(folder: Path, known: Collection[str], card: str, force: bool = False) -> Iterator[Path]:
    """A new folder to write a release to, which takes the place of `folder` when the block ends well."""
    _must_be_a_release(folder, known)
    if not force:
        _must_be_as_written(folder)
    with whole_folder(folder, replace=True) as attempt:
        yield attempt
        (attempt / CARD).write_text(card, encoding="utf-8")
        listed = digests_in(attempt)
        (attempt / LISTING).write_text(json.dumps({"files": listed}, indent=1) + "\n", encoding="utf-8")


def digests_in(folder: Path) -> dict[str, str]:
    """SHA-256 of all files of a release's folder but the listing, by path inside it."""
    return {path.as_posix(): file_sha256(str(folder / path)) for path in files_in(folder)}


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
    listed = listed_files(folder / LISTING)
    for path in files_in(folder):
        known = listed.get(path.as_posix())
        if known != file_sha256(str(folder / path)):
            what = "was changed since it was exported" if known else "no export of this version wrote"
            raise ReleaseError(
                f"{folder}: holds {path}, which {what}; nothing was written; choose another folder, "
                "or have it replaced with --force"
            )


def listed_files(path: Path) -> Mapping[str, str]:
    """Digests by path; none where there is no listing, or none that can be read: then nothing is known to be ours."""
    if not path.is_file():
        return {}
    try:
        files = json.loads(path.read_bytes())["files"]
    except (ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}
