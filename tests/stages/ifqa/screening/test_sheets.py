"""Drawing passages onto sheets: seeded, full sheets alone, and nothing that would spoil one."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.annotation.forms.kinds import load_kind
from stages.annotation.tasks import TaskParams, tasks
from stages.core.contract import StageError
from stages.ifqa.screening.screening import SCREENED
from stages.ifqa.screening.sheets import SHEETS, WRITING_DRAFTS, DrawnParams, drawn, stage

KIND = load_kind("ifqa_writing")


def screened(texts: dict[str, str]):
    rest = {"title": "A", "number": 0, "score": 1.0, "cues": [], "past": 1.0, "reasons": []}
    return SCREENED.table([{"passage": key, "text": text} | rest for key, text in texts.items()])


def many(count: int) -> dict[str, str]:
    return {f"A#{number}": f"text {number}" for number in range(count)}


def run(texts: dict[str, str], **params: int):
    return drawn(screened(texts), kind=KIND, params=DrawnParams(**params))


def sheets(texts: dict[str, str], **params: int) -> list[dict]:
    return run(texts, **params).tables[SHEETS.name].to_pylist()


def reasons(output) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in output.rejects.to_pylist():
        found[row["reason"]] = found.get(row["reason"], 0) + row["count"]
    return found


def test_sheets_and_drafts_show_the_same() -> None:
    output = run(many(45), seed=3)
    rows = output.tables[SHEETS.name].to_pylist()
    assert [(row["sheet"], row["place"]) for row in rows] == [
        (sheet, place) for sheet in ("000001", "000002") for place in range(1, 21)
    ]
    drafts = output.tables[WRITING_DRAFTS.name].to_pylist()
    assert [(draft["origin"], draft["kind"], draft["redundancy"]) for draft in drafts] == [
        ("000001", "ifqa_writing", 0),
        ("000002", "ifqa_writing", 0),
    ]
    for draft in drafts:
        own = {f"passage_{row['place']:02}": row["text"] for row in rows if row["sheet"] == draft["origin"]}
        assert json.loads(draft["payload"]) == own
    assert reasons(output) == {"sheet_not_full": 5}
    assert output.metrics == {"sheets": 2.0, "drawn": 40.0}


def test_the_drafts_become_tasks() -> None:
    made = tasks(run(many(40)).tables[WRITING_DRAFTS.name], kinds={KIND.name: KIND}, params=TaskParams("any"))
    assert (made.tables["tasks"].num_rows, made.rejects.num_rows) == (2, 0)


def test_more_sheets_add_to_fewer_and_what_is_left_is_counted() -> None:
    few, more = sheets(many(100), sheets=2), sheets(many(100), sheets=4)
    assert more[: len(few)] == few
    assert reasons(run(many(100), sheets=2)) == {"not_drawn": 60}
    assert reasons(run(many(100), sheets=5)) == {}


def test_another_seed_is_another_draw_of_the_same_passages() -> None:
    one, other = sheets(many(40), seed=1), sheets(many(40), seed=2)
    assert one != other
    assert {row["passage"] for row in one} == {row["passage"] for row in other}


def test_too_few_passages_make_no_sheet() -> None:
    output = run(many(19))
    assert output.tables[SHEETS.name].num_rows == output.tables[WRITING_DRAFTS.name].num_rows == 0
    assert reasons(output) == {"sheet_not_full": 19}
    assert reasons(run({})) == {}


def test_a_hostile_passage_costs_no_sheet() -> None:
    hostile = {
        "B#0": "a\x00b",
        "B#1": "<script>alert(1)</script>",
        "B#2": "x" * 2001,
        "B#3": "\u202etxet",
        "B#4": "x" * 2000,
    }
    output = run(many(39) | hostile)
    assert reasons(output) == {"control_characters": 2, "active_markup": 1, "too_long_to_show": 1}
    assert output.metrics["sheets"] == 2
    made = tasks(output.tables[WRITING_DRAFTS.name], kinds={KIND.name: KIND}, params=TaskParams("any"))
    assert made.rejects.num_rows == 0


@settings(max_examples=30)
@given(st.integers(0, 70), st.integers(0, 5), st.integers(1, 4), st.randoms())
def test_every_passage_is_on_one_sheet_or_rejected_whatever_the_order(
    count: int, seed: int, most: int, shuffle: random.Random
) -> None:
    texts = many(count)
    output = run(texts, seed=seed, sheets=most)
    rows = output.tables[SHEETS.name].to_pylist()
    assert len({row["passage"] for row in rows}) == len(rows)
    assert len(rows) + sum(reasons(output).values()) == count
    mixed = list(texts.items())
    shuffle.shuffle(mixed)
    assert sheets(dict(mixed), seed=seed, sheets=most) == rows


def test_params_and_form_are_checked() -> None:
    for wrong in ({"sheets": 0}, {"per_sheet": 0}, {"per_sheet": 100}, {"redundancy": -1}):
        with pytest.raises(StageError, match=f"{next(iter(wrong))}: expected"):
            DrawnParams(**wrong)
    with pytest.raises(StageError, match="ifqa_writing: expected a form that shows passage_01 to passage_10"):
        stage(KIND, DrawnParams(per_sheet=10))
    with pytest.raises(StageError, match="per_sheet is 20; it shows"):
        stage(load_kind("wiqa_graph"))


def test_the_forms_files_enter_the_fingerprint() -> None:
    assert stage(KIND).templates == KIND.digests
