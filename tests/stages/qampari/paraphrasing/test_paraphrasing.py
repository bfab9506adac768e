"""People's words in place of the templates'."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.forms.kinds import load_kind
from stages.annotation.tables import VERDICTS
from stages.core.contract import Output
from stages.core.short_answers import normalise
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS
from stages.qampari.paraphrasing.paraphrasing import REWORDED, WORDED, names, reworded, stages, worded
from tests.stages.qampari.people_world import answer, proof, question, questions, reasons, rows

KIND = load_kind("qampari_paraphrase")
TEMPLATE = "Which film was directed by Ann Lee?"
ONE = question("q1", TEMPLATE, {"Ann Lee": ["A. Lee", "AL"]})
TWO = question("q2", "Which book was written by AC/DC and by Bo?", {"AC/DC": [], "Bo": []})
OUT = question("out", "What did Ann Lee film?", {"Ann Lee": []})
QUESTIONS = questions(ONE, TWO, OUT)
RELEASED = RELEASED_QUESTIONS.table(
    [
        {"query": q, "split": "dev", "number": n, "kind": "simple", "properties": ["P1"]}
        for n, q in enumerate(("q1", "q2"))
    ]
)
ANSWERS = RELEASED_ANSWERS.table(
    [answer("q1", "Q5", "Jaws", proof("Q5", "P1", "Q0", "T"), aliases=["Great Shark"]) | {"confirmed": False}]
)


def verdict(query: str, text: str | None, status: str = "revised", kind: str = KIND.name) -> dict[str, Any]:
    answers = {"meaning": ["clear"]} | ({} if text is None else {"paraphrase": [text]})
    row = {"task": query, "kind": kind, "origin": query, "answers": json.dumps(answers), "votes": 1, "agreeing": 1}
    return row | {"status": status}


def run(*verdicts: dict[str, Any]) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Texts by query, and the rejects."""
    output = reworded(RELEASED, QUESTIONS, ANSWERS, VERDICTS.table(list(verdicts)), kind=KIND)
    found = rows(output, REWORDED)
    assert {row["template_question"] for row in found} == {ONE["question"], TWO["question"]}
    assert all(row["normal"] == normalise(row["question"]) for row in found)
    return {row["query"]: row["question"] for row in found}, reasons(output)


def test_without_verdicts_questions_stay_as_the_templates_made_them() -> None:
    assert run() == ({"q1": TEMPLATE, "q2": TWO["question"]}, [])
    assert run(verdict("q1", "What did Ann Lee direct?", kind="another"))[0]["q1"] == TEMPLATE


@pytest.mark.parametrize(
    "text", ["Tell me the films that Ann Lee made?", "What are ann lee's films?", "Name the films of A. Lee?"]
)
def test_a_paraphrase_takes_the_place_of_the_template(text: str) -> None:
    assert run(verdict("q1", text)) == ({"q1": text, "q2": TWO["question"]}, [])


def test_short_names_and_symbols_count() -> None:
    text = "Which books did Bo and AC/DC write?"
    assert run(verdict("q2", text))[0]["q2"] == text
    assert run(verdict("q1", "Which films did AL\n  make?"))[0]["q1"] == "Which films did AL make?"


@pytest.mark.parametrize(
    ("query", "text", "status", "reason", "detail"),
    [
        ("q1", "Which films did Lee direct?", "revised", "entity_dropped", "Ann Lee: Which films did Lee direct?"),
        ("q2", "Which books did Bob and AC/DC write?", "revised", "entity_dropped", "Bo: "),
        ("q2", "Which books did Bo write?", "revised", "entity_dropped", "AC/DC: "),
        ("q1", "Did Ann Lee make Jaws and what else?", "revised", "answer_in_paraphrase", "Jaws: "),
        ("q1", "After Great Shark, what did Ann Lee make?", "revised", "answer_in_paraphrase", "Great Shark: "),
        ("q1", " \n ", "revised", "empty_paraphrase", ""),
        ("q1", None, "revised", "empty_paraphrase", ""),
        ("q1", None, "refused", "unclear_question", "1 of 1"),
        ("q1", None, "no_majority", "no_majority", "1 of 1"),
    ],
)
def test_what_is_no_paraphrase_is_told(query: str, text: str | None, status: str, reason: str, detail: str) -> None:
    texts, found = run(verdict(query, text, status))
    assert texts == {"q1": TEMPLATE, "q2": TWO["question"]}
    ((key, why, said),) = found
    assert (key, why) == (query, reason)
    assert said.startswith(detail)


