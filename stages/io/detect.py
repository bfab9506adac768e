"""Sorts the user's input paths by what they hold.

A folder stands for the files directly inside it. Files that hold nothing a build reads
are reported back, so that the user sees what was left aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pyarrow import fs

from manifests.secrets import Masked
from manifests.storage import Storage, StorageError
from stages.core.overlay import Overlay
from stages.io.column_names import PAGE, TRIPLE, USUAL, ColumnNames
from stages.io.compression import InputFault, open_decompressed
from stages.io.delimited import columns_of
from stages.io.formats import Format, formats

_HEAD = 64 * 1024
WIKIDATA, MEDIAWIKI, PAGES, REDIRECTS, UNKNOWN = "wikidata", "mediawiki", "pages", "redirects", "unknown"
PARAGRAPHS, GRAPHS, ANNOTATIONS = "paragraphs", "graphs", "annotations"
ASKED, HOPS = "asked", "hops"
TRIPLES, SIMPLE_ENTITIES = "triples", "simple_entities"
ENTITIES = (WIKIDATA, TRIPLES, SIMPLE_ENTITIES)
"""The kinds of files that hold entities and their statements."""
# Never told by what a file holds: of the folders that --templates names.
RELATIONS = "relations"
READABLE = {
    WIKIDATA: "a Wikidata dump",
    MEDIAWIKI: "a MediaWiki export",
    PAGES: "prepared pages",
    REDIRECTS: "redirects",
    PARAGRAPHS: "paragraphs of processes",
    GRAPHS: "influence graphs",
    ANNOTATIONS: "answers of people",
    ASKED: "questions with their passages",
    HOPS: "single hops",
    TRIPLES: "statements in rows",
    SIMPLE_ENTITIES: "entities with simplified claims",
    RELATIONS: "relation templates",
    UNKNOWN: "nothing that a build reads",
}
"""What messages call each kind."""
# What a live source brings, by the prefix of its address.
_LIVE = {WIKIDATA: "sparql", MEDIAWIKI: "mediawiki"}
# A kind, and the names of which a record of it has all of one text; the first kind that fits is taken.
_Rules = tuple[tuple[str, ...], ...]
# What only files of single hops hold: SQuAD's, Natural Questions' and T-REx's shape.
_OF_HOPS = (HOPS, "qas", "document_text", "triples")
_OF_GRAPHS = (GRAPHS, "para_outcome_accelerate", "para_outcome_decelerate")
_OF_ASKED = (ASKED, "question answers context", "question answers passage")
_RECORDS: _Rules = (
    (*_OF_HOPS, "question paragraph", "data version"),
    (PAGES, "title text"),
    (REDIRECTS, "from to"),
    (ANNOTATIONS, "task worker answers", "annotations data"),
    (*_OF_GRAPHS, "graphs"),
    _OF_ASKED,
    (PARAGRAPHS, "sentence_texts", "sentences", "paragraph", "para_id topic"),
    (WIKIDATA, "claims", "labels", "entities", "entity"),
)
# Of a text that begins with a record too long to be seen whole, and so with names at any depth.
_BEGINNINGS: _Rules = (
    _OF_HOPS,
    (ANNOTATIONS, "annotations completed_by"),
    _OF_GRAPHS,
    _OF_ASKED,
    (WIKIDATA, "claims", "labels"),
    (PAGES, "title text"),
)
_STRING = re.compile(r'"(\w+)"')


class SourceError(Masked, ValueError):
    """A source path cannot be used; the message names it and what was expected."""


@dataclass(frozen=True)
class Inputs:
    """Paths by kind, each sorted: dumps, pages, redirects, paragraphs, graphs, annotations, questions, single hops.

    columns: what the columns of simple files are called. formats: of files that another package reads, its name.
    templates: of the user's own, over built-in ones, but for relation files, which are paths.
    """

    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: ColumnNames = USUAL
    formats: Mapping[str, str] = field(default_factory=dict)
    templates: Overlay = field(default_factory=Overlay)

    def foreign(self, *kinds: str) -> dict[str, tuple[str, ...]]:
        """The paths of some kinds that other packages read, by the name of the format."""
        named = {self.formats[path] for path in self.of(*kinds) if path in self.formats}
        return {
            name: tuple(path for path in self.of(*kinds) if self.formats.get(path) == name) for name in sorted(named)
        }

    def own(self, *kinds: str) -> tuple[str, ...]:
        """The paths of some kinds that this project reads."""
        return tuple(path for path in self.of(*kinds) if path not in self.formats)

    def plus(self, kind: str, paths: Sequence[str]) -> Inputs:
        """With more files of a kind that the user has named."""
        more = tuple(sorted({*self.of(kind), *paths}))
        return replace(self, paths={**self.paths, kind: more}) if more else self

    def layered(self, kind: str, paths: Sequence[str]) -> Inputs:
        """With files of a kind of which the later ones stand over the earlier ones."""
        return replace(self, paths={**self.paths, kind: tuple(dict.fromkeys(paths))}) if paths else self

    def of(self, *kinds: str) -> tuple[str, ...]:
        return tuple(path for kind in kinds for path in self.paths.get(kind, ()))

    def need(self, what: str, *kinds: str) -> tuple[str, ...]:
        found = self.of(*kinds)
        if not found:
            live = [f"--source {name}:URL" for kind, name in _LIVE.items() if kind in kinds]
            raise SourceError(f"--source: no {what} among the sources given" + "".join(f"; or {one}" for one in live))
        return found


def detect(sources: Sequence[str], columns: ColumnNames = USUAL) -> Inputs:
    """The files of all sources by kind. columns: what the user calls the columns of simple files.

    Raises:
        SourceError: a source does not exist, or is an empty folder.
    """
    found: dict[str, list[str]] = {}
    named: dict[str, str] = {}
    others = formats()
    for path in files_of(sources):
        kind = kind_of(path, columns)
        if kind == UNKNOWN and (name := _format_of(path, others)):
            kind, named[path] = others[name].kind, name
        found.setdefault(kind, []).append(path)
    return Inputs({kind: tuple(paths) for kind, paths in found.items()}, columns, named)


def _format_of(path: str, others: Mapping[str, Format]) -> str:
    """The first format of another package that takes a file; "" where none does."""
    if not others:
        return ""
    try:
        with open_decompressed(path) as file:
            head = file.head(_HEAD)
    except InputFault:
        return ""
    return next((name for name, found in others.items() if found.reads(head)), "")


def files_of(sources: Sequence[str], option: str = "--source") -> list[str]:
    """The files that the user's paths stand for, each once, sorted. option: which the message of an error names.

    Raises:
        SourceError: a path does not exist, or is an empty folder.
    """
    return sorted({path for source in sources for path in _files(source, option)})


def kind_of(path: str, columns: ColumnNames = USUAL) -> str:
    """What one file holds, by its first bytes after decompression."""
    try:
        with open_decompressed(path) as file:
            head = file.head(_HEAD)
    except InputFault:
        return UNKNOWN
    if head.startswith(b"PAR1"):
        return PAGES
    text = head.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")
    if text.startswith("<"):
        return MEDIAWIKI if "<mediawiki" in text[:4096] or "<!DOCTYPE" in text[:4096] else UNKNOWN
    if text[:1] not in ("{", "["):
        return _kind_of_cells(text.partition("\n")[0].rstrip("\r"), columns)
    return _kind_of_json(text, columns)


def _kind_of_cells(first: str, columns: ColumnNames) -> str:
    """Rows below a header; Zero-Shot RE's have none."""
    if "AssignmentId" in first:
        return ANNOTATIONS
    simple = _kind_of_columns(columns_of(first), columns)
    return simple if simple != UNKNOWN else HOPS if first.count("\t") >= 3 else UNKNOWN


