"""The collection to search holds every text once, and every id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from stages.ifqa.release.records import CONTEXTS
from stages.release.corpus import Look, collect


def passages(*rows: tuple[str, str]) -> pa.Table:
    return CONTEXTS.table([{"passage": name, "title": name.partition("#")[0], "text": text} for name, text in rows])


def shelf(*tables: pa.Table) -> Look:
    def look(*columns: str) -> Iterable[pa.Table]:
        return (table.select(list(columns)) for table in tables)

    return look


ONE = passages(("Stage actor#0", "She plays."), ("Ann#0", "Ann had it."), ("Actor#0", "She plays."))
TWO = passages(("Player#0", "She plays."), ("Bo#0", "Bo had not."))


def lines(*corpus: pa.Table, contexts: pa.Table | None = None) -> list[dict[str, Any]]:
    own = contexts if contexts is not None else passages()
    return [dict(line) for line in collect(shelf(*corpus), own).lines]


def test_a_text_of_several_pages_is_one_line_with_all_its_ids() -> None:
    assert lines(ONE, TWO) == [
        {"_id": "Ann#0", "title": "Ann", "text": "Ann had it.", "also": ""},
        {"_id": "Actor#0", "title": "Actor", "text": "She plays.", "also": "Player#0\nStage actor#0"},
        {"_id": "Bo#0", "title": "Bo", "text": "Bo had not.", "also": ""},
    ]
    found = collect(shelf(ONE, TWO))
    # Three passages of one text: two more than needed.
    assert found.repeated == 2
    assert found.standing == {"Player#0": "Actor#0", "Stage actor#0": "Actor#0"}


def test_a_context_that_the_corpus_holds_is_left_out_and_its_id_is_found() -> None:
    given = passages(("context:1", "Ann had it."), ("context:2", "Ours."), ("context:3", "She plays."))
    found = lines(ONE, contexts=given)
    assert [line["_id"] for line in found] == ["Ann#0", "Actor#0", "context:2"]
    assert [line["also"] for line in found] == ["context:1", "Stage actor#0\ncontext:3", ""]
    assert collect(shelf(ONE), given).standing["context:1"] == "Ann#0"


def test_a_passage_of_an_unknown_page_has_an_empty_title() -> None:
    unknown = CONTEXTS.table([{"passage": "context:1", "title": None, "text": "Ours."}])
    assert [line["title"] for line in lines(contexts=unknown)] == [""]


def test_nothing_repeats_in_nothing() -> None:
    assert (collect(shelf()).repeated, collect(shelf(TWO)).standing, lines()) == (0, {}, [])
