"""Answers of live services on disk: a build's input, so that it can be built again without asking.

One file an answer, named by the digest of the question:

    {folder}/{first two letters}/{digest}.zst      a line of JSON that says what was asked, then the body

Only answers that were whole and passed their check are kept, and beside them that a question was
too much for its service, so that a rerun asks the same smaller ones. A file is written under a
name of its own and moved into place: an interrupted run leaves no half answer.

To refresh is to ask for another generation of answers. Which one is wanted stands in a file of
its own until all are there, so that an interrupted refresh goes on from what it has.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import zstandard

from manifests.digest import json_digest
from stages.live.addresses import LiveError, shown

MOST_BYTES = 256 << 20
"""Of one answer, unpacked."""


@dataclass(frozen=True)
class Question:
    """One request. address: of the service; values: the fields of the form that is sent."""

    address: str
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """64 hex digits; the same for every order of `values` and every user, another for another query part."""
        query = urlsplit(self.address).query
        secret = [hashlib.sha256(query.encode()).hexdigest()] if query else []
        return json_digest([shown(self.address), dict(self.values), *secret])


@dataclass(frozen=True)
class Kept:
    """An answer. cut: why the service gave no whole one; "" where body is one."""

    body: bytes
    cut: str = ""


class Cache:
    """A folder of answers. refresh: those of earlier generations count as not there."""

    def __init__(self, folder: Path, refresh: bool = False) -> None:
        self.folder = folder
        self._mark = folder / "generation.json"
        number, self.unfinished = self._generation()
        if refresh and not self.unfinished:
            number += 1
            self._note(number, unfinished=True)
        self._number = number
        self._least = number if refresh else 0

    def finish(self) -> None:
        """All that a refresh wanted is there."""
        if self._least:
            self._note(self._number, unfinished=False)

    def get(self, question: Question) -> Kept | None:
        """What is known of a question, or None where it was not asked yet.

        Raises:
            LiveError: the file is damaged.
        """
        path = self._path(question.digest)
        if not path.exists():
            return None
        head, body = _read(path)
        if head.get("digest") != question.digest or head.get("bytes") != len(body):
            raise LiveError(f"{path}: not an answer to what it is named after; remove the file, and it is asked again")
        return Kept(body, head.get("cut", "")) if head.get("generation", 0) >= self._least else None

    def put(self, question: Question, kept: Kept) -> None:
        head = {
            "digest": question.digest,
            "address": shown(question.address),
            "values": dict(question.values),
            "generation": self._number,
            "bytes": len(kept.body),
            **({"cut": kept.cut} if kept.cut else {}),
        }
        text = json.dumps(head, ensure_ascii=True, sort_keys=True).encode() + b"\n" + kept.body
        _replace(self._path(question.digest), zstandard.ZstdCompressor(level=6, write_checksum=True).compress(text))

    def digests(self) -> Iterator[str]:
        """Of all questions that are answered, sorted."""
        yield from sorted(path.stem for path in self.folder.glob("[0-9a-f][0-9a-f]/*.zst"))

    def any(self) -> bool:
        """Whether any question is answered."""
        return next(self.folder.glob("[0-9a-f][0-9a-f]/*.zst"), None) is not None

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / f"{digest}.zst"

    def _generation(self) -> tuple[int, bool]:
        if not self._mark.exists():
            return 0, False
        try:
            said = json.loads(self._mark.read_bytes())
            return int(said["number"]), bool(said["unfinished"])
        except (ValueError, KeyError, TypeError) as error:
            raise LiveError(f"{self._mark}: damaged; remove it, and --refresh asks for everything anew") from error

    def _note(self, number: int, unfinished: bool) -> None:
        _replace(self._mark, json.dumps({"number": number, "unfinished": unfinished}).encode())


def _read(path: Path) -> tuple[Mapping[str, Any], bytes]:
    try:
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as reader:
            text = reader.read(MOST_BYTES + 1)
        line, _, body = text.partition(b"\n")
        head = json.loads(line)
    except (zstandard.ZstdError, ValueError) as error:
        raise LiveError(f"{path}: a damaged answer ({error}); remove the file, and it is asked again") from error
    return (head if isinstance(head, dict) else {}), body


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{uuid.uuid4().hex}")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
