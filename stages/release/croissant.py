"""croissant.json: the release in the form of Croissant 1.0 (MLCommons), which loaders of data sets and searches read.

Every table, collection and list of judgements is a file with its digest and a record set of its columns. What lies in
a list within a list of objects has no place in Croissant's record sets and is left out; `sidecar.parquet` and the like
hold it row by row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.release.beir import HEADER, QRELS, QUERIES
from stages.release.corpus import CORPUS

FILE = "croissant.json"
CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_FORMATS = {
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
    ".tsv": "text/tab-separated-values",
}
_TEXT = pa.string()
# Of files that are no tables: what each of their columns is.
_COLUMNS: Mapping[str, pa.Schema] = {
    CORPUS: pa.schema([("_id", _TEXT), ("title", _TEXT), ("text", _TEXT), ("also", _TEXT)]),
    QUERIES: pa.schema([("_id", _TEXT), ("text", _TEXT)]),
    QRELS: pa.schema(list(zip(HEADER, (_TEXT, _TEXT, pa.int64()), strict=True))),
}


@dataclass(frozen=True)
class Described:
    """name, description, version: of the data set; licences: as its sources state them; notes: what a column is, by
    its path, such as "answer_list/aliases"; citation: as its maker asks for it, "" where none does."""

    name: str
    description: str
    version: str
    licences: Sequence[str]
    notes: Mapping[str, str]
    citation: str = ""


def croissant(about: Described, folder: Path, digests: Mapping[str, str]) -> str:
    """The document. digests: SHA-256 by path inside the release's folder; other kinds of files are passed over."""
    files = {path: _schema(folder, path) for path in sorted(digests)}
    tables = {path: schema for path, schema in files.items() if schema is not None}
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "conformsTo": CONFORMS_TO,
        "description": about.description,
        "license": sorted(set(about.licences)) or ["other"],
        "version": about.version,
        **({"citeAs": about.citation} if about.citation else {}),
        "distribution": [_file(folder, path, digests[path]) for path in tables],
        "recordSet": [_record_set(path, schema, about.notes) for path, schema in tables.items()],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _schema(folder: Path, path: str) -> pa.Schema | None:
    """The columns of a file that is a record set, None of any other."""
    if path.endswith(".parquet"):
        return pq.read_schema(folder / path)
    return _COLUMNS.get(PurePosixPath(path).parts[0])


def _file(folder: Path, path: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{(folder / path).stat().st_size} B",
        "encodingFormat": _FORMATS[PurePosixPath(path).suffix],
        "sha256": digest,
    }


def record_set_name(path: str) -> str:
    """What a file's record set is called: its path without "parquet" and ending, with "-" between the parts."""
    return "-".join(part for part in PurePosixPath(path).with_suffix("").parts if part != "parquet")


def _record_set(path: str, schema: pa.Schema, notes: Mapping[str, str]) -> dict[str, Any]:
    name = record_set_name(path)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"The rows of {path}.",
        "field": list(_fields(schema, name, path, notes)),
    }


def _fields(schema: pa.Schema, name: str, path: str, notes: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for column in schema:
        made = _field(column, _Place(f"{name}/{column.name}", path, column.name), notes)
        if made is not None:
            yield made


@dataclass(frozen=True)
class _Place:
    """Where a field's values come from. inside: the keys below the column; listed: whether a list lies above."""

    field_id: str
    path: str
    column: str
    inside: tuple[str, ...] = ()
    listed: bool = False

    def below(self, key: str, listed: bool) -> _Place:
        return _Place(f"{self.field_id}/{key}", self.path, self.column, (*self.inside, key), listed or self.listed)

    @property
    def source(self) -> dict[str, Any]:
        found: dict[str, Any] = {"fileObject": {"@id": self.path}, "extract": {"column": self.column}}
        if self.inside:
            found["transform"] = [{"jsonPath": key} for key in self.inside]
        return found


def _field(column: pa.Field, place: _Place, notes: Mapping[str, str]) -> dict[str, Any] | None:
    """None where a list of objects lies within another."""
    listed = pa.types.is_list(column.type)
    inner = column.type.value_type if listed else column.type
    found: dict[str, Any] = {"@type": "cr:Field", "@id": place.field_id, "name": place.field_id}
    if note := notes.get("/".join((place.column, *place.inside))):
        found["description"] = note
    if listed:
        found["repeated"] = True
    if not pa.types.is_struct(inner):
        return found | {"dataType": _data_type(inner), "source": place.source}
    if listed and place.listed:
        return None
    below = (_field(part, place.below(part.name, listed), notes) for part in inner)
    return found | {"subField": [part for part in below if part is not None]}


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(kind) else "sc:Text"
