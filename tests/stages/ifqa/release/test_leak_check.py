"""What splits share is found in the finished records, whoever made them."""

from __future__ import annotations

from typing import Any

import pytest

from stages.core.contract import StageError
from stages.ifqa.release.leak_check import overlap, stage
from tests.stages.ifqa.rows import question_row
from tests.stages.release.counterfactual_rows import finished

FIRST = question_row("If it were?", context=["A."], title="Bridge", answers=["it"])


def test_common_answers_are_counted() -> None:
    other = question_row("If it were not?", context=["B."], title="Hinge", answers=["It", "her"])
    output = overlap(finished([FIRST, other], [("train", "train"), ("test", "train")]))
    assert output.tables["split_overlap"].to_pylist() == [
        {"benchmark": "full", "kind": "answer", "value": "it", "splits": "test,train", "questions": 2}
    ]
    assert output.metrics == {
        f"{config}_{kind}s_in_two_splits": float(config == "full" and kind == "answer")
        for config in ("full", "few")
        for kind in ("question", "passage", "page", "answer")
    }


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"question": "IF it  were ..."}, "question"),
        ({"context": ["B.", "A."]}, "passage"),
        ({"title": "Bridge"}, "page"),
    ],
)
def test_nothing_else_may_be_common(changes: dict[str, Any], kind: str) -> None:
    plain = {"question": "If it were not?", "context": ["B."], "title": None}
    rows = [FIRST, question_row(**(plain | changes))]
    with pytest.raises(StageError, match=rf"{kind} '.*' is in the splits dev,train of few"):
        overlap(finished(rows, [("train", "train"), ("train", "dev")]))
    assert overlap(finished(rows, [("train", "dev"), ("train", "dev")])).tables["split_overlap"].num_rows == 0


def test_the_stage_reads_records() -> None:
    assert stage().inputs == ("records",)
