"""Labelled pairs: premises of which is known whether they state a triple.

The project's own format is one JSON object a line:

    subject, object   names as a text would use them
    property          Wikidata property id
    premise           the text, one to three sentences
    stated            1 or 0
    sentence          optional: the last sentence of the premise (default: the premise)
    kind              optional: kind of error, for the report
    group             optional: what must not be split between folds, such as a document
    subject_names, object_names   optional: other names of both, for the structural check
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.core.contract import StageError
from stages.io.whole_file import whole_text

_TEXTS = ("subject", "object", "property", "premise")


@dataclass(frozen=True)
class Labelled:
    """One labelled pair, as in the module's format."""

    subject: str
    object: str
    property: str
    premise: str
    stated: bool
    sentence: str
    kind: str = ""
    group: str = ""
    subject_names: tuple[str, ...] = ()
    object_names: tuple[str, ...] = ()


def read_labelled(path: str | Path) -> list[Labelled]:
    """The rows of a file; raises StageError naming file, line and key of the first bad one, or one that is too long."""
    rows = []
    try:
        for number, line in enumerate(whole_text(path).split("\n"), start=1):
            if line.strip():
                rows.append(_row(line, f"{path}:{number}"))
    except UnicodeDecodeError as error:
        raise StageError(f"{path}: not UTF-8: {error}") from error
    return rows


def _row(line: str, where: str) -> Labelled:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StageError(f"{where}: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise StageError(f"{where}: expected an object, found {type(data).__name__}")
    for key in _TEXTS:
        if not isinstance(data.get(key), str) or not data[key]:
            raise StageError(f"{where}: {key}: expected a text that is not empty")
    if data.get("stated") not in (0, 1):
        raise StageError(f"{where}: stated: expected 1 or 0, found {data.get('stated')!r}")
    return Labelled(
        **{key: data[key] for key in _TEXTS},
        stated=bool(data["stated"]),
        sentence=str(data.get("sentence") or data["premise"]),
        kind=str(data.get("kind") or ""),
        group=str(data.get("group") or where),
        subject_names=tuple(_names(data, "subject_names", where)),
        object_names=tuple(_names(data, "object_names", where)),
    )


def _names(data: dict[str, Any], key: str, where: str) -> Iterator[str]:
    value = data.get(key) or []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise StageError(f"{where}: {key}: expected a list of texts")
    yield from value
