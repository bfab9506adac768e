"""Answers of a SPARQL endpoint: rows, if the answer is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from stages.live.queries import ENTITY
from stages.live.service import Cut, Foreign

_MOST_QUOTED = 80
_NUMBER = re.compile(r"[0-9]{1,18}")
_ANY: Mapping[str, Collection[str]] = {}
_ID = re.compile(r"[A-Z][1-9][0-9]{0,17}|L[1-9][0-9]{0,17}-[FS][1-9][0-9]{0,5}")


class Node(msgspec.Struct, frozen=True):
    """One value. type: uri, literal (also typed-literal), or bnode."""

    type: str
    value: str
    language: str = msgspec.field(name="xml:lang", default="")
    datatype: str = ""

    @property
    def entity(self) -> str | None:
        """The id, where the value is the address of an entity."""
        if self.type != "uri" or not self.value.startswith(ENTITY):
            return None
        name = self.value[len(ENTITY) :]
        return name if _ID.fullmatch(name) else None


Row = Mapping[str, Node]


class _Results(msgspec.Struct):
    bindings: list[dict[str, Node]]


class _Answer(msgspec.Struct):
    results: _Results


_DECODE = msgspec.json.Decoder(_Answer).decode


def plain(body: bytes) -> list[Row]:
    """The rows of an answer.

    Raises:
        Cut: no whole JSON, or rows that are not of the form that SPARQL gives them.
        Foreign: whole JSON without results.
    """
    try:
        return [*_DECODE(body).results.bindings]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        if _is_foreign(body):
            raise Foreign(f"answers other JSON than SPARQL's, without 'results': {_beginning(body)}") from error
        raise Cut(f"not a whole answer: {error}") from error


def _is_foreign(body: bytes) -> bool:
    """Whether it is whole JSON, but has no results."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return not isinstance(said, dict) or "results" not in said


def _beginning(body: bytes) -> str:
    text = " ".join(body[: 4 * _MOST_QUOTED].decode("utf-8", errors="replace").split())
    return f"{text[:_MOST_QUOTED]}{' ...' if len(text) > _MOST_QUOTED else ''}"


def counted(body: bytes, columns: Sequence[str] = (), among: Mapping[str, Collection[str]] = _ANY) -> list[Row]:
    """The rows of an answer in which each row says as ?n how many there are.

    columns: variables that every row binds; among: those of them that name what was asked about, and its addresses.

    Raises:
        Cut: fewer or more than that, or no whole JSON.
        Foreign: a row that does not bind what was asked for.
    """
    rows = plain(body)
    said = {row["n"].value if "n" in row else "" for row in rows}
    if rows and said != {str(len(rows))}:
        raise Cut(f"{len(rows):,} rows where the endpoint counts {', '.join(sorted(said)) or 'none'}")
    for row in rows if columns else ():
        if lacking := [name for name in columns if name not in row]:
            raise Foreign(f"answers without what was asked for: a row has no ?{lacking[0]}")
        for name, asked in among.items():
            if row[name].value not in asked:
                raise Foreign(f"answers about {row[name].value[:_MOST_QUOTED]!r}, which it was not asked about")
    return rows


def number(body: bytes) -> int:
    """The one number ?n of an answer."""
    rows = plain(body)
    if len(rows) != 1 or "n" not in rows[0] or not _NUMBER.fullmatch(rows[0]["n"].value):
        raise Cut("a count without a number")
    return int(rows[0]["n"].value)
