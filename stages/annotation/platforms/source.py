"""Files of answers as a source: JSON in any layout, or CSV with a header, each plain or compressed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from stages.core.canonical import PLACE
from stages.io.delimited import delimited_records, is_delimited
from stages.io.json_files import RECORDS, DumpPart, record_tables
from stages.io.json_records import JsonRecords

# A task with its answers; a CSV row may have a line break in every second byte, each a line to read.
MAX_RECORD_BYTES = 16 * 1024 * 1024
_UNSTATED = "not stated by the file"


@dataclass(frozen=True, order=True)
class CsvPart:
    """A whole CSV file; a quoted field may hold line breaks, so it cannot be cut."""

    uri: str


@dataclass(frozen=True)
class Annotations:
    """Source over files of answers; what a record is, is seen from its fields when it is read.

    paths: local paths or URIs, or none at all. max_record_bytes: of one JSON record or CSV row.
    Tables of {data, error}: one JSON record (of a CSV row: an object by column), or "reason: detail".
    Errors: those of JsonRecords, and broken_csv, bad_encoding. A CSV file is taken for cut (truncated_input) where it
    ends without a line break inside quotes or in a row with too few fields. A broken row costs that row: the line after
    it is read as the next one.
    """

    paths: tuple[str, ...] = field(default=(), metadata=PLACE)
    licence: str = _UNSTATED
    max_record_bytes: int = MAX_RECORD_BYTES

    @property
    def schema(self) -> pa.Schema:
        return RECORDS

    def parts(self) -> list[DumpPart | CsvPart]:
        """Parts of all files.

        Raises StorageError: a file does not exist.
        """
        return [part for path in sorted(self.paths) for part in self._parts_of(path)]

    def _parts_of(self, path: str) -> list[DumpPart | CsvPart]:
        return [CsvPart(path)] if is_delimited(path) else [*self._json(path).parts()]

    def read(self, part: DumpPart | CsvPart) -> Iterator[pa.Table]:
        if isinstance(part, CsvPart):
            return record_tables(delimited_records(part.uri, self.max_record_bytes))
        return self._json(part.file.uri).read(part)

    def _json(self, path: str) -> JsonRecords:
        return JsonRecords((path,), max_record_bytes=self.max_record_bytes, kind="annotations")

    def identity(self) -> Mapping[str, str]:
        """sha256 of each file, numbered in the order of the digests."""
        digests = sorted(digest for path in self.paths for digest in self._json(path).identity().values())
        return {f"annotations:{number}": digest for number, digest in enumerate(digests)}

    def licences(self) -> Mapping[str, str]:
        return {"annotations": self.licence} if self.paths else {}


def simulated_answers(paths: Iterable[str]) -> int:
    """How many records in some files of answers are by workers of a simulated crowd."""
    source = Annotations(tuple(paths))
    tables = (table for part in source.parts() for table in source.read(part))
    return sum(_is_simulated(data) for table in tables for data in table["data"].to_pylist() if data)


def _is_simulated(data: bytes) -> bool:
    if SIMULATED.encode() not in data:
        return False
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        # Whoever reads the record rejects it with its reason.
        return False
    worker = record.get("worker") if isinstance(record, dict) else None
    return isinstance(worker, str) and worker.startswith(SIMULATED)


SIMULATED = "simulated:"
"""How the names of simulated workers begin, so that nobody takes their answers for people's."""
