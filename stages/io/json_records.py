"""JSON records from files as a source: one a line, or an array or objects laid out in any way."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa

from stages.core.contract import Output, TableSpec
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.io import licences
from stages.io.json_files import JsonFiles

UNSTATED = "not stated by the file"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


@dataclass(frozen=True)
class JsonRecords(JsonFiles):
    """Records of any shape, framed as the dumps are: plain or compressed, read in parts where that is possible.

    licence: as their owner states it.
    stated: whether the records may say it themselves, under `license` or `licence`; then every file is read once more.
    Tables of {data, error}: the bytes of one record, or what could not be read ("reason: detail").
    """

    licence: str = UNSTATED
    stated: bool = False

    def licences(self) -> Mapping[str, str]:
        found = self._licences() if self.stated and self.licence == UNSTATED else ()
        return {self.kind: licences.together(found) or self.licence}

    def _licences(self) -> Iterator[str]:
        return (_licence(data) for part in self.parts() for raw in self.read(part) for data, _ in rows(raw) if data)


def _licence(data: bytes) -> str:
    """What a record says of its licence; "" where it says nothing."""
    if b'"licen' not in data:
        return ""
    try:
        record = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Whoever reads the record rejects it with its reason.
        return ""
    told = (record.get("license") or record.get("licence")) if isinstance(record, dict) else None
    return told[: licences.LONGEST] if isinstance(told, str) else ""


@dataclass
class Place:
    """key: what rejects of the record at hand are filed under; its content until the reader knows better."""

    key: str


class Readings:
    """The records of one batch while they are read: how many there are, and those refused, each with its reason.

    metrics: records, bad_records and what the reader counts itself; rejects: of whole records, and the reader's own.
    """

    def __init__(self, *counted: str) -> None:
        self.rejects = Rejects()
        self.metrics = Counter(dict.fromkeys(("records", "bad_records", *counted), 0))

    @contextmanager
    def record(self, data: bytes | None, error: str | None) -> Iterator[Place]:
        """Counts one record; where reading it ends in Refused, it is bad and becomes a reject under the place's key."""
        self.metrics["records"] += 1
        place = Place(content_id(data if data is not None else error))
        try:
            yield place
        except Refused as fault:
            self.metrics["bad_records"] += 1
            self.rejects.add(place.key, fault.reason, str(fault))

    def output(self, *tables: tuple[TableSpec, list[dict[str, Any]]]) -> Output:
        """Each table out of its rows, with all rejects and metrics."""
        made = {spec.name: spec.table(found) for spec, found in tables}
        return Output(made, self.rejects.table(), {name: float(count) for name, count in self.metrics.items()})


def decode(data: bytes | None, error: str | None) -> dict[str, Any]:
    """The record of one row of a source.

    Raises Refused: broken_json, not_an_object, or the reason that the source gave.
    """
    if data is None:
        reason, _, detail = (error or "").partition(": ")
        raise Refused(reason or "broken_json", detail)
    try:
        record = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise Refused("broken_json", f"{fault}: {data[:100].decode('utf-8', 'replace')}") from fault
    if not isinstance(record, dict):
        raise Refused("not_an_object", str(record)[:100])
    return record


def rows(raw: pa.Table) -> list[tuple[bytes | None, str | None]]:
    """(data, error) of each row of a source's table."""
    return list(zip(raw.column("data").to_pylist(), raw.column("error").to_pylist(), strict=True))


def identifier(record: Mapping[str, Any], name: str) -> str:
    """An id of a record as text; numbers count as their digits.

    Raises Refused: bad_{name}. Ids become parts of other ids, so they hold no separators.
    """
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise Refused(f"bad_{name}", f"expected letters, digits, '.', '_' or '-', at most 64, got {str(value)[:80]!r}")
    return value


def content_id(data: bytes | str | None) -> str:
    """A key for a record that has none of its own."""
    content = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data or b""
    return f"sha256:{hashlib.sha256(content).hexdigest()[:12]}"
