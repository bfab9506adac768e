"""Drafts to tasks, and the attention checks among them."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.tables import TASK_KEYS, TASKS
from stages.annotation.tasks import TaskParams, stage, task_id, tasks
from stages.core.contract import Output, StageError
from tests.people_samples import ANSWER, GRAPH, KINDS, draft, draft_table, payload, reasons

PARAMS = TaskParams("toy")


def plantable(origin: str) -> dict[str, Any]:
    """A draft with a wrong answer at hand; nothing but the answer's text differs, and it says nothing."""
    shown = payload(ANSWER, question=f"Which {origin}?", answer="north")
    return draft(
        origin,
        payload=json.dumps(shown),
        wrong_payload=json.dumps(shown | {"answer": "south"}),
        wrong_gold=json.dumps({"verdict": ["incorrect"]}),
    )


def run(*drafts: dict[str, Any], params: TaskParams = PARAMS) -> Output:
    return tasks(draft_table(*drafts), kinds=KINDS, params=params)


def test_a_draft_becomes_a_task_and_its_key() -> None:
    gold = '{"reason": [" no "], "verdict": ["incorrect"]}'
    output = run(draft("q1", gold=gold, redundancy=3), draft("g1", GRAPH, payload=json.dumps(payload(GRAPH))))
    made = {row["kind"]: row for row in output.tables["tasks"].to_pylist()}
    keys = {row["origin"]: row for row in output.tables["task_keys"].to_pylist()}
    shown = payload(ANSWER, question="Which q1?")
    assert made[ANSWER] == {
        "task": task_id("toy", ANSWER, shown),
        "dataset": "toy",
        "kind": ANSWER,
        "payload": json.dumps(shown, sort_keys=True, separators=(",", ":")),
        "redundancy": 3,
    }
    assert made[GRAPH]["redundancy"] == 1
    assert keys["q1"] == {
        "task": made[ANSWER]["task"],
        "origin": "q1",
        "gold": '{"reason":["no"],"verdict":["incorrect"]}',
        "attention_check": False,
    }
    assert keys["g1"]["gold"] is None
    assert output.metrics == {"drafts": 2.0, "attention_checks": 0.0}


def test_an_id_says_what_is_shown_and_nothing_else() -> None:
    # sha256 of ["toy","k",{"a":"1","b":"2"}], worked out with sha256sum.
    assert task_id("toy", "k", {"b": "2", "a": "1"}) == "c2dab8c2792a1a9933d6eba81c9e060e"


def test_a_tenth_of_all_tasks_are_attention_checks() -> None:
    output = run(*(plantable(f"q{number}") for number in range(3000)))
    keys = output.tables["task_keys"].to_pylist()
    checks = [row for row in keys if row["attention_check"]]
    # 3000 draws with chance 1/9: mean 333, standard deviation 17.
    assert abs(len(checks) - 3000 / 9) < 4 * math.sqrt(3000 * 8 / 81)
    assert {row["gold"] for row in checks} == {'{"verdict":["incorrect"]}'}
    assert output.metrics["attention_checks"] == len(checks)
    assert len({row["task"] for row in keys}) == 3000 + len(checks)


def test_nothing_about_a_task_tells_that_it_is_an_attention_check() -> None:
    output = run(
        *(plantable(f"q{number}") for number in range(2000)), params=TaskParams("toy", attention_check_share=0.5)
    )
    hidden = {row["task"]: row["attention_check"] for row in output.tables["task_keys"].to_pylist()}
    rows = sorted(output.tables["tasks"].to_pylist(), key=lambda row: row["task"])
    assert {frozenset(row) for row in rows} == {frozenset(TASKS.schema.names)}
    assert {re.sub("[0-9a-f]", "x", row["task"]) for row in rows} == {"x" * 32}
    assert {frozenset(json.loads(row["payload"])) for row in rows} == {frozenset(KINDS[ANSWER].variables)}
    assert {row["redundancy"] for row in rows} == {1}
    # In order of ids, attention checks lie as coins fall: 2000 of 4000, so about half of the first thousand.
    assert 420 < sum(hidden[row["task"]] for row in rows[:1000]) < 580


