"""Answers of a SPARQL endpoint: rows, if the answer is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import msgspec

from stages.live.queries import ENTITY
from stages.live.service import Cut, Foreign

_MOST_QUOTED = 80
_ID = re.compile(r"[A-Z][1-9][0-9]{0,17}(?:-[FS][1-9][0-9]{0,5})?")


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


def counted(body: bytes) -> list[Row]:
    """The rows of an answer in which each row says as ?n how many there are.

    Raises:
        Cut: fewer or more than that, or no whole JSON.
    """
    rows = plain(body)
    said = {row["n"].value if "n" in row else "" for row in rows}
    if rows and said != {str(len(rows))}:
        raise Cut(f"{len(rows):,} rows where the endpoint counts {', '.join(sorted(said)) or 'none'}")
    return rows


def number(body: bytes) -> int:
    """The one number ?n of an answer."""
    rows = plain(body)
    if len(rows) != 1 or "n" not in rows[0] or not rows[0]["n"].value.isdigit():
        raise Cut("a count without a number")
    return int(rows[0]["n"].value)
