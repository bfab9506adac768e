"""The neutral shape: {"question", "answer" or "answers", "paragraph", "title"?, "id"?, "source"?, "answer_start"?}."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stages.core.texts import Refused
from stages.musique.single_hops.stated import Stated

NEUTRAL = "neutral"


def read(record: Mapping[str, Any]) -> Iterator[Stated | Refused]:
    """The one question of a record; a field that is null counts as left out. Refused: bad_answers."""
    listed, source = record.get("answers"), record.get("source")
    listed = [] if listed is None else listed
    if not isinstance(listed, list):
        yield Refused("bad_answers", f"expected a list, got {type(listed).__name__}")
        return
    first = record.get("answer")
    yield Stated(
        source=NEUTRAL if source is None else source,
        given_id=record.get("id"),
        question=record.get("question"),
        answers=[*([] if first is None else [first]), *listed],
        title=record.get("title"),
        text=record.get("paragraph"),
        start=record.get("answer_start"),
    )
