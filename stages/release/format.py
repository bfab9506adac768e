"""How released records are declared, and what follows from a declaration.

A record is a `Record`: its fields in their released order, each with its type and a note. From that come the line
of JSON (`Record.line`), the table in Parquet (`arrow_schema`), the strict reader (`Record.decode`, `read_records`)
and the list of fields in a card (`described_fields`).
"""

from __future__ import annotations

import json
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
import pyarrow as pa

from stages.io.whole_file import whole_text

T = TypeVar("T")
R = TypeVar("R", bound="Record")
_SCALARS = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}


class ReleaseError(ValueError):
    """A file is no release, or no predictions for one; the message names file, place, key and what was expected."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record or an object inside one; every field is Annotated with a note about it."""


class Record(Part, frozen=True):
    """One released question. ID: what messages call its id."""

    ID: ClassVar[str] = "id"

    @property
    def identity(self) -> str:
        """What no two records of a file share."""
        raise NotImplementedError

    def check(self) -> None:
        """Raises ReleaseError, which names the key, where parts of the record contradict each other."""
        raise NotImplementedError

    def line(self) -> str:
        """The checked record as one JSON line without the line's end, spaced as released files are."""
        self.check()
        return json.dumps(msgspec.to_builtins(self), ensure_ascii=False)

    @classmethod
    def decode(cls, line: bytes | str) -> Self:
        """The record of one line, checked in full; ReleaseError names the key at fault."""
        try:
            record = msgspec.json.decode(line, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ReleaseError(str(error)) from error
        record.check()
        return record


def need(holds: bool, key: str, expected: str) -> None:
    """Raises ReleaseError, which names the key and what was expected of it, unless that holds."""
    if not holds:
        raise ReleaseError(f"{key}: expected {expected}")


def read_records(path: Path, kind: type[R]) -> list[R]:
    """All records of a released file, in its order: JSON lines, or one JSON array of them.

    Raises ReleaseError naming file, place and key for anything else, and for an id that comes twice.
    """
    read = ((place, decode_at(place, item, kind)) for place, item in read_entries(path, kind.__struct_fields__))
    return once_each(((place, record.identity, record) for place, record in read), called=kind.ID)


def decode_at(place: str, item: Mapping[str, Any], kind: type[R]) -> R:
    """The record of an entry; ReleaseError names its place and the key at fault."""
    try:
        return kind.decode(json.dumps(item))
    except ReleaseError as error:
        raise ReleaseError(f"{place}: {error}") from error


def once_each(entries: Iterable[tuple[str, str, T]], called: str = "id") -> list[T]:
    """The gold entries of (place, id, entry), in their order; ReleaseError where an id comes again."""
    found: dict[str, T] = {}
    for place, name, entry in entries:
        if name in found:
            raise ReleaseError(f"{place}: the {called} {name!r} appears twice in the gold file")
        found[name] = entry
    return list(found.values())


def read_entries(
    path: Path, keys: Collection[str] = ("qid", "id"), unread: list[ReleaseError] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(file and place, object) for each entry of JSONL, a JSON array, or a JSON object from id to value.

    keys: an object with one of them is an entry by itself. The value of an object from id to value comes back as
    {"id": id, "answers": value}. unread: takes what is wrong with entries that are none, which are left out then;
    without it the first such entry is raised.

    Raises StageError: the file or one of its lines is longer than `stages.io.whole_file` allows.
    """
    try:
        text = whole_text(path)
        document = json.loads(text)
    except json.JSONDecodeError:
        yield from _lines(path, text, unread)
        return
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{path}: expected JSON in UTF-8, not nested without end: {error}") from error
    del text
    if isinstance(document, dict) and not document.keys() & set(keys):
        for key, value in document.items():
            yield f"{path}, key {key!r}", {"id": key, "answers": value}
        return
    listed = document if isinstance(document, list) else [document]
    for number, entry in enumerate(listed, start=1):
        yield from _objects(f"{path}, entry {number}", entry, unread)


def _lines(path: Path, text: str, unread: list[ReleaseError] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    # Not str.splitlines: JSON strings may hold U+2028 and other characters that it takes for line ends.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            _refuse(ReleaseError(f"{place}: expected one JSON object a line: {error}"), unread, error)
            continue
        yield from _objects(place, entry, unread)


def _objects(place: str, entry: Any, unread: list[ReleaseError] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(entry, dict):
        yield place, entry
    else:
        _refuse(ReleaseError(f"{place}: expected a JSON object, got {type(entry).__name__}"), unread)


def _refuse(fault: ReleaseError, unread: list[ReleaseError] | None, cause: BaseException | None = None) -> None:
    if unread is None:
        raise fault from cause
    unread.append(fault)


def arrow_schema(kind: type[Part]) -> pa.Schema:
    """The Parquet columns of a record: objects as structs, all fields nullable; what may be int or str is text."""
    return pa.schema([(name, _arrow(hint)) for name, hint in _fields(kind)])


def _arrow(hint: Any) -> pa.DataType:
    hint = _bare(hint)
    if get_origin(hint) is list:
        return pa.list_(_arrow(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, Part):
        return pa.struct(list(arrow_schema(hint)))
    return _SCALARS[hint]


def _bare(hint: Any) -> Any:
    """A type without its note; literals as str, a union with None as the other type, one with str as str."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) is Literal:
        return str
    if get_origin(hint) in (Union, types.UnionType):
        options = set(get_args(hint)) - {type(None)}
        return str if str in options else options.pop()
    return hint


def _fields(kind: type[Part]) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return [(name, hints[name]) for name in kind.__struct_fields__]


def notes_of(kind: type[Part], above: str = "") -> dict[str, str]:
    """The fields' notes by path, such as "answer_list/aliases"."""
    found = {}
    for name, hint in _fields(kind):
        found[f"{above}{name}"] = get_args(hint)[1]
        if (inner := _inner(hint)) is not None:
            found |= notes_of(inner, f"{above}{name}/")
    return found


def _inner(hint: Any) -> type[Part] | None:
    """The object that a field holds, or a list of it."""
    bare = _bare(hint)
    inner = get_args(bare)[0] if get_origin(bare) is list else bare
    return inner if isinstance(inner, type) and issubclass(inner, Part) else None


def described_fields(kind: type[Part], indent: str = "") -> str:
    """The fields and their notes as a Markdown list, those of objects below the field that holds them."""
    lines = []
    for name, hint in _fields(kind):
        lines.append(f"{indent}- `{name}`: {get_args(hint)[1]}")
        if (inner := _inner(hint)) is not None:
            lines.append(described_fields(inner, f"{indent}  "))
    return "\n".join(lines)
