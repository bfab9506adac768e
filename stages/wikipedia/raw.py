"""Raw pages, as every page source gives them to the `wikipedia.pages` stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from manifests.storage import file_sha256

# Either `error` is set ("reason: detail"; title and an excerpt in `text` where they are known),
# or the row is a redirect (`redirect` set), or it is a page.
# namespace: null where the source does not say; hidden: folded names of the namespaces whose
# links show nothing in a page (files and categories). ORIGIN: null where the source does not say.
ORIGIN = tuple(pa.field(name, pa.string()) for name in ("url", "licence", "revision", "date"))
"""Where a text comes from: the page's address, the text's licence, which version of the page it is, and from when."""
MAX_ORIGIN = 64
"""Characters of a revision and of a date."""
ORIGIN_NAMES = tuple(field.name for field in ORIGIN)
RAW_SCHEMA = pa.schema(
    [
        pa.field("title", pa.string()),
        pa.field("page_id", pa.int64()),
        pa.field("qid", pa.string()),
        pa.field("namespace", pa.int32()),
        pa.field("redirect", pa.string()),
        pa.field("text", pa.large_string()),
        pa.field("markup", pa.bool_()),
        pa.field("hidden", pa.list_(pa.string())),
        *ORIGIN,
        pa.field("error", pa.string()),
    ]
)

BATCH_ROWS = 2000
BATCH_CHARACTERS = 16_000_000

RawRow = dict[str, Any]


def error_row(reason: str, detail: str, title: str | None = None, excerpt: str | None = None) -> RawRow:
    return {"title": title, "text": excerpt, "error": f"{reason}: {detail}"}


def batches(rows: Iterable[RawRow]) -> Iterator[pa.Table]:
    """Tables of RAW_SCHEMA, cut by rows and by characters; missing columns are null."""
    pending: list[RawRow] = []
    characters = 0
    for row in rows:
        pending.append(row)
        characters += len(row.get("text") or "")
        if len(pending) >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
            yield pa.Table.from_pylist(pending, schema=RAW_SCHEMA)
            pending, characters = [], 0
    if pending:
        yield pa.Table.from_pylist(pending, schema=RAW_SCHEMA)


def digests(uris: Iterable[str]) -> dict[str, str]:
    """sha256 per file, under the file's name; files of one name are told apart by a number.

    Raises:
        StorageError: there is no such file.
    """
    result: dict[str, str] = {}
    found = sorted((PurePosixPath(uri.replace("\\", "/")).name, file_sha256(uri)) for uri in uris)
    for name, digest in found:
        number = sum(key == name or key.startswith(f"{name} (") for key in result)
        result[f"{name} ({number + 1})" if number else name] = digest
    return result
