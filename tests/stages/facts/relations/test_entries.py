"""Tests of stages.facts.relations.entries: the readers of single entries."""

from __future__ import annotations

from stages.facts.relations.entries import (
    ARTICLE_KEYS,
    CLASS_KEYS,
    LANDMARK_KEYS,
    read_articles,
    read_class,
    read_landmark,
    read_relation,
)
from stages.facts.relations.entry import Entry
from stages.facts.relations.model import AnswerClass, Articles

FILM = AnswerClass("Q11424", "film", "films", "a", "which")


def test_an_answer_class_is_read() -> None:
    problems: list[str] = []
    fields = {"singular": "album", "plural": "albums", "article": "an", "wh": "which", "breadth": 2}
    read = read_class(Entry("classes.yaml", "Q482994", fields, CLASS_KEYS, problems))
    assert read == AnswerClass("Q482994", "album", "albums", "an", "which", 2, ())
    assert problems == []


def test_articles_are_read() -> None:
    problems: list[str] = []
    fields = {"exact": ["Nile"], "starts": ["Sea of"], "ends": ["Sea"], "within": ["Party of"]}
    fields |= {"never": [], "bare": ["music"], "superlatives": ["largest"]}
    read = read_articles(Entry("articles.yaml", "articles", fields, ARTICLE_KEYS, problems))
    assert read == Articles(
        frozenset({"Nile"}), ("Sea of",), ("Sea",), ("Party of",), frozenset(), frozenset({"music"}), ("largest",)
    )
    assert problems == []


def test_a_landmark_is_read_with_its_sorts() -> None:
    problems: list[str] = []
    fields = {"label": "school", "sort": ["organisation/school", "place/structure"]}
    assert read_landmark(Entry("landmarks.yaml", "Q3914", fields, LANDMARK_KEYS, problems)) == (
        "organisation/school",
        "place/structure",
    )
    assert problems == []
    read_landmark(Entry("landmarks.yaml", "Q3914", {"label": "school", "sort": ["a school"]}, LANDMARK_KEYS, problems))
    assert problems == [
        "landmarks.yaml: Q3914: sort: expected words with / between them such as place/area, found 'a school'"
    ]


def test_a_relation_may_have_one_role_only() -> None:
    problems: list[str] = []
    fields = {
        "label": "height",
        "family": "quantity",
        "value": "quantity",
        "hypothesis": "The height of {subject} is {object}.",
        "composition": {"plural": "heights", "question": "What are the heights of {phrase}?", "extra": True},
    }
    read = read_relation("q.yaml", "P2048", fields, {}, {"quantity": "numbers"}, Articles(), problems)
    assert problems == []
    assert read is not None
    prop, simple, composed = read
    assert (prop.pid, prop.value, prop.alternative, simple) == ("P2048", "quantity", None, None)
    assert composed is not None
    assert (composed.pid, composed.value, composed.family, composed.extra) == ("P2048", "quantity", "quantity", True)


def test_a_relation_without_any_role_is_a_problem() -> None:
    problems: list[str] = []
    fields = {"label": "height", "family": "quantity", "hypothesis": "The height of {subject} is {object}."}
    read_relation("q.yaml", "P2048", fields, {FILM.qid: FILM}, {"quantity": "numbers"}, Articles(), problems)
    assert problems == ["q.yaml: P2048: expected simple, composition or both"]
