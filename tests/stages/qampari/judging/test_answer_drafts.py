"""Tasks that have answers judged: what workers see, and which are attention checks."""

from __future__ import annotations

import json

import pytest

from stages.annotation.forms.kinds import load_kind
from stages.annotation.tables import TASK_KEYS, TASKS
from stages.annotation.tasks import TaskParams, tasks
from stages.core.contract import StageError
from stages.qampari.judging.answer_drafts import (
    ANSWER_DRAFTS,
    WAITING_DRAFTS,
    AnswerDraftParams,
    answer_drafts,
    names_any,
    stage,
)
from stages.qampari.judging.shown_pages import SHOWN_PAGES
from tests.stages.qampari.people_world import candidate, candidates, question, questions, rows

KIND = load_kind("qampari_answer")


def page(query: str, title: str, text: str, place: int = 0, pages: int = 1, wrong: bool = False) -> dict[str, object]:
    shown = "Duel" if wrong else "Jaws"
    whole = {"origin": f"o {query}", "wrong": wrong, "page": place, "pages": pages, "query": query}
    return whole | {"answer_text": shown, "title": title, "text": text}


ASKED = questions(
    question("q1", "Which film did Ann Lee direct?", {"Ann Lee": ["A. Lee"]}),
    question("q2", "Which film did Bo direct?", {"Bo": []}),
    question("q3", "Which film did Cy Coe direct?", {"Cy Coe": []}),
)
LINE = candidates(candidate("q1"), candidate("q2", place=3), candidate("q3", split="dev"))
PAGES = SHOWN_PAGES.table(
    [
        page("q1", "Jaws", "Jaws is a film by Ann Lee."),
        page("q1", "Duel", "Duel is a film by Bo.", wrong=True),
        page("q2", "Jaws", "A film.", 0, 2),
        page("q2", "Bo", "He made Jaws.", 1, 2),
        page("q3", "Jaws", "Another.", 0, 2),
    ]
)


def test_drafts_by_hand() -> None:
    output = answer_drafts(PAGES, LINE, ASKED, kind=KIND, params=AnswerDraftParams(redundancy=2))
    (first,) = rows(output, ANSWER_DRAFTS)
    assert (first["origin"], first["kind"], first["gold"], first["redundancy"]) == ("o q1", "qampari_answer", None, 2)
    asked = "Which film did Ann Lee direct?"
    assert json.loads(first["payload"]) == {
        "question": asked,
        "answer": "Jaws",
        "title": "Jaws",
        "page": "Jaws is a film by Ann Lee.",
    }
    assert json.loads(first["wrong_payload"]) == {
        "question": asked,
        "answer": "Duel",
        "title": "Duel",
        "page": "Duel is a film by Bo.",
    }
    assert json.loads(first["wrong_gold"]) == {"verdict": ["incorrect"]}
    (waiting,) = rows(output, WAITING_DRAFTS)
    assert (waiting["query"], waiting["wrong_payload"]) == ("q2", None)
    shown = json.loads(waiting["payload"])
    assert (shown["title"], shown["page"]) == ("Jaws | Bo", "Jaws\n\nA film.\n\n\nBo\n\nHe made Jaws.")
    assert output.metrics == {"drafts": 1.0, "waiting": 1.0, "with_wrong": 1.0, "wrong_on_page": 0.0}


@pytest.mark.parametrize("text", ["Duel is a film by a. lee.", "Ann Lee, who made Jaws, liked Duel."])
def test_no_wrong_answer_whose_page_names_an_entity_of_the_question(text: str) -> None:
    shown = SHOWN_PAGES.table([page("q1", "Jaws", "Jaws."), page("q1", "Duel", text, wrong=True)])
    output = answer_drafts(shown, LINE, ASKED, kind=KIND, params=AnswerDraftParams())
    assert rows(output, ANSWER_DRAFTS)[0]["wrong_payload"] is None
    assert (output.metrics["with_wrong"], output.metrics["wrong_on_page"]) == (0.0, 1.0)


def test_only_the_splits_asked_for() -> None:
    output = answer_drafts(PAGES, LINE, ASKED, kind=KIND, params=AnswerDraftParams(splits=("dev",)))
    assert rows(output, ANSWER_DRAFTS) == rows(output, WAITING_DRAFTS) == []


def test_drafts_become_tasks() -> None:
    drafts = answer_drafts(PAGES, LINE, ASKED, kind=KIND, params=AnswerDraftParams()).tables[ANSWER_DRAFTS.name]
    output = tasks(drafts, kinds={KIND.name: KIND}, params=TaskParams("toy", attention_check_share=0.5))
    assert output.rejects.num_rows == 0
    assert output.tables[TASKS.name].num_rows == 2
    assert sorted(output.tables[TASK_KEYS.name]["attention_check"].to_pylist()) == [False, True]


def test_names_are_whole_words_in_any_case() -> None:
    assert names_any("by ANN LEE.", ["Ann Lee"])
    assert not names_any("by Ann Leeds", ["Ann Lee"])
    assert not names_any("by Bo", ["Bo"])


def test_a_form_that_does_not_fit_is_named() -> None:
    with pytest.raises(StageError, match="task kind wiqa_graph: shows .*; expected answer, page, question, title"):
        stage(load_kind("wiqa_graph"))
    with pytest.raises(StageError, match="splits: expected some of dev, test, got train"):
        AnswerDraftParams(splits=("train",))
    with pytest.raises(StageError, match="redundancy: expected 0 or more"):
        AnswerDraftParams(redundancy=-1)
    assert set(stage(KIND).templates) == set(KIND.digests)
