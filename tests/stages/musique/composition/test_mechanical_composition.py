"""The stages that word graphs by rules, and drop those that ask the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.bridges.tables import BRIDGES
from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.mechanical_composition import (
    DistinctParams,
    distinct,
    distinct_stage,
    mechanical,
    mechanical_stage,
)
from stages.musique.composition.tables import ASKED_HOPS, MECHANICAL_QUESTIONS
from stages.musique.disconnection.tables import KEPT_BRIDGES
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from stages.musique.spellings.mentions import forms, mentions, searchable
from tests.stages.musique.composition.world import ADA, ADA_ANSWERS, graph, hops_table

GRAMMAR = load_grammar()


def bridge(head: str, tail: str, kind: str) -> dict[str, Any]:
    spans = {"answer": "", "bridge": "", "start": 0, "end": 1, "masked": ""}
    return {"head": head, "tail": tail, "entity": "e", "entity_type": kind} | spans


def worded(*pairs: tuple[dict[str, Any], str]) -> Any:
    rows = [{"graph": row["graph"], "question": question, "form": "phrase"} for row, question in pairs]
    return MECHANICAL_QUESTIONS.table(rows)


def test_graphs_are_worded_by_the_type_of_their_bridge() -> None:
    row = graph("2hop", ["who wrote Emma", "#1 >> father"], ["Jane", "George"])
    known = BRIDGES.table([bridge("h:1", "h:2", "PERSON")])
    output = mechanical(hops_table(row), known, GOLD_PARAGRAPHS.empty(), grammar=GRAMMAR)
    [found] = output.tables["mechanical_questions"].to_pylist()
    assert found["question"] == "Who was the father of the person who wrote Emma?"
    assert output.metrics == {"questions": 1.0, "phrase": 1.0, "reference": 0.0, "letters": 0.0}


def test_no_graphs_are_no_fault() -> None:
    output = mechanical(hops_table(), KEPT_BRIDGES.empty(), GOLD_PARAGRAPHS.empty(), grammar=GRAMMAR)
    assert output.tables["mechanical_questions"].num_rows == 0
    assert (
        distinct(hops_table(), MECHANICAL_QUESTIONS.empty(), params=DistinctParams()).tables["asked_hops"].num_rows == 0
    )


def test_of_graphs_that_ask_the_same_one_stays_whatever_their_order() -> None:
    rows = [graph("2hop", ADA, ADA_ANSWERS, prefix) for prefix in ("a", "b", "c")]
    questions = worded((rows[0], "Who is it?"), (rows[1], "who  is IT"), (rows[2], "Who was it?"))
    output = distinct(hops_table(*rows), questions, params=DistinctParams())
    kept = output.tables[ASKED_HOPS.name]["graph"].to_pylist()
    assert len(kept) == 2
    assert rows[2]["graph"] in kept
    [reject] = output.rejects.to_pylist()
    assert reject["reason"] == "same_question"
    turned = distinct(hops_table(*reversed(rows)), questions.take([2, 1, 0]), params=DistinctParams())
    assert sorted(turned.tables[ASKED_HOPS.name]["graph"].to_pylist()) == sorted(kept)
    chosen = {
        tuple(
            sorted(
                distinct(hops_table(*rows), questions, params=DistinctParams(seed))
                .tables[ASKED_HOPS.name]["graph"]
                .to_pylist()
            )
        )
        for seed in range(8)
    }
    assert len(chosen) == 2


def test_a_question_whose_words_hold_the_answer_goes() -> None:
    row = graph("2hop", ["Rome >> capital of", "#1 >> instance of"], ["Italy", "the place"], answer_aliases=["country"])
    output = distinct(
        hops_table(row), worded((row, "What kind of thing is the country of Rome?")), params=DistinctParams()
    )
    assert output.tables[ASKED_HOPS.name].num_rows == 0
    assert output.rejects.to_pylist()[0]["reason"] == "answer_in_question"


def test_the_stages_depend_on_the_rules() -> None:
    rules = {f"composition/{name}.yaml" for name in ("names", "questions", "relations")}
    assert set(mechanical_stage().templates) == {"adjectives.yaml", *rules}
    assert mechanical_stage("bridges").side == ("bridges", GOLD_PARAGRAPHS.name)
    assert distinct_stage().outputs == (ASKED_HOPS,)


WORDS = st.sampled_from(
    ["Rome", "Italy", "Italian", "American", "United States", "the Army", "place", "Ada", "country"]
)


@given(
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3), WORDS, st.sampled_from(["country", "capital", "part of"])
)
def test_no_question_that_stays_holds_the_answer_of_a_step(
    graphs: list[tuple[str, str]], alias: str, relation: str
) -> None:
    rows = [
        graph(
            "2hop",
            [f"{subject} >> {relation}", "where is #1"],
            [answer, "Brig"],
            str(number),
            hop_aliases=[[alias], []],
        )
        for number, (subject, answer) in enumerate(graphs)
    ]
    hops = hops_table(*rows)
    made = mechanical(hops, KEPT_BRIDGES.empty(), GOLD_PARAGRAPHS.empty(), grammar=GRAMMAR).tables
    worded_as = {row["graph"]: row["question"] for row in made["mechanical_questions"].to_pylist()}
    output = distinct(hops, made["mechanical_questions"], params=DistinctParams())
    for row in output.tables[ASKED_HOPS.name].to_pylist():
        for answers in ([row["hop_answers"][0], *row["hop_aliases"][0]], ["Brig"]):
            assert not mentions(searchable(worded_as[row["graph"]]), forms(answers))
    assert {row["reason"] for row in output.rejects.to_pylist()} <= {"step_in_question", "same_question"}


def test_a_question_that_holds_a_steps_answer_goes() -> None:
    row = graph("2hop", ["East German Ministry >> country", "who rules #1"], ["East Germany", "Ada"])
    row["hop_aliases"] = [["East German"], []]
    output = distinct(
        hops_table(row), worded((row, "Who rules the country of the East German Ministry?")), params=DistinctParams()
    )
    assert output.rejects.to_pylist()[0]["reason"] == "step_in_question"


def test_paragraphs_show_how_names_are_spelt() -> None:
    row = graph("2hop", ["where is the suez canal", "who crossed #1"], ["Egypt", "Ada"])
    shown = GOLD_PARAGRAPHS.table([{"paragraph": row["paragraphs"][0], "title": "Suez", "text": "See the Suez Canal."}])
    [found] = (
        mechanical(hops_table(row), KEPT_BRIDGES.empty(), shown, grammar=GRAMMAR)
        .tables["mechanical_questions"]
        .to_pylist()
    )
    assert found["question"] == "Who crossed the place where the Suez Canal is?"


@pytest.mark.parametrize(
    ("shape", "form", "words", "reason"),
    [
        ("2hop", "phrase", 45, None),
        ("2hop", "phrase", 46, "too_long"),
        ("3hop1", "letters", 9, "several_sentences"),
        ("2hop", "reference", 9, "several_sentences"),
        ("4hop1", "letters", 9, None),
    ],
)
def test_a_question_that_is_long_or_in_pieces_goes(shape: str, form: str, words: int, reason: str | None) -> None:
    row = graph("2hop", ADA, ADA_ANSWERS) | {"graph": f"{shape}__a_b"}
    question = {"graph": row["graph"], "question": " ".join(["who"] * words), "form": form}
    output = distinct(hops_table(row), MECHANICAL_QUESTIONS.table([question]), params=DistinctParams())
    assert [row["reason"] for row in output.rejects.to_pylist()] == ([reason] if reason else [])
    free = DistinctParams(max_words=99, nested=False)
    kept = distinct(hops_table(row), MECHANICAL_QUESTIONS.table([question]), params=free)
    assert kept.tables[ASKED_HOPS.name].num_rows == 1