def test_which_are_attention_checks_depends_on_seed_and_origin_alone() -> None:
    drafts = [plantable(f"q{number}") for number in range(400)]

    def checks(*some: dict[str, Any], seed: int = 0) -> set[str]:
        keys = run(*some, params=TaskParams("toy", seed)).tables["task_keys"].to_pylist()
        return {row["origin"] for row in keys if row["attention_check"]}

    whole = checks(*drafts)
    assert checks(*reversed(drafts)) == whole
    assert checks(*drafts[:200]) | checks(*drafts[200:]) == whole
    assert checks(*drafts, seed=1) != whole
    assert not run(*drafts, params=TaskParams("toy", attention_check_share=0)).metrics["attention_checks"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind": "poetry"}, "unknown_kind"),
        ({"redundancy": -1}, "bad_draft"),
        ({"redundancy": 100}, "bad_draft"),
        ({"wrong_payload": "{}"}, "bad_draft"),
        ({"payload": "{"}, "bad_payload"),
        ({"payload": "[]"}, "bad_payload"),
        ({"payload": json.dumps(payload(ANSWER) | {"page": 5})}, "bad_payload"),
        ({"payload": json.dumps(payload(ANSWER) | {"gold": "yes"})}, "unknown_variable"),
        ({"payload": json.dumps({"question": "q"})}, "missing_variable"),
        ({"payload": json.dumps(payload(ANSWER, page="x" * 400_000))}, "payload_too_long"),
        ({"payload": json.dumps(payload(ANSWER, page="a\x07"))}, "control_characters"),
        ({"payload": json.dumps(payload(ANSWER, page="a\u202eb"))}, "control_characters"),
        ({"payload": json.dumps(payload(ANSWER, page="\ud800"))}, "control_characters"),
        ({"payload": json.dumps(payload(ANSWER, page="<ScRipt>alert(1)</script>"))}, "active_markup"),
        ({"payload": json.dumps(payload(ANSWER, page="<b onclick=x>"))}, "active_markup"),
        ({"payload": json.dumps(payload(ANSWER, answer="javascript:alert(1)"))}, "active_markup"),
        ({"gold": "5"}, "bad_gold"),
        ({"gold": '{"verdict": "correct"}'}, "bad_gold"),
        ({"gold": '{"verdict": ["perhaps"]}'}, "bad_gold"),
    ],
)
def test_drafts_that_cannot_be_shown_are_rejects(changes: dict[str, Any], reason: str) -> None:
    output = run(draft("q1") | changes)
    assert reasons(output) == [(f"{changes.get('kind', ANSWER)} q1", reason)]
    assert output.tables["tasks"].num_rows == output.tables["task_keys"].num_rows == 0


def test_harmless_signs_stay() -> None:
    text = "a < b, <ref>3</ref> & ${x} $y\n\tsecond line"
    output = run(draft("q1", payload=json.dumps(payload(ANSWER, page=text))))
    assert json.loads(output.tables["tasks"].to_pylist()[0]["payload"])["page"] == text


def test_a_fault_of_the_wrong_twin_rejects_that_alone() -> None:
    bad = [plantable(f"q{number}") | {"wrong_gold": '{"verdict": ["perhaps"]}'} for number in range(40)]
    output = run(*bad, params=TaskParams("toy", attention_check_share=0.5))
    assert output.tables["tasks"].num_rows == 40
    assert {reason for _, reason in reasons(output)} == {"bad_gold"}


def test_parameters_are_checked() -> None:
    for wrong in ({"dataset": "A B"}, {"dataset": "toy", "attention_check_share": 0.6}):
        with pytest.raises(StageError):
            TaskParams(**wrong)
    made = stage({ANSWER: KINDS[ANSWER]}, PARAMS)
    assert (made.name, made.inputs, made.outputs) == ("annotation.tasks", ("drafts",), (TASKS, TASK_KEYS))
    assert made.templates.keys() == {f"annotation/{ANSWER}.yaml"}


@given(st.text(max_size=40))
def test_any_text_is_shown_as_it_is_or_refused(text: str) -> None:
    output = run(draft("q1", payload=json.dumps(payload(ANSWER, page=text))))
    if output.rejects.num_rows == 0:
        assert json.loads(output.tables["tasks"].to_pylist()[0]["payload"])["page"] == text
    else:
        assert reasons(output)[0][1] in ("control_characters", "active_markup")
