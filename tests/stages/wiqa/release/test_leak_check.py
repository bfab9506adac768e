from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.wiqa.release.leak_check import overlap
from stages.wiqa.release.records import choices
from stages.wiqa.tables import CHOSEN_QUESTIONS
from tests.stages.wiqa.world import many, run


def test_a_sound_build_shares_no_topic_and_no_paragraph_and_counts_its_texts() -> None:
    rows = many(topics=9)
    for row in rows:
        row["Z"] = ["good weather", "another text " + row["graph_id"]]
    tables = run(rows)
    questions = choices(tables["chosen_questions"], tables["graphs"]).tables["questions"]
    output = overlap(questions)
    assert all(output.metrics[f"{name}s_in_two_splits"] == 0 for name in ("topic", "para_id", "graph_id", "from_para"))
    assert output.metrics["changes_in_two_splits"] == 1
    [row] = [row for row in output.tables["split_overlap"].to_pylist() if row["kind"] == "change"]
    assert (row["value"], row["splits"]) == ("good weather", "dev,test,train")


def test_a_topic_in_two_splits_is_an_error() -> None:
    tables = run(many())
    listed = tables["chosen_questions"].to_pylist()
    listed[0]["split"] = "test" if listed[0]["split"] != "test" else "dev"
    broken = choices(CHOSEN_QUESTIONS.table(listed), tables["graphs"]).tables["questions"]
    with pytest.raises(StageError, match="in the splits"):
        overlap(broken)
