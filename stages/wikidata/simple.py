"""Entities from simple files as a source: statements in rows (CSV, TSV or JSON), and entities with simplified claims.

    subject,property,object
    Arden FC,instance of,football club
    Arden FC,home ground,Mill Lane
    Arden FC,alias,The Millers

Subjects and objects are names or ids. A name is an id by itself: what is made of it is the same in every file and build
(`own_qid`), so rows about one thing meet whatever their order. What is known of a thing comes out as one record, as a
dump of Wikidata writes it, and everything after that reads both alike.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from manifests.storage import size
from stages.core.canonical import PLACE
from stages.core.contract import StageError
from stages.core.texts import Refused
from stages.io.column_names import TRIPLE, USUAL, ColumnNames
from stages.io.delimited import delimited_records, is_delimited
from stages.io.framing import Piece
from stages.io.json_files import RECORDS, JsonFiles, record_tables
from stages.io.json_records import JsonRecords, decode, rows
from stages.wikidata.values import LEAST_OWN, is_own, is_qid

UNSTATED = "not stated by the file"
INSTANCE_OF, SUBCLASS_OF = "P31", "P279"
LABEL, ALIAS, DESCRIPTION, PAGE = "label", "alias", "description", "page"
_WORDS = {
    "label": LABEL,
    "alias": ALIAS,
    "aliases": ALIAS,
    "also known as": ALIAS,
    "description": DESCRIPTION,
    "page": PAGE,
    "instance of": INSTANCE_OF,
    "is a": INSTANCE_OF,
    "type": INSTANCE_OF,
    "subclass of": SUBCLASS_OF,
}
"""What can be said of a thing in any domain."""
ITEM, QUANTITY, TIME, TEXT = "item", "quantity", "time", "text"
_LONGEST = 1500
_PROPERTY = re.compile(r"P[1-9][0-9]{0,11}", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?", re.ASCII)
_DATE = re.compile(r"(-?)([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?(?:T[0-9:.]{5,15}Z?)?", re.ASCII)
_LEAST_PID = 10**11
_PART_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class SimpleWords:
    """What the words of simple files stand for, as relation templates say it.

    properties: id by label in small letters; values: the kind of a property's objects by its id (item, quantity, time
    or text); classes: id of an answer class by its noun in small letters.
    """

    properties: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)

    def property(self, word: str) -> str:
        """The id of a property by its label or id, or LABEL, ALIAS, DESCRIPTION or PAGE.

        A word that nobody knows has an id of its own, which no relation asks for.
        """
        known = " ".join(word.replace("_", " ").casefold().split())
        if _PROPERTY.fullmatch(word):
            return word
        return self.properties.get(known) or _WORDS.get(known) or f"P{_LEAST_PID + _drawn(known) % (9 * _LEAST_PID)}"

    def item(self, name: str, pid: str = "") -> str:
        """The id of a thing by its name or id; as a kind of thing it may be an answer class by its noun."""
        if is_qid(name):
            return name
        kind = self.classes.get(name.casefold()) if pid in (INSTANCE_OF, SUBCLASS_OF) else None
        return kind or own_qid(name)

    def kind(self, pid: str, text: str) -> str:
        """What the object of a property is: as the templates say, or else as it looks."""
        if pid in (INSTANCE_OF, SUBCLASS_OF) or is_qid(text):
            return ITEM
        looks = QUANTITY if _NUMBER.fullmatch(text) else TIME if _DATE.fullmatch(text) else TEXT
        return self.values.get(pid, looks)


@dataclass(frozen=True)
class SimpleStatements:
    """Source over files of statements in rows, and of entities with simplified claims.

    triples, entities: local paths or URIs. language, site: under which labels and pages are told on.
    part_bytes: of the files per part. A part reads all files and gives the things whose ids fall to it, so it holds no
        more than its share of them.

    Tables of {data, error}: an entity as a dump has it, or what could not be read ("reason: detail"): bad_row, bad_id,
    bad_value, and those of `JsonFiles` and `delimited_records`.
    """

    triples: tuple[str, ...] = field(default=(), metadata=PLACE)
    entities: tuple[str, ...] = field(default=(), metadata=PLACE)
    words: SimpleWords = SimpleWords()
    columns: ColumnNames = USUAL
    language: str = "en"
    site: str = "enwiki"
    licence: str = UNSTATED
    max_record_bytes: int = 16 * 1024 * 1024
    part_bytes: int = _PART_BYTES

    def __post_init__(self) -> None:
        if not self.paths:
            raise StageError("statements: no file given; name at least one with --source")

    @property
    def schema(self) -> pa.Schema:
        return RECORDS

    @property
    def paths(self) -> tuple[str, ...]:
        return (*self.triples, *self.entities)

    def parts(self) -> list[tuple[int, int]]:
        """(number, of how many).

        Raises StorageError: a file does not exist.
        """
        count = 1 + sum(map(size, self.paths)) // self.part_bytes
        return [(number, count) for number in range(count)]

    def read(self, part: tuple[int, int]) -> Iterator[pa.Table]:
        return record_tables(self._pieces(*part))

    def identity(self) -> Mapping[str, str]:
        """sha256 of each file, numbered in the order of the digests."""
        return {
            **(JsonFiles(self.triples, kind="triples").identity() if self.triples else {}),
            **(JsonFiles(self.entities, kind="entities").identity() if self.entities else {}),
        }

    def licences(self) -> Mapping[str, str]:
        return {"statements": self.licence}

    def _pieces(self, number: int, count: int) -> Iterator[Piece]:
        gathered = _Gathered(self.words, number, count)
        for error in self._gather(gathered):
            # Every part reads every row; the first tells what is wrong with them.
            if number == 0:
                yield Piece(None, error)
        for qid in sorted(gathered.things):
            yield Piece(gathered.things[qid].record(qid, self.language, self.site))

    def _gather(self, gathered: _Gathered) -> Iterator[str]:
        """Reads all files; "reason: detail" of what cannot be read."""
        for path in sorted(self.triples):
            yield from self._read(path, lambda record: self._row(record, gathered))
        for path in sorted(self.entities):
            yield from self._read(path, lambda record: self._entity(record, gathered))

    def _read(self, path: str, take: Any) -> Iterator[str]:
        for data, error in _records(path, self.max_record_bytes):
            try:
                take(decode(data, error))
            except Refused as fault:
                yield f"{fault.reason}: {fault}"

    def _row(self, record: Mapping[str, Any], gathered: _Gathered) -> None:
        found = self.columns.find(record, TRIPLE)
        if missing := [column for column in TRIPLE if column not in found]:
            raise Refused("bad_row", f"no {' and no '.join(missing)} in {json.dumps(record)[:100]}")
        subject, prop, value = (_text(record[found[column]], column) for column in TRIPLE)
        gathered.add(subject, prop, value)

    def _entity(self, record: Mapping[str, Any], gathered: _Gathered) -> None:
        labels = _terms(record, "label", "labels", self.language)
        name = record.get("id") or next(iter(labels), None)
        subject = _text(name, "id")
        gathered.mention(subject)
        for word, key in ((LABEL, "labels"), (ALIAS, "aliases"), (DESCRIPTION, "descriptions")):
            for text in labels if word == LABEL else _terms(record, word, key, self.language):
                gathered.add(subject, word, text)
        for title in _terms(record, PAGE, "sitelinks", self.site):
            gathered.add(subject, PAGE, title)
        claims = record.get("claims") or {}
        if not isinstance(claims, dict):
            raise Refused("bad_row", f"claims: expected an object by property, got {type(claims).__name__}")
        for prop, values in claims.items():
            for value in values if isinstance(values, list) else [values]:
                plain = value.get("value") if isinstance(value, dict) else value
                gathered.add(subject, _text(prop, "property"), _text(plain, f"claims.{prop}"))


def own_qid(name: str) -> str:
    """The id of a thing that is known by a name or an id of its owner's: 18 digits, drawn by a hash of it."""
    return f"Q{LEAST_OWN + _drawn(name) % (9 * LEAST_OWN)}"


