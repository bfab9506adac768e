"""What records need from elsewhere: entities' pages and proofs' passages."""

from __future__ import annotations

import pyarrow as pa

from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.release.parts import (
    ASKED_ENTITIES,
    ENTITY_PAGES,
    PAGE_ORIGINS,
    PAGE_TITLES,
    PROOF_PASSAGES,
    PROOF_PLACES,
    origins,
    pages,
    pages_stage,
    parts,
    parts_stage,
    passages,
    passages_stage,
    titles,
)
from stages.qampari.splits import SPLIT_QUESTIONS
from stages.wikipedia.raw import ORIGIN


def question(query: str, entities: list[str]) -> dict:
    return {
        "query": query,
        "kind": "simple",
        "question": "Who?",
        "normal": "who",
        "properties": ["P57"],
        "entities": entities,
        "entity_labels": ["x"] * len(entities),
        "entity_aliases": [[] for _ in entities],
        "classes": [None],
        "answers": 5,
        "answer_set": "",
    }


def proof(title: str, passage: int) -> dict:
    triple = {"subject": "Q1", "property": "P57", "object": "Q2", "index": 0, "sentence": "S."}
    return triple | {"title": title, "passage": passage}


def answer(query: str, *proofs: dict) -> dict:
    return {
        "query": query,
        "answer": "Q1",
        "unit": "",
        "answer_kind": "item",
        "answer_text": "Jaws",
        "aliases": ["Jaws"],
        "types": [],
        "title": None,
        "proofs": list(proofs),
        "scores": [0.5] * len(proofs),
    }


SPLITS = SPLIT_QUESTIONS.table([{"query": "a", "split": "dev", "number": 0, "kind": "simple", "properties": ["P57"]}])


def test_only_questions_of_a_split_are_taken() -> None:
    output = parts(
        SPLITS,
        QUESTIONS.table([question("a", ["Q7", "Q8"]), question("b", ["Q9"])]),
        LABELLED_ANSWERS.table([answer("a", proof("T", 3), proof("U", 0)), answer("b", proof("T", 1))]),
    )
    entities = output.tables[ASKED_ENTITIES.name]
    places = output.tables[PROOF_PLACES.name]
    assert entities.schema.equals(ASKED_ENTITIES.schema)
    assert places.schema.equals(PROOF_PLACES.schema)
    assert [tuple(row.values()) for row in entities.sort_by("position").to_pylist()] == [("a", 0, "Q7"), ("a", 1, "Q8")]
    assert [tuple(row.values()) for row in places.sort_by("position").to_pylist()] == [
        ("a", "Q1", "", 0, "T", 3),
        ("a", "Q1", "", 1, "U", 0),
    ]


def test_pages_of_entities() -> None:
    asked = ASKED_ENTITIES.table(
        [{"query": "a", "position": 0, "entity": "Q7"}, {"query": "b", "position": 0, "entity": "Q8"}]
    )
    articles = pa.table({"title": ["Seven"], "qid": ["Q7"], "page_id": [7]})
    found = pages(asked, articles).tables[ENTITY_PAGES.name].sort_by("query").to_pylist()
    assert [row["title"] for row in found] == ["Seven", None]


def test_passages_of_proofs() -> None:
    places = PROOF_PLACES.table(
        [
            {"query": "a", "answer": "Q1", "unit": "", "position": 0, "title": "T", "passage": 3},
            {"query": "b", "answer": "Q1", "unit": "", "position": 0, "title": "T", "passage": 4},
        ]
    )
    corpus = pa.table(
        {
            "passage_id": ["T#3", "T#30"],
            "title": ["T", "T"],
            "number": pa.array([3, 30], pa.int32()),
            "text": ["x", "y"],
        }
    )
    output = passages(places, corpus)
    (row,) = output.tables[PROOF_PASSAGES.name].to_pylist()
    assert (row["query"], row["passage_id"], row["passage_text"]) == ("a", "T#3", "x")
    assert output.rejects.to_pylist() == [{"key": "b Q1", "reason": "no_passage", "detail": "T#4", "count": 1}]


def test_every_page_of_a_question_is_named_once_and_says_where_it_stands() -> None:
    pages_ = ENTITY_PAGES.table(
        [
            {"query": "a", "position": 0, "entity": "Q7", "title": "Seven"},
            {"query": "a", "position": 1, "entity": "Q8", "title": None},
        ]
    )
    places = PROOF_PLACES.table(
        [{"query": "a", "answer": "Q1", "unit": "", "position": 0, "title": "Seven", "passage": 3}]
    )
    answers = pa.table({"query": ["a", "b"], "title": pa.array(["One", None], pa.string())})
    named = titles(pages_, places, answers).tables[PAGE_TITLES.name]
    assert sorted(named["title"].to_pylist()) == ["One", "Seven"] and set(named["query"].to_pylist()) == {"a"}
    article = {"title": "Seven", "url": "https://my.org/7", "licence": None, "revision": "2", "date": "2026-01-01"}
    articles = pa.Table.from_pylist([article], schema=pa.schema([("title", pa.string()), *ORIGIN]))
    found = origins(named, articles).tables[PAGE_ORIGINS.name]
    assert found.schema.equals(PAGE_ORIGINS.schema)
    assert found.to_pylist() == [{"query": "a", **article}]


def test_nothing_in_nothing_out() -> None:
    output = parts(SPLIT_QUESTIONS.empty(), QUESTIONS.empty(), LABELLED_ANSWERS.empty())
    assert output.tables[ASKED_ENTITIES.name].schema.equals(ASKED_ENTITIES.schema)
    assert output.tables[PROOF_PLACES.name].schema.equals(PROOF_PLACES.schema)


def test_stages_read_each_others_tables() -> None:
    assert parts_stage().outputs == (ASKED_ENTITIES, PROOF_PLACES)
    assert pages_stage().inputs[0] == ASKED_ENTITIES.name
    assert passages_stage().inputs[0] == PROOF_PLACES.name
