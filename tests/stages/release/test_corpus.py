"""The collection to search holds every text once, and every id."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stages.ifqa.release.records import CONTEXTS
from stages.release.corpus import Repeats, corpus_lines, find_repeats


def passages(*rows: tuple[str, str]) -> pa.Table:
    return CONTEXTS.table([{"passage": name, "title": name.partition("#")[0], "text": text} for name, text in rows])


ONE = passages(("Stage actor#0", "She plays."), ("Ann#0", "Ann had it."), ("Actor#0", "She plays."))
TWO = passages(("Player#0", "She plays."), ("Bo#0", "Bo had not."))


def lines(*corpus: pa.Table, contexts: pa.Table | None = None) -> list[dict[str, Any]]:
    own = contexts if contexts is not None else passages()
    return [dict(line) for line in corpus_lines(own, corpus, find_repeats(corpus))]


def test_a_text_of_several_pages_is_one_line_with_all_its_ids() -> None:
    assert lines(ONE, TWO) == [
        {"id": "Ann#0", "title": "Ann", "text": "Ann had it."},
        {"id": "Bo#0", "title": "Bo", "text": "Bo had not."},
        {"id": "Actor#0", "title": "Actor", "text": "She plays.", "also": ["Player#0", "Stage actor#0"]},
    ]
    # Three passages of one text: two more than needed.
    assert find_repeats([ONE, TWO]).passages == 2


def test_a_context_that_the_corpus_holds_is_left_out() -> None:
    found = lines(
        ONE, contexts=passages(("context:1", "Ann had it."), ("context:2", "Ours."), ("context:3", "She plays."))
    )
    assert [line["id"] for line in found] == ["Ann#0", "Actor#0", "context:2"]


def test_nothing_repeats_in_nothing() -> None:
    assert find_repeats([]) == find_repeats([TWO]) == Repeats()
    assert lines() == []
