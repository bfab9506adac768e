"""Stage `wikidata.parse`: dump records to entities, truthy statements and subclass edges.

Section 3 of the QAMPARI paper takes Wikidata's entities, aliases and triples as its
input. Of each property only the statements of the best rank count, and statements
with an end time are left out; every statement that is left out is a reject.

An entity without a usable label can be neither asked for nor an answer, and is rejected
with its statements. Its subclass edges stay: a class without a name still lies between
classes that have one, and without it a path of P279 would be cut.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import msgspec
import pyarrow as pa

from stages.core.contract import Map, Output, Source, Stage, StageError
from stages.core.rejects import Rejects
from stages.wikidata.entity import BrokenRecord, EntityRecord, RecordDecoder, entity_id
from stages.wikidata.rows import ENTITIES, STATEMENTS, SUBCLASSES, Rows
from stages.wikidata.statements import Truthy
from stages.wikidata.text import clean, has_markup
from stages.wikidata.values import is_qid
from stages.wikipedia.titles import normalise_title

INSTANCE_OF, SUBCLASS_OF = "P31", "P279"
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_PROPERTY = re.compile(r"P[1-9][0-9]{0,11}")


@dataclass(frozen=True)
class ParseParams:
    """What to read.

    languages: label and description come from the first of these that has one, aliases
        from all. "mul" is Wikidata's place for a name that holds in every language.
    site: the wiki whose sitelink is the entity's title.
    keep_ended: keep statements with an end time (P582); the paper's code skips them.
    as_of: the day of the dump, such as 2024-01-03; ends after it are still to come. Empty: every end has passed.
    properties: keep statements of these only; empty keeps all.
    """

    languages: tuple[str, ...] = ("en", "mul")
    site: str = "enwiki"
    keep_ended: bool = False
    as_of: str = ""
    properties: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.languages or len(set(self.languages)) != len(self.languages):
            raise StageError(f"wikidata.parse: languages {self.languages} must be one or more different codes")
        if self.as_of and not _DAY.fullmatch(self.as_of):
            raise StageError(f"wikidata.parse: as_of {self.as_of!r} is no day such as 2024-01-03")
        wrong = [name for name in self.properties if not _PROPERTY.fullmatch(name)]
        if wrong:
            raise StageError(f"wikidata.parse: properties {wrong} are not property ids such as P31")


def stage(source: Source, params: ParseParams | None = None) -> Stage:
    """The stage over a source of dump records."""
    params = params or ParseParams()
    return Stage(
        name="wikidata.parse",
        shape=Map(),
        kernel=partial(parse, params=params),
        outputs=(ENTITIES, STATEMENTS, SUBCLASSES),
        source=source,
        about="Inputs: Wikidata's entities, aliases and truthy statements",
    )


def parse(records: pa.Table, *, params: ParseParams) -> Output:
    """Entities, truthy statements and P279 edges of raw records.

    records: data (large_binary?), error (string?); see `stages.io.json_files`.
    Rejects of statements have the key "Q42 P39", of whole records the entity's id or,
    where there is none, "sha256:" and the first 12 digits of the record's hash.
    Metrics: records (all that the source gave, readable or not) and among them bad_records (unreadable, no
    JSON object, or without an id); statements of the entities kept; nameless_edges (subclass edges of others).
    """
    parser = _Parser(params)
    for data, error in zip(records["data"].to_pylist(), records["error"].to_pylist(), strict=True):
        if error is not None:
            reason, _, detail = error.partition(": ")
            parser.unreadable(_hash_key(error.encode()), reason, detail)
        if data is not None:
            parser.record(data)
    return parser.output()


@cache
def _decoder(languages: tuple[str, ...], site: str) -> RecordDecoder:
    return RecordDecoder(languages, site)


@lru_cache(maxsize=65536)
def _is_property(text: str) -> bool:
    return _PROPERTY.fullmatch(text) is not None


def _hash_key(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()[:12]}"


class _Parser:
    """Collects the rows of one kernel call."""

    def __init__(self, params: ParseParams) -> None:
        self._params = params
        self._decode = _decoder(params.languages, params.site).decode
        self._selected = frozenset(params.properties)
        self._rows = Rows()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._metrics: Counter[str] = Counter(records=0, bad_records=0)
        self.rejects = Rejects()
        self._truthy = Truthy(self.rejects, params.keep_ended, params.as_of)

    def output(self) -> Output:
        for (key, reason), count in self._counts.items():
            self.rejects.add(key, reason, count=count)
        return Output(self._rows.tables(), self.rejects.table(), dict(self._metrics))

    def unreadable(self, key: str, reason: str, detail: str) -> None:
        """A record that is damaged, or not what a dump holds."""
        self._metrics["records"] += 1
        self._metrics["bad_records"] += 1
        self.rejects.add(key, reason, detail)

    def record(self, data: bytes, key: str | None = None) -> None:
        """One JSON value of the dump: an entity, a redirect, or an answer that holds several.

        key: the id under which an answer lists the entity.
        """
        try:
            if data[:1] == b"[":
                for part in msgspec.json.decode(data, type=list[msgspec.Raw]):
                    self.record(bytes(part))
                return
            record = self._decode(data)
        except (BrokenRecord, msgspec.MsgspecError, RecursionError) as error:
            self.unreadable(_hash_key(data), "broken_json", f"{error} | {_excerpt(data)}")
            return
        if isinstance(record.envelope.entities, dict):
            for name, part in record.envelope.entities.items():
                self.record(bytes(part), name)
            return
        self._entity(record, data, key)

    def _entity(self, record: EntityRecord, data: bytes, key: str | None) -> None:
        envelope = record.envelope
        if envelope.missing is not None and key is not None:
            # Services answer for what they do not know under the key "-1".
            self._metrics["records"] += 1
            self.rejects.add(clean(envelope.id or key), "missing_entity")
            return
        name = entity_id(record, key) if envelope.redirect is None else clean(envelope.entity or _hash_key(data))
        if name is None:
            self.unreadable(_hash_key(data), "bad_id", f"{envelope.id!r} | {_excerpt(data)}")
            return
        self._metrics["records"] += 1
        if envelope.redirect is not None:
            self.rejects.add(name, "redirect_entity", f"to {envelope.redirect}")
        elif envelope.missing is not None:
            self.rejects.add(name, "missing_entity")
        elif name.startswith("P") or envelope.type == "property":
            self.rejects.add(name, "property_entity")
        elif not is_qid(name) or envelope.type not in (None, "item"):
            self._counts[clean(envelope.type or name[:1]), "not_an_entity"] += 1
        else:
            if key not in (None, name):
                self.rejects.add(clean(str(key)), "redirect_entity", f"to {name}")
            self._item(name, record)

    def _item(self, qid: str, record: EntityRecord) -> None:
        for fault in record.faults:
            self.rejects.add(f"{qid} {fault.property}".rstrip(), _fault_reason(fault.property), fault.message)
        labels = [clean(label) for label in record.labels if label]
        label = next(filter(None, labels), None)
        if label is None:
            count = sum(map(len, record.claims.values()))
            self.rejects.add(
                qid, "no_label", f"none in {', '.join(self._params.languages)}; {count} statements dropped"
            )
            self._parents(qid, record)
        elif has_markup(label):
            self.rejects.add(qid, "html_in_label", label)
            self._parents(qid, record)
        else:
            types = self._statements(qid, record)
            self._rows.entity(
                qid=qid,
                label=label,
                aliases=self._aliases(qid, label, [*labels, *record.aliases]),
                description=next(filter(None, (clean(text) for text in record.descriptions if text)), None),
                types=sorted(types),
                title=normalise_title(record.sitelink or "") or None,
            )

    def _aliases(self, qid: str, label: str, names: list[str]) -> list[str]:
        aliases = {clean(name) for name in names} - {label, ""}
        marked = {alias for alias in aliases if has_markup(alias)}
        for alias in sorted(marked):
            self.rejects.add(qid, "html_in_alias", alias)
        return sorted(aliases - marked)

    def _parents(self, qid: str, record: EntityRecord) -> None:
        """Adds the subclass edges of an entity that is not kept itself."""
        for fact in self._truthy.of_property(qid, SUBCLASS_OF, record.claims.get(SUBCLASS_OF, [])):
            if fact.value.kind == "item":
                self._rows.subclass(qid, fact.value.value)
                self._metrics["nameless_edges"] += 1

    def _statements(self, qid: str, record: EntityRecord) -> set[str]:
        """Adds the entity's truthy statements; returns its types."""
        types: set[str] = set()
        for property_id, statements in record.claims.items():
            self._metrics["statements"] += len(statements)
            if not _is_property(property_id):
                self.rejects.add(qid, "bad_statement", f"property id {property_id!r}", len(statements))
                continue
            selected = not self._selected or property_id in self._selected
            if not selected and property_id not in (INSTANCE_OF, SUBCLASS_OF):
                self._counts[property_id, "unselected_property"] += len(statements)
                continue
            for fact in self._truthy.of_property(qid, property_id, statements):
                if property_id == INSTANCE_OF and fact.value.kind == "item":
                    types.add(fact.value.value)
                elif property_id == SUBCLASS_OF and fact.value.kind == "item":
                    self._rows.subclass(qid, fact.value.value)
                if selected:
                    self._rows.statement(qid, property_id, fact)
                else:
                    self._counts[property_id, "unselected_property"] += 1
        return types


def _fault_reason(property_id: str) -> str:
    return "bad_statement" if property_id else "bad_field"


def _excerpt(data: bytes) -> str:
    return data[:80].decode("utf-8", errors="replace")
