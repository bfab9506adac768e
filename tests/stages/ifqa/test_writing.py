"""What people wrote, joined to the passages of their sheets."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from stages.annotation.asked import Asked
from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.contributed import written as texts_of
from stages.annotation.decisions import Ballot
from stages.annotation.forms.kinds import load_kinds
from stages.core.contract import Output
from stages.core.rejects import Rejects
from stages.ifqa.tables import question_id
from stages.ifqa.texts import TextLimits
from stages.ifqa.writing import stage, written
from tests.stages.ifqa.rows import reasons

SHEETS = pa.Table.from_pylist(
    [{"sheet": "s1", "place": n, "passage": f"Old bridge#{n}", "text": f"Passage {n}."} for n in (1, 2, 3)]
)
ASKED = "If the bridge had held, what would stand?"


def contribution(number: int = 0, **changes: Any) -> dict[str, Any]:
    answers = {"question": [ASKED], "answer": ["the bridge", "it"]}
    row = {"task": "t", "worker": "ann", "number": number, "kind": "k", "origin": "s1", "status": "confirmed"}
    return row | {"answers": json.dumps(answers)} | changes


def run(*rows: dict[str, Any]) -> Output:
    return written(CONTRIBUTIONS.table(list(rows)), SHEETS, params=TextLimits())


def test_a_question_gets_the_passage_at_its_place() -> None:
    [row] = run(contribution(2)).tables["written_questions"].to_pylist()
    assert row.pop("given_id").startswith("w")
    assert row == {
        "question_id": question_id(ASKED, ["Passage 3."]),
        "question": ASKED,
        "answers": ["the bridge", "it"],
        "context": ["Passage 3."],
        "passage": "Old bridge#3",
        "title": "Old bridge",
        "links": [],
        "source": "annotation",
        "file": "",
        "confirmed": False,
    }


def test_the_form_numbers_its_sets_as_the_sheet_its_passages() -> None:
    kind = load_kinds("ifqa_writing")["ifqa_writing"]
    filled = {"question_03": [ASKED], "answer_03": ["it"], "question_01": [ASKED + "?"], "answer_01": ["it"]}
    asked = Asked("t", kind, "{}", 1, "s1", None, False)
    texts = texts_of(asked, [Ballot("ann", filled)], frozenset(), Rejects())
    rows = [contribution(text.number, answers=json.dumps(text.answers)) for text in texts]
    found = {row["question"]: row["passage"] for row in run(*rows).tables["written_questions"].to_pylist()}
    assert found == {ASKED: "Old bridge#3", ASKED + "?": "Old bridge#1"}


def test_what_cannot_be_used_says_why_and_not_by_whom() -> None:
    output = run(
        contribution(status="refused"),
        contribution(origin="s2", worker="bob"),
        contribution(3),
        contribution(1, answers='{"answer":["it"]}'),
        contribution(1, answers=json.dumps({"question": [ASKED], "answer": ["A"]}), worker="cy"),
        contribution(1, answers=json.dumps({"question": ["What?"], "answer": ["it"]}), worker="di"),
    )
    assert output.tables["written_questions"].num_rows == 0
    assert sorted(reason for _, reason in reasons(output)) == [
        "answer_is_nothing",
        "no_answer",
        "no_if",
        "no_question",
        "refused",
        "unknown_place",
        "unknown_sheet",
    ]
    assert not any(name in str(output.rejects.to_pylist()) for name in ("ann", "bob"))


def test_the_stage_reads_the_round_it_is_told_to() -> None:
    assert stage(contributions="contributions_written").inputs == ("contributions_written", "passage_sheets")