WRITTEN = "Which songs by The Beatles, U2 and !!! (or O\u2019Neill's) are there?"


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("the beatles", True),
        ("Beatles", True),
        ("The Beatles, U2", True),
        ("the songs by", True),
        ("Beatle", False),
        ("U", False),
        ("!!!", True),
        ("???", False),
        ("O\u2019Neill", True),
        ("The", True),
    ],
)
def test_names_are_found_as_whole_words(name: str, there: bool) -> None:
    assert names(WRITTEN, name) is there


@pytest.mark.parametrize("status", ["needs_expert", "needs_vote", "unconfirmed"])
def test_what_people_are_not_through_with_waits(status: str) -> None:
    assert run(verdict("q1", "What did Ann Lee direct?", status)) == ({"q1": TEMPLATE, "q2": TWO["question"]}, [])


def _row(query: str, text: str, template: str) -> dict[str, Any]:
    new = {"question": text, "normal": normalise(text)}
    return question(query, template) | new | {"template_question": template, "template_normal": normalise(template)}


def _worded(*made: dict[str, Any], known: tuple[str, ...] = ()) -> Output:
    table = questions(
        *(question(row["query"], row["template_question"]) for row in made),
        *(question(f"other {place}", text) for place, text in enumerate(known)),
    )
    return worded(REWORDED.table(list(made)), table)


def test_a_paraphrase_that_another_question_asks_is_not_used() -> None:
    output = _worded(_row("q1", "Who made THIS?", "Who did this?"), known=("who made this?",))
    (row,) = rows(output, WORDED)
    assert (row["question"], row["normal"], row["template_question"]) == (
        "Who did this?",
        "who did this",
        "Who did this?",
    )
    assert reasons(output) == [("q1", "same_as_question", "other 0")]
    assert output.metrics == {"paraphrased": 0.0, "as_template": 1.0}


def test_of_two_equal_paraphrases_neither_is_used() -> None:
    output = _worded(
        _row("q1", "Who now?", "Who?"), _row("q2", "Who, now?", "Where?"), _row("q3", "When now?", "When?")
    )
    assert {row["query"]: row["question"] for row in rows(output, WORDED)} == {
        "q1": "Who?",
        "q2": "Where?",
        "q3": "When now?",
    }
    assert reasons(output) == [(query, "same_paraphrase", "who now") for query in ("q1", "q2")]


def test_a_question_may_keep_its_own_words_in_other_letters() -> None:
    output = _worded(_row("q1", "WHO did this?", "Who did this?"))
    assert [row["question"] for row in rows(output, WORDED)] == ["WHO did this?"]
    assert output.metrics["paraphrased"] == 1.0


TEXTS = st.sampled_from(["Who?", "who", "Where?", "When?", "Why?", "How?"])


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8, unique_by=lambda pair: normalise(pair[1])), st.data())
def test_no_two_questions_ask_the_same_in_any_order(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    made = [_row(f"q{place}", text, template) for place, (text, template) in enumerate(pairs)]
    output = _worded(*made)
    found = rows(output, WORDED)
    assert len({row["normal"] for row in found}) == len(found) == len(made)
    again = _worded(*data.draw(st.permutations(made)))
    assert (rows(again, WORDED), reasons(again)) == (found, reasons(output))


def test_the_stages_join_by_query_and_by_text() -> None:
    first, second = stages(KIND, "verdicts_p")
    assert (first.inputs[-1], second.on) == ("verdicts_p", (("normal",), ("normal",)))
    assert pa.schema(WORDED.schema).names[-1] == "template_question"