def _kind_of_columns(names: Iterable[str], columns: ColumnNames) -> str:
    names = list(names)
    if len(columns.find(names, TRIPLE)) == len(TRIPLE):
        return TRIPLES
    return PAGES if columns.find(names, PAGE).keys() >= {"title", "text"} else UNKNOWN


def _kind_of_record(record: Mapping[str, Any], columns: ColumnNames) -> str:
    kind = _kind_of_names(set(columns.taken(record)), _RECORDS)
    if kind == WIKIDATA and _is_simple(record):
        return SIMPLE_ENTITIES
    return kind if kind != UNKNOWN else _kind_of_columns(record, columns)


def _is_simple(record: Mapping[str, Any]) -> bool:
    """Whether an entity gives values where a dump gives statements, and texts where a dump gives terms."""
    claims, labels = record.get("claims"), record.get("labels")
    values = (
        [value for found in claims.values() for value in (found if isinstance(found, list) else [found])]
        if (isinstance(claims, dict))
        else []
    )
    terms = [*labels.values()] if isinstance(labels, dict) else []
    stated = any(isinstance(value, dict) and "mainsnak" in value for value in values)
    named = isinstance(record.get("label"), str) or any(isinstance(term, str) for term in terms)
    return not stated and (named or bool(values))


def _kind_of_json(text: str, columns: ColumnNames) -> str:
    lines = [line.strip().rstrip(",") for line in text.lstrip("[").splitlines() if line.strip() not in ("", "[", "]")]
    for line in lines[:20]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            return _kind_of_record(record, columns)
    return _kind_of_layout(text, columns)


def _kind_of_layout(text: str, columns: ColumnNames) -> str:
    """JSON that is not one record a line: by its first whole object, or by names that a long one begins with."""
    try:
        record, _ = json.JSONDecoder().raw_decode(text[text.find("{") :])
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict):
        return _kind_of_record(record, columns)
    return _kind_of_names(set(_STRING.findall(text)), _BEGINNINGS)


def _kind_of_names(names: set[str], rules: _Rules) -> str:
    return next((kind for kind, *ways in rules if any(names.issuperset(way.split()) for way in ways)), UNKNOWN)


def _files(source: str, option: str) -> list[str]:
    try:
        storage = Storage.at(source)
    except StorageError as error:
        raise SourceError(f"{option} {source}: {error}") from error
    info = storage.filesystem.get_file_info(storage.base)
    if info.type == fs.FileType.File:
        return [source]
    if info.type == fs.FileType.NotFound:
        hint = "; give paths, or 'sample' for the built-in files" if option == "--source" else ""
        raise SourceError(f"{option} {source}: no such file or folder{hint}")
    if info.type != fs.FileType.Directory:
        raise SourceError(
            f"{option} {source}: neither a file nor a folder; a pipe can be read only once, so write it to a file first"
        )
    try:
        names = sorted(name for name in storage.names() if not name.startswith("."))
    except StorageError as error:
        raise SourceError(f"{option} {source}: {error}") from error
    if not names:
        raise SourceError(f"{option} {source}: the folder holds no files")
    return [f"{source.rstrip('/')}/{name}" for name in names]
