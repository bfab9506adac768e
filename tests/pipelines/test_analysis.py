from __future__ import annotations

from typing import Any

from pipelines.analysis import record_parts
from stages.evaluation.spans import GoldSpan
from stages.ifqa.release.records import COUNTERFACTUAL_RECORDS


def record(question_id: str, full: str, kinds: list[str]) -> dict[str, Any]:
    return {
        "question_id": question_id,
        "idx": 0,
        "question": "If not, when?",
        "answers": ["the 1990s", "199X"],
        "context": ["In the 1990s it came."],
        "full": full,
        "few": "test",
        "written": ["the 1990s"],
        "kinds": kinds,
        "canonical": ["199X"],
        "refusals": [None],
        "title": None,
        "passages": ["context:0"],
        "source": "release",
        "file": "dev",
        "given_id": "7",
        "confirmed": True,
    }


def test_questions_come_by_split_with_what_was_written_and_its_kind() -> None:
    table = COUNTERFACTUAL_RECORDS.table([record("b", "dev", ["date"]), record("a", "train", ["entity"])])
    found = record_parts(table)
    assert list(found) == ["train", "dev"]
    assert found["train"] == [GoldSpan("a", "If not, when?", ("the 1990s",), ("In the 1990s it came.",), "entity")]
    assert found["dev"][0].kind == "date"