def _drawn(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())


@dataclass
class _Thing:
    """What is said of one thing, in whatever order. name: as rows call it, its label where none is given."""

    name: str = ""
    labels: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)
    descriptions: set[str] = field(default_factory=set)
    pages: set[str] = field(default_factory=set)
    claims: dict[str, set[tuple[str, str]]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return min(self.labels, default=self.name)

    def record(self, qid: str, language: str, site: str) -> bytes:
        """As a dump of Wikidata has it. Without a page of its own its page is that of its label."""
        title = min(self.pages, default=self.label)
        made = {
            "type": "item",
            "id": qid,
            "labels": {language: {"value": self.label}} if self.label else {},
            "aliases": {language: [{"value": text} for text in sorted((self.aliases | self.labels) - {self.label})]},
            "descriptions": {language: {"value": min(self.descriptions)}} if self.descriptions else {},
            "sitelinks": {site: {"title": title}} if title else {},
            "claims": {pid: [_statement(pid, *value) for value in sorted(self.claims[pid])] for pid in self.claims},
        }
        return json.dumps(made, sort_keys=True).encode()


class _Gathered:
    """The things of one part, by id. number, count: of the part, and of all parts."""

    def __init__(self, words: SimpleWords, number: int, count: int) -> None:
        self._words = words
        self._number, self._count = number, count
        self.things: dict[str, _Thing] = {}

    def mention(self, name: str, pid: str = "") -> _Thing | None:
        """The thing of a name, with its name where that is no id; None where it falls to another part."""
        qid = self._words.item(name, pid)
        if int(qid[1:]) % self._count != self._number:
            return None
        if qid not in self.things and (pid == "" or is_own(qid)):
            self.things[qid] = _Thing()
        thing = self.things.get(qid)
        if thing is not None and is_own(qid):
            thing.name = name
        return thing

    def add(self, subject: str, word: str, text: str) -> None:
        pid = self._words.property(word)
        kind = self._words.kind(pid, text)
        if pid.startswith("P") and kind == ITEM:
            self.mention(text, pid)
        thing = self.mention(subject)
        if thing is None:
            return
        match pid:
            case "label":
                thing.labels.add(text)
            case "alias":
                thing.aliases.add(text)
            case "description":
                thing.descriptions.add(text)
            case "page":
                thing.pages.add(text)
            case _:
                value = self._words.item(text, pid) if kind == ITEM else text
                thing.claims.setdefault(pid, set()).add((kind, value))


def _statement(pid: str, kind: str, text: str) -> dict[str, Any]:
    value: dict[str, Any]
    match kind:
        case "item":
            value = {"type": "wikibase-entityid", "value": {"id": text}}
        case "quantity":
            value = {"type": "quantity", "value": {"amount": text}}
        case "time":
            value = {"type": "time", "value": _time(text)}
        case _:
            value = {"type": "string", "value": text}
    return {"rank": "normal", "mainsnak": {"snaktype": "value", "property": pid, "datavalue": value}}


def _time(text: str) -> dict[str, Any]:
    """A date in ISO 8601 as Wikidata writes it; what is none stays as it is, and whoever reads it refuses it."""
    match = _DATE.fullmatch(text)
    if match is None:
        return {"time": text, "precision": 11}
    sign, year, month, day = match.groups()
    # ISO counts years before our era from 0 on, Wikidata from 1.
    counted = f"-{int(year) + 1:04}" if sign else f"+{year}"
    return {"time": f"{counted}-{month or '00'}-{day or '00'}T00:00:00Z", "precision": 9 + bool(month) + bool(day)}


def _text(value: Any, what: str) -> str:
    """A value as text: whole numbers and others as they are written.

    Raises Refused: bad_row, bad_value.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Refused("bad_value", f"{what}: expected a text or a number, got {type(value).__name__}")
    text = " ".join(unicodedata.normalize("NFC", value).split())
    if not text or len(text) > _LONGEST:
        raise Refused("bad_value", f"{what}: expected 1 to {_LONGEST:,} characters, got {len(text):,}")
    return text


def _terms(record: Mapping[str, Any], one: str, several: str, key: str) -> list[str]:
    """The texts of a field, told once, as a list, or as either by language or wiki."""
    found = record.get(one, record.get(several))
    if isinstance(found, dict):
        found = found.get(key, found.get("mul"))
    listed = found if isinstance(found, list) else [] if found is None else [found]
    return [_text(text, one) for text in listed]


def _records(path: str, max_bytes: int) -> Iterator[tuple[bytes | None, str | None]]:
    if is_delimited(path):
        yield from ((piece.data, piece.error) for piece in delimited_records(path, max_bytes))
        return
    source = JsonRecords((path,), max_record_bytes=max_bytes, kind="statements")
    for part in source.parts():
        for table in source.read(part):
            yield from rows(table)
