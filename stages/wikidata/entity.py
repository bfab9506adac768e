"""One record of a Wikidata dump, decoded for some languages and one wiki.

A record is decoded straight into the structs of `shapes`. One that does not fit
(nulls, numbers as text, one malformed statement) is decoded a second time piece by
piece, and only the pieces that do not fit are lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec

from stages.wikidata.shapes import Claims, Envelope, LabelTerm, Sitelink, Statement

_ID = re.compile(r"[A-Z][1-9][0-9]{0,17}")


@dataclass(frozen=True)
class EntityFault:
    """A piece of a record that does not fit: the property it stands under ("" for other fields), and why."""

    property: str
    message: str


@dataclass
class EntityRecord:
    """A decoded record: terms in the order of the languages asked for (None where absent)."""

    envelope: Envelope
    labels: list[str | None]
    descriptions: list[str | None]
    aliases: list[str]
    sitelink: str | None
    claims: Claims
    faults: list[EntityFault] = field(default_factory=list)


class BrokenRecord(Exception):
    """The record is not JSON, or not a JSON object."""


class RecordDecoder:
    """Decodes records for some languages and one wiki."""

    def __init__(self, languages: tuple[str, ...], site: str) -> None:
        self._languages = [f"l{number}" for number in range(len(languages))]
        names = dict(zip(self._languages, languages, strict=True))
        self._terms = _struct("Terms", LabelTerm | None, names)
        self._lists = _struct("TermLists", list[LabelTerm] | None, names)
        self._links = _struct("Sitelinks", Sitelink | None, {"link": site})
        parts = {
            "labels": self._terms,
            "descriptions": self._terms,
            "aliases": self._lists,
            "sitelinks": self._links,
            "claims": Claims,
        }
        self._parts = {name: part | list[Any] | None for name, part in parts.items()}
        self._fields = parts
        shape = msgspec.defstruct(
            "EntityRecord", [(name, part, None) for name, part in self._parts.items()], bases=(Envelope,), gc=False
        )
        self._decode = msgspec.json.Decoder(shape).decode

    def decode(self, data: bytes) -> EntityRecord:
        """One record.

        Raises:
            BrokenRecord: not JSON, or not an object.
        """
        try:
            entity: Any = self._decode(data)
        except msgspec.ValidationError:
            return self._piecewise(data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise BrokenRecord(str(error)) from error
        return self._record(entity, entity, [])

    def _record(self, envelope: Envelope, parts: Any, faults: list[EntityFault]) -> EntityRecord:
        aliases = parts.aliases
        link = parts.sitelinks.link if isinstance(parts.sitelinks, self._links) else None
        return EntityRecord(
            envelope=envelope,
            labels=self._values(parts.labels),
            descriptions=self._values(parts.descriptions),
            aliases=[
                term.value
                for name in (self._languages if isinstance(aliases, self._lists) else ())
                for term in getattr(aliases, name) or ()
            ],
            sitelink=link.title if link is not None else None,
            claims=parts.claims if isinstance(parts.claims, dict) else {},
            faults=faults,
        )

    def _values(self, terms: Any) -> list[str | None]:
        if not isinstance(terms, self._terms):
            return []
        found = [getattr(terms, name) for name in self._languages]
        return [None if term is None else term.value for term in found]

    def _piecewise(self, data: bytes) -> EntityRecord:
        try:
            raw = msgspec.json.decode(data)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BrokenRecord(str(error)) from error
        if not isinstance(raw, dict):
            raise BrokenRecord(f"expected an object, got {type(raw).__name__}")
        faults: list[EntityFault] = []
        envelope = Envelope(**{name: _field(raw, name, kind, faults) for name, kind in _envelope_types().items()})
        parts = SimpleNamespace(
            labels=self._term_field(raw, "labels", faults),
            descriptions=self._term_field(raw, "descriptions", faults),
            aliases=self._term_field(raw, "aliases", faults),
            sitelinks=_field(raw, "sitelinks", self._parts["sitelinks"], faults),
            claims=_claims(raw.get("claims"), faults),
        )
        return self._record(envelope, parts, faults)

    def _term_field(self, raw: dict[str, Any], name: str, faults: list[EntityFault]) -> Any:
        value = raw.get(name)
        if not isinstance(value, dict):
            return _field(raw, name, self._parts[name], faults)
        # Each language alone, so that a null in one does not cost the others.
        kind = self._fields[name]
        fields = msgspec.structs.fields(kind)
        return kind(**{item.name: _field(value, item.encode_name, item.type, faults) for item in fields})


def _struct(name: str, kind: Any, names: dict[str, str]) -> Any:
    return msgspec.defstruct(name, [(key, kind, None) for key in names], rename=names, gc=False)


@cache
def _envelope_types() -> dict[str, Any]:
    return {item.name: item.type for item in msgspec.structs.fields(Envelope) if item.name != "entities"}


def _field(raw: dict[str, Any], name: str, kind: Any, faults: list[EntityFault]) -> Any:
    try:
        return msgspec.convert(raw.get(name), kind, strict=False)
    except msgspec.ValidationError as error:
        faults.append(EntityFault("", f"{name}: {error}"))
        return None


def _claims(raw: Any, faults: list[EntityFault]) -> Claims:
    if raw is None or raw == []:
        return {}
    if not isinstance(raw, dict):
        faults.append(EntityFault("", f"claims: expected an object, got {type(raw).__name__}"))
        return {}
    return {name: _statements(name, value, faults) for name, value in raw.items()}


def _statements(name: str, raw: Any, faults: list[EntityFault]) -> list[Statement]:
    if not isinstance(raw, list):
        faults.append(EntityFault(name, f"expected a list of statements, got {type(raw).__name__}"))
        return []
    kept = []
    for value in raw:
        try:
            kept.append(msgspec.convert(value, Statement, strict=False))
        except msgspec.ValidationError as error:
            faults.append(EntityFault(name, str(error)))
    return kept


def entity_id(record: EntityRecord, key: str | None) -> str | None:
    """The id as written, or else from the answer's key, the page title or a statement's id."""
    envelope = record.envelope
    for text in _id_candidates(record, key):
        name = text.strip()
        name = name[:1].upper() + name[1:]
        if _ID.fullmatch(name):
            return name
        if text == envelope.id:
            return None
    return None


def _id_candidates(record: EntityRecord, key: str | None) -> Iterator[str]:
    envelope = record.envelope
    if envelope.id is not None:
        yield envelope.id
    if key is not None:
        yield key
    if envelope.title is not None:
        yield envelope.title.rpartition(":")[2]
    for statements in record.claims.values():
        for statement in statements:
            if statement.id is not None:
                yield statement.id.partition("$")[0]
