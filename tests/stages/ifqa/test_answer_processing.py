"""Answers in canonical form, with the titles of a wiki that no worker sees whole."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from stages.core.shards import split
from stages.ifqa.answer_processing import normalised, stage
from stages.ifqa.titles import (
    ASKED_TITLES,
    FOUND_TITLES,
    KNOWN_TITLES,
    asked_titles,
    found_titles,
    known_titles,
    passage_of,
    stages,
)
from stages.normalise import TitleTable, normalise
from stages.wikipedia.pages import DISAMBIGUATIONS, PAGES
from stages.wikipedia.redirects import REDIRECT_TARGETS
from tests.stages.ifqa.rows import question_row, question_table

TITLES = ["Mercury (planet)", "Mercury (element)", "Paris", "Zürich", "Carbon dioxide", "United States", "Old Bridge"]
LEADS = {"USA": "United States", "CO2": "Carbon dioxide", "Gone": "Nowhere", "Luther": "Luther (name)"}
UNCLEAR = ["Luther (name)", "Springfield"]
ANSWERS = [
    "Paris", "paris", "Zurich", "the USA", "U.S.A.", "CO2", "carbon dioxide (CO2)", "Mercury", "Gone", "Luther",
    "Springfield", "nobody at all", "20 July 1969", "two", "the bridge", '"Paris"', "France", "Old Bridge#History",
]  # fmt: skip
QUESTIONS = [
    question_row("If so?", answers=ANSWERS),
    question_row("If it were?", answers=ANSWERS, title="Mercury (planet)"),
    question_row(
        "If it had?",
        answers=ANSWERS,
        title="Old Bridge",
        links=[{"target": "Mercury (element)", "anchor": None}, {"target": "United States", "anchor": "France"}],
    ),
]


def pages(titles: list[str]) -> pa.Table:
    return PAGES.table([{"title": title, "page_id": None, "qid": None, "text": "It is."} for title in titles])


def wiki() -> tuple[pa.Table, pa.Table, pa.Table]:
    redirects = REDIRECT_TARGETS.table([{"source": source, "target": target} for source, target in LEADS.items()])
    return redirects, pages(TITLES), DISAMBIGUATIONS.table([{"title": title} for title in UNCLEAR])


def joined(buckets: int) -> list[dict[str, Any]]:
    """NORMALISED_ANSWERS by way of the stages, with every join done bucket by bucket."""
    redirects, page_table, unclear = wiki()
    known = _buckets(known_titles, buckets, (redirects, "target"), (page_table, "title"), (unclear, "title"))
    asked = asked_titles(question_table(*QUESTIONS)).tables[ASKED_TITLES.name]
    found = _buckets(found_titles, buckets, (asked, "folded"), (known, "folded"))
    answers = _buckets(normalised, buckets, (question_table(*QUESTIONS), "question_id"), (found, "question_id"))
    return answers.sort_by([("question_id", "ascending"), ("number", "ascending")]).to_pylist()


def _buckets(kernel: Any, buckets: int, *inputs: tuple[pa.Table, str]) -> pa.Table:
    parts = [split(table, [column], buckets) for table, column in inputs]
    empty = [table.slice(0, 0) for table, _ in inputs]
    outputs = [kernel(*(part.get(n, none) for part, none in zip(parts, empty, strict=True))) for n in range(buckets)]
    return pa.concat_tables(table for output in outputs for table in output.tables.values())


@pytest.mark.parametrize("buckets", [1, 5])
def test_the_way_of_joins_gives_what_the_whole_wiki_gives(buckets: int) -> None:
    whole = TitleTable.of(TITLES, LEADS, UNCLEAR)
    expected = {
        (row["question_id"], number): normalise(answer, passage_of(row), whole)
        for row in QUESTIONS
        for number, answer in enumerate(row["answers"])
    }
    found = joined(buckets)
    assert len(found) == len(expected)
    for row in found:
        result = expected[row["question_id"], row["number"]]
        assert (row["kind"], row["forms"], row["refusal"]) == (
            str(result.kind),
            [form.text for form in result.forms],
            result.refusal,
        ), row


def test_what_becomes_of_some_answers() -> None:
    plain, planet, linked = (
        {
            row["answer"]: (row["kind"], next(iter(row["forms"]), row["refusal"]))
            for row in joined(3)
            if row["question_id"] == q["question_id"]
        }
        for q in QUESTIONS
    )
    assert plain["Zurich"] == ("entity", "Zürich")
    assert plain["the USA"] == plain["the USA"] == ("entity", "United States")
    assert plain["Mercury"] == ("entity", "qualifier_needed") and planet["Mercury"] == ("entity", "Mercury (planet)")
    assert linked["Mercury"] == ("entity", "Mercury (element)") and linked["France"] == ("entity", "United States")
    assert plain["Springfield"] == plain["Luther"] == ("entity", "disambiguation")
    assert plain["Gone"] == ("entity", "missing_page")
    assert plain["20 July 1969"] == ("date", "1969-07-20")
    assert plain["nobody at all"] == ("span", "nobody at all")


def test_titles_are_known_with_and_without_their_qualifier() -> None:
    rows = known_titles(*wiki()).tables[KNOWN_TITLES.name].to_pylist()
    assert {row["folded"] for row in rows if row["title"] == "Mercury (planet)"} == {"mercury (planet)", "mercury"}
    assert [row["leads_to"] for row in rows if row["title"] in ("Gone", "USA", "Springfield")] == [
        "disambiguation",
        "page",
        "missing",
    ]


def test_of_thousands_of_qualified_titles_one_is_enough() -> None:
    names = [f"Smith ({number})" for number in range(1000)]
    known = known_titles(REDIRECT_TARGETS.empty(), pages(names), DISAMBIGUATIONS.empty()).tables[KNOWN_TITLES.name]
    asked = ASKED_TITLES.table([{"question_id": "q", "folded": "smith"}])
    assert [row["title"] for row in found_titles(asked, known).tables[FOUND_TITLES.name].to_pylist()] == ["Smith (0)"]


def test_without_a_wiki_names_are_spans() -> None:
    output = normalised(question_table(question_row(answers=["Paris", "1936"])), FOUND_TITLES.empty())
    assert output.metrics == {"answers": 2, "refused": 0, "forms": 0, "kind_date": 1, "kind_span": 1}


def test_the_stages_follow_each_other() -> None:
    assert [one.name.partition(".")[2] for one in (*stages(), stage())] == [
        "titles_known",
        "titles_asked",
        "titles_found",
        "answer_processing",
    ]
    assert stage().templates
