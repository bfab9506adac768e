"""Which questions people reword, and what they see."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.forms.kinds import load_kind
from stages.annotation.tasks import TaskParams, tasks
from stages.core.contract import Output, StageError
from stages.qampari.judging.judged import RELEASED_QUESTIONS
from stages.qampari.paraphrasing.paraphrase_drafts import PARAPHRASE_DRAFTS, ParaphraseParams, paraphrase_drafts, stage
from tests.stages.qampari.people_world import answer, answers, proof, question, questions, rows

KIND = load_kind("qampari_paraphrase")
PLACES = {"a": ("train", 0), "b": ("train", 1), "c": ("dev", 0), "d": ("test", 9)}
RELEASED = RELEASED_QUESTIONS.table(
    [
        {"query": query, "split": split, "number": number, "kind": "simple", "properties": ["P1"]}
        for query, (split, number) in PLACES.items()
    ]
)
QUESTIONS = questions(*(question(query, f"Which {query}?") for query in (*PLACES, "e")))
ANSWERS = answers(
    *(answer(query, f"Q{n}", f"{query} {n}", proof("Q1", "P1", "Q9", "T")) for query in PLACES for n in range(4)),
    answer("c", "Q77", "c 1", proof("Q1", "P1", "Q9", "T")),
)


def run(params: ParaphraseParams, found: pa.Table = ANSWERS) -> Output:
    return paraphrase_drafts(RELEASED, QUESTIONS, found, kind=KIND, params=params)


def test_some_of_train_and_all_of_dev_and_test() -> None:
    output = run(ParaphraseParams(train=1))
    found = rows(output, PARAPHRASE_DRAFTS)
    assert [row["origin"] for row in found] == ["a", "c", "d"]
    assert json.loads(found[1]["payload"]) == {"question": "Which c?", "answers": "c 0\nc 1\nc 2\nc 3"}
    assert {row["wrong_payload"] for row in found} == {None}
    assert output.metrics == {"drafts": 3.0}
    assert len(rows(run(ParaphraseParams()), PARAPHRASE_DRAFTS)) == 4
    made = tasks(output.tables[PARAPHRASE_DRAFTS.name], kinds={KIND.name: KIND}, params=TaskParams("toy"))
    assert made.rejects.num_rows == 0


def test_a_few_answers_are_shown() -> None:
    shown = {
        json.loads(rows(run(ParaphraseParams(answers=2, seed=seed)), PARAPHRASE_DRAFTS)[0]["payload"])["answers"]
        for seed in range(6)
    }
    assert all(len(text.split("\n")) == 2 for text in shown)
    assert len(shown) > 1


@given(st.permutations(range(ANSWERS.num_rows)))
def test_order_does_not_matter(order: list[int]) -> None:
    params = ParaphraseParams(answers=3)
    expected = rows(run(params), PARAPHRASE_DRAFTS)
    assert rows(run(params, ANSWERS.take(pa.array(order))), PARAPHRASE_DRAFTS) == expected


@pytest.mark.parametrize("wrong", [{"train": -1}, {"answers": 0}, {"redundancy": -1}])
def test_params_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(StageError, match=next(iter(wrong))):
        ParaphraseParams(**wrong)


def test_a_form_that_does_not_fit_is_named() -> None:
    with pytest.raises(StageError, match="task kind wiqa_graph: shows .*; expected answers, question"):
        stage(load_kind("wiqa_graph"))
