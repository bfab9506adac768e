"""Questions of queries, with the real relation templates."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.facts.relations.templates import Relations, load_relations
from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.questions import RENDERED_QUESTIONS, RenderParams, leaked_answer, render_questions, stage
from stages.qampari.tables import COMPOSED_QUERIES, INTERSECTION_QUERIES, SIMPLE_QUERIES
from stages.qampari.twins import ANSWER_FORMS

FILMS = ["Jaws", "Hook", "Duel", "Munich", "Lincoln"]


@pytest.fixture(scope="module")
def relations() -> Relations:
    return load_relations()


def query(name: str, kind: str, properties: list[str], labels: list[str], classes: list[str | None]) -> dict[str, Any]:
    return {
        "query": name,
        "kind": kind,
        "properties": properties,
        "entities": [f"Q{number}" for number in range(len(labels))],
        "entity_labels": labels,
        "entity_aliases": [[] for _ in labels],
        "classes": classes,
        "answers": 5,
        "validated": 5,
        "share": 1.0,
    }


def answers(**names: list[str | list[str]]) -> pa.Table:
    rows = []
    for name, given in names.items():
        for number, answer in enumerate(given):
            aliases = answer if isinstance(answer, list) else [answer]
            rows.append(
                {
                    "query": name,
                    "answer": f"Q{number}",
                    "unit": "",
                    "answer_kind": "item",
                    "answer_text": aliases[0],
                    "aliases": aliases,
                    "types": [],
                    "title": None,
                    "proofs": [],
                    "scores": [],
                }
            )
    return LABELLED_ANSWERS.table(rows)


def render(relations: Relations, queries: list[dict[str, Any]], given: pa.Table, **params: int):
    def of(kind: str, spec) -> pa.Table:
        return spec.table([row for row in queries if row["kind"] == kind])

    return render_questions(
        of("simple", SIMPLE_QUERIES),
        of("intersection", INTERSECTION_QUERIES),
        of("composition", COMPOSED_QUERIES),
        given,
        relations=relations,
        params=RenderParams(**params),
    )


def test_questions_of_all_kinds(relations: Relations) -> None:
    queries = [
        query("s", "simple", ["P57"], ["Steven Spielberg"], [None]),
        query("i", "intersection", ["P57", "P162"], ["Steven Spielberg", "George Lucas"], [None, None]),
        query("c", "composition", ["P57", "P58"], ["Steven Spielberg"], [None]),
    ]
    output = render(relations, queries, answers(s=FILMS, i=FILMS, c=FILMS))
    table = output.tables[RENDERED_QUESTIONS.name]
    assert table.schema.equals(RENDERED_QUESTIONS.schema)
    rows = {row["query"]: row for row in table.to_pylist()}
    assert {name: row["question"] for name, row in rows.items()} == {
        "s": "Which film was directed by Steven Spielberg?",
        "i": "Which film was directed by Steven Spielberg and was produced by George Lucas?",
        "c": "Who are the screenwriters of the films directed by Steven Spielberg?",
    }
    assert rows["s"]["normal"] == "which film was directed by steven spielberg"
    assert rows["s"]["answers"] == 5
    assert len({row["answer_set"] for row in rows.values()}) == 1
    forms = output.tables[ANSWER_FORMS.name].to_pylist()
    assert {row["query"] for row in forms} == set(rows)
    assert {frozenset(row["forms"]) for row in forms} == {frozenset(forms[0]["forms"])} and len(forms[0]["forms"]) == 5
    assert output.metrics == {"simple_questions": 1.0, "intersection_questions": 1.0, "composition_questions": 1.0}


def test_a_typed_query_asks_for_its_class(relations: Relations) -> None:
    building = next(c for c in relations.simple["P131"].classes)
    output = render(relations, [query("t", "simple", ["P131"], ["London"], [building.qid])], answers(t=FILMS))
    (row,) = output.tables[RENDERED_QUESTIONS.name].to_pylist()
    assert row["question"] == f"Which {building.singular} is located in London?"


def test_an_intersection_asks_for_the_narrower_class(relations: Relations) -> None:
    by_breadth = sorted(relations.classes.values(), key=lambda kind: (kind.wh != "which", kind.breadth, kind.qid))
    narrow, broad = by_breadth[0], next(kind for kind in by_breadth if kind.breadth > by_breadth[0].breadth)
    for classes in ([narrow.qid, broad.qid], [broad.qid, narrow.qid], [None, narrow.qid]):
        row = query("i", "intersection", ["P57", "P162"], ["X", "Y"], classes)
        (made,) = render(relations, [row], answers(i=FILMS)).tables[RENDERED_QUESTIONS.name].to_pylist()
        assert made["question"].startswith(f"Which {narrow.singular} ")


def test_rejects(relations: Relations) -> None:
    queries = [
        query("unknown", "simple", ["P999999"], ["X"], [None]),
        query("few", "simple", ["P57"], ["X"], [None]),
        query("leak", "simple", ["P57"], ["Hook Brothers"], [None]),
        query("bare", "simple", ["P57"], ["X"], [None]),
    ]
    given = answers(unknown=FILMS, few=["Jaws", "The Jaws", "Hook", "Duel", "Munich"], leak=FILMS)
    output = render(relations, queries, given)
    assert output.tables[RENDERED_QUESTIONS.name].num_rows == 0
    assert {row["key"]: (row["reason"], row["detail"]) for row in output.rejects.to_pylist()} == {
        "unknown": ("no_template", "P999999"),
        "few": ("too_few_distinct_answers", "4"),
        "leak": ("answer_in_question", "Hook: Which film was directed by Hook Brothers?"),
        "bare": ("too_few_distinct_answers", "0"),
    }
    assert render(relations, queries[1:2], given, min_answers=4).rejects.num_rows == 0


@pytest.mark.parametrize(
    ("asked", "names", "leaked"),
    [
        ("Which film stars Hook?", ["Jaws", "Hook"], "Hook"),
        ("Which film stars Hooks?", ["Hook"], None),
        ("Which song is on Thriller (album)?", ["Thriller album"], "Thriller album"),
        ("Who is it?", ["Who", "It", "Is"], None),
        ("Which film is in Star Wars?", ["film"], "film"),
        ("Which film is in Star Wars?", ["Film", "Which Film"], None),
        ("Which film is in Star Wars?", ["", "!!!!"], None),
    ],
)
def test_leaked_answers(asked: str, names: list[str], leaked: str | None) -> None:
    assert leaked_answer(asked, names) == leaked


def test_rows_in_another_order_give_the_same(relations: Relations) -> None:
    queries = [query("a", "simple", ["P57"], ["X"], [None]), query("b", "simple", ["P57"], ["Hook Jaws"], [None])]
    given = answers(a=FILMS, b=FILMS)
    first = render(relations, queries, given)
    second = render(relations, queries[::-1], given.take(pa.array(range(given.num_rows)[::-1])))
    assert first.tables[RENDERED_QUESTIONS.name].equals(second.tables[RENDERED_QUESTIONS.name])
    assert first.rejects.equals(second.rejects)


def test_stage_and_params(relations: Relations) -> None:
    assert stage(relations).templates == relations.digests
    with pytest.raises(StageError, match="min_answers: expected at least 1"):
        RenderParams(min_answers=0)
