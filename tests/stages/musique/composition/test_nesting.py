"""Which phrases would make a sentence hard to read."""

from __future__ import annotations

from stages.musique.composition.nesting import hard_to_read


def test_three_phrases_within_each_other_are_too_many() -> None:
    texts = {1: "the author of Emma", 2: "the father of #1", 3: "the home of #2", 4: "Who rules #3?"}
    assert hard_to_read(texts, []) == [2]
    assert hard_to_read(texts, [1]) == [1]
    del texts[4]
    assert hard_to_read(texts | {3: "Who rules #2?"}, []) == []


def test_what_goes_on_behind_a_phrase_takes_no_clause() -> None:
    inner = {1: "the one who wrote Emma", 2: "the place where #1 lived", 3: "Who rules #2?"}
    assert hard_to_read(inner, []) == [1]
    assert hard_to_read(inner | {1: "the author of Emma"}, []) == []


def test_a_question_takes_one_clause_before_it_goes_on() -> None:
    texts = {1: "the city that has it", 2: "When was #1 founded?"}
    assert hard_to_read(texts, []) == []
    assert hard_to_read(texts | {1: "the city that has the one who wrote it"}, []) == [1]


def test_a_clause_before_a_list_goes_on_is_told_apart() -> None:
    texts = {1: "the area that holds Brig", 2: "When did #1 and Egypt join?"}
    assert hard_to_read(texts, []) == [1]
    assert hard_to_read(texts | {1: "the country of Brig"}, []) == []
    assert hard_to_read(texts | {2: "When did Egypt and #1 join?"}, []) == []


def test_no_verb_follows_a_preposition_that_a_clause_ends_in() -> None:
    texts = {1: "the one that Ada won it from", 2: "Where did #1 control it?"}
    assert hard_to_read(texts, []) == [1]
    assert hard_to_read(texts | {2: "Who ruled #1?"}, []) == []
