"""Questions go out to be checked, and come back confirmed, revised or dropped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stages.annotation.forms.kinds import load_kinds
from stages.annotation.tables import STATUSES, VERDICTS
from stages.core.contract import Output, StageError
from stages.ifqa.texts import TextLimits
from stages.ifqa.verification import stage, verified
from stages.ifqa.verification_drafts import VerificationDraftParams, drafts
from stages.ifqa.verification_drafts import stage as drafts_stage
from tests.stages.ifqa.rows import BRIDGE, question_row, question_table, reasons

KIND = "ifqa_verification"


def test_a_draft_shows_what_the_form_asks_for() -> None:
    row = question_row(answers=["the bridge", "it"], context=[BRIDGE, "It rained."])
    output = drafts(question_table(row), params=VerificationDraftParams(3, KIND))
    [draft] = output.tables["verification_drafts"].to_pylist()
    shown = json.loads(draft["payload"])
    assert tuple(sorted(shown)) == load_kinds(KIND)[KIND].variables
    assert shown == {
        "question": row["question"],
        "passage": f"{BRIDGE}\n\nIt rained.",
        "answers": "the bridge\nit",
    }
    assert (draft["origin"], draft["kind"], draft["redundancy"]) == (row["question_id"], KIND, 3)


def test_what_is_confirmed_already_is_not_asked_again() -> None:
    output = drafts(question_table(question_row(confirmed=True)), params=VerificationDraftParams())
    assert output.metrics == {"drafts": 0.0} and output.tables["verification_drafts"].num_rows == 0
    with pytest.raises(StageError, match="redundancy: expected 0 to 99, got -1"):
        VerificationDraftParams(-1)
    assert drafts_stage(KIND).inputs == ("raw_questions",)


def judged(status: str, row: dict[str, Any] | None = None, **answers: list[str]) -> tuple[Output, list[dict[str, Any]]]:
    row = row or question_row(given_id="7")
    verdict = {"task": "t", "kind": KIND, "origin": row["question_id"], "votes": 2, "agreeing": 2, "status": status}
    verdicts = VERDICTS.table([verdict | {"answers": json.dumps(answers)}])
    output = verified(question_table(row), verdicts, params=TextLimits())
    return output, output.tables["verified_questions"].to_pylist()


def test_a_question_that_is_kept_is_confirmed() -> None:
    output, [row] = judged("confirmed", verdict=["keep"], readable=["yes"], standalone=["yes"])
    assert row == question_row(given_id="7", confirmed=True)
    assert output.metrics == {"confirmed": 1, "revised": 0, "unconfirmed": 0}


def test_a_revised_question_keeps_its_id() -> None:
    better = "If the old bridge had held, what would stand?"
    output, [row] = judged("revised", verdict=["revise"], standalone=["no"], revised_question=[better])
    assert row == question_row(given_id="7", confirmed=True) | {"question": better}
    assert output.metrics["revised"] == 1
    _, [row] = judged("revised", verdict=["revise"], revised_answer=["the old bridge", "A", "the old bridge"])
    assert row["answers"] == ["the old bridge"]


@pytest.mark.parametrize("status", sorted(set(STATUSES) - {"confirmed", "revised", "refused", "no_majority"}))
def test_what_is_open_stays_as_it_was(status: str) -> None:
    output, [row] = judged(status, verdict=["keep"])
    assert row == question_row(given_id="7") and output.metrics["unconfirmed"] == 1


@pytest.mark.parametrize(
    ("status", "answers", "reason"),
    [
        ("refused", {}, "refused"),
        ("no_majority", {}, "no_majority"),
        ("confirmed", {"standalone": ["no"]}, "not_standalone"),
        ("confirmed", {"readable": ["no"]}, "not_readable"),
        ("revised", {"revised_question": ["What would stand, then?"]}, "no_if"),
    ],
)
def test_what_is_dropped(status: str, answers: dict[str, list[str]], reason: str) -> None:
    output, rows = judged(status, **answers)
    assert rows == [] and reasons(output) == [("mine:7", reason)]


def test_questions_without_a_verdict_stay() -> None:
    rows = [question_row(), question_row("If not, what?", confirmed=True)]
    output = verified(question_table(*rows), VERDICTS.empty(), params=TextLimits())
    assert output.metrics == {"confirmed": 1, "revised": 0, "unconfirmed": 1}
    assert stage(verdicts="verdicts_verified").inputs == ("raw_questions", "verdicts_verified")
