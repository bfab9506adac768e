import pytest

from stages.annotation.reading import contributions, has_sides, is_right, is_writing, revision_of, vote_of
from tests.stages.annotation.desk import CHECK, FILL, KINDS, OPINION, REPAIR, REWRITE, SETS


def test_choices_of_one_side_are_one_vote() -> None:
    assert vote_of({"verdict": ["keep"]}, REPAIR) == vote_of({"verdict": ["keep with a smile"]}, REPAIR) == "confirm"
    assert vote_of({"verdict": ["drop"]}, REPAIR) == "refuse"
    assert vote_of({"verdict": ["fix"]}, REPAIR) == "revise"


def test_without_sides_the_choice_is_the_vote() -> None:
    assert vote_of({"answer": ["less"]}, OPINION) == "less"
    assert not has_sides(OPINION)
    assert has_sides(CHECK)


@pytest.mark.parametrize("kind", [CHECK, FILL])
def test_no_vote_without_a_verdict(kind: object) -> None:
    assert vote_of({"remark": ["hm"]}, kind) is None


def test_what_counts_as_writing() -> None:
    assert {name for name, kind in KINDS.items() if is_writing(kind)} == {"rewrite", "fill", "sets"}


def test_known_answers_are_compared_by_their_verdict() -> None:
    gold = {"verdict": ["keep"], "fixed": ["never mind"]}
    assert is_right({"verdict": ["keep with a smile"]}, gold, REPAIR)
    assert not is_right({"verdict": ["fix"], "fixed": ["never mind"]}, gold, REPAIR)
    assert not is_right({}, gold, REPAIR)


def test_known_texts_are_compared_but_for_case_and_spaces() -> None:
    assert is_right({"first": [" A  River"], "second": ["any"]}, {"first": ["a river"]}, FILL)
    assert not is_right({"second": ["a river"]}, {"first": ["a river"]}, FILL)


def test_contributions() -> None:
    assert contributions({"first": ["a"], "second": []}, FILL) == [{"first": ["a"]}]
    assert contributions({}, FILL) == []
    assert contributions({"meaning": ["clear"], "paraphrase": ["Who?"]}, REWRITE) == [{"paraphrase": ["Who?"]}]
    assert contributions({"meaning": ["unclear"]}, REWRITE) == []


def test_numbered_sets_are_contributions_of_their_own() -> None:
    answers = {"question_01": ["If?"], "answer_01": ["yes"], "question_03": ["And if?"], "mood": ["good"]}
    assert contributions(answers, SETS) == [
        {"mood": ["good"], "question": ["If?"], "answer": ["yes"]},
        {"mood": ["good"], "question": ["And if?"]},
    ]


def test_revisions_are_the_named_controls() -> None:
    assert revision_of({"verdict": ["fix"], "fixed": ["so"], "readable": ["no"]}, REPAIR) == {"fixed": ["so"]}
    assert revision_of({"remark": ["so"]}, CHECK) == {}
