"""What makes two questions one."""

from __future__ import annotations

from stages.ifqa.tables import question_id, same_question


def test_an_id_depends_on_wording_and_passages() -> None:
    one = question_id("If the bridge had held?", ["It fell."])
    assert len(one) == 16
    assert question_id("if a bridge had held", ["It  fell."]) == one
    assert question_id("If the bridge had not held?", ["It fell."]) != one
    assert question_id("If the bridge had held?", ["It fell.", "It rained."]) != one


def test_case_punctuation_and_articles_make_no_other_question() -> None:
    assert same_question("If the Bridge had held, ...?") == same_question("if a bridge had held")
