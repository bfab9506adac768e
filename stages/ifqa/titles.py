"""Stages `ifqa.titles_known`, `.asked_titles` and `.found_titles`: the wiki's titles that answers may mean.

A wiki has millions of titles, so none of its tables goes whole to a worker: names that answers
ask for meet titles by a join on their folded form, and each question gets the few it needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Join, Map, Output, Stage, TableSpec
from stages.ifqa.tables import KEPT_QUESTIONS
from stages.normalise import AnswerPassage, normalise
from stages.normalise.model import Link
from stages.wikipedia.pages import DISAMBIGUATIONS, PAGES
from stages.wikipedia.redirects import REDIRECT_TARGETS
from stages.wikipedia.title_lookup import FoundTitle, TitleTable, base, fold

PAGE, MISSING, UNCLEAR = "page", "missing", "disambiguation"

KNOWN_TITLES = TableSpec(
    name="known_titles",
    schema=pa.schema([text("folded"), text("title"), text("target"), text("leads_to")]),
    key=("folded", "title", "target"),
)
"""One row per title and form under which it is asked for.

folded: the title, or the title without its qualifier in parentheses, without case and diacritics.
target: the page itself, or where a redirect ends; leads_to: page, disambiguation, or missing (no such page).
"""

ASKED_TITLES = TableSpec(
    name="asked_titles", schema=pa.schema([text("question_id"), text("folded")]), key=("question_id", "folded")
)
"""The names that the normaliser would look up for a question's answers, folded. Bucketed by question."""

FOUND_TITLES = TableSpec(
    name="found_titles",
    schema=pa.schema([text("question_id"), text("folded"), text("title"), text("target"), text("leads_to")]),
    key=("question_id", "folded", "title", "target"),
)
"""For each question the titles that its answers, its page and its links may lead to."""


def known_titles(redirects: pa.Table, pages: pa.Table, disambiguations: pa.Table) -> Output:
    """KNOWN_TITLES from one bucket of REDIRECT_TARGETS by target, and of PAGES and DISAMBIGUATIONS by title."""
    leads = dict.fromkeys(disambiguations["title"].to_pylist(), UNCLEAR)
    leads |= dict.fromkeys(pages["title"].to_pylist(), PAGE)
    rows = [row for title, lead in leads.items() for row in _forms(title, title, lead)]
    for row in redirects.to_pylist():
        rows += _forms(row["source"], row["target"], leads.get(row["target"], MISSING))
    return Output({KNOWN_TITLES.name: KNOWN_TITLES.table(rows)}, metrics={"titles": float(len(leads))})


def _forms(title: str, target: str, lead: str) -> Iterator[dict[str, str]]:
    for folded in dict.fromkeys((fold(title), fold(base(title)))):
        yield {"folded": folded, "title": title, "target": target, "leads_to": lead}


class _Asking:
    """A wiki without pages that notes which titles it is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def find(self, title: str) -> FoundTitle | None:
        self.asked.add(title)
        return None

    def alike(self, title: str) -> Sequence[str]:
        self.asked.add(title)
        return ()

    qualified = alike


def asked_titles(questions: pa.Table) -> Output:
    """ASKED_TITLES from RAW_QUESTIONS: where nothing is found the normaliser asks for all that it could ask for."""
    rows = []
    for row in questions.to_pylist():
        wanted = {folded for title in asked_of(row) if (folded := fold(title))}
        rows += [{"question_id": row["question_id"], "folded": folded} for folded in sorted(wanted)]
    return Output({ASKED_TITLES.name: ASKED_TITLES.table(rows)}, metrics={"asked": float(len(rows))})


def asked_of(row: dict[str, Any]) -> set[str]:
    """What the normaliser asks a wiki for that has no such titles, for the answers of a row of RAW_QUESTIONS."""
    wiki, around = _Asking(), passage_of(row)
    for answer in row["answers"]:
        normalise(answer, around, wiki)
    return wiki.asked


def passage_of(row: dict[str, Any]) -> AnswerPassage:
    """What the normaliser may know about the answers of a row of RAW_QUESTIONS."""
    links = [Link(link["target"], link["anchor"]) for link in row["links"]]
    return AnswerPassage(" ".join(row["context"]), row["title"], links, row["question"])


def found_titles(asked: pa.Table, known: pa.Table) -> Output:
    """FOUND_TITLES from one bucket of ASKED_TITLES and of KNOWN_TITLES, both by folded.

    Of titles with a qualifier only the first is kept: it matters that there is one, and a name may have thousands.
    """
    exact: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    qualified: dict[str, dict[str, str]] = {}
    wanted = set(asked["folded"].to_pylist())
    for row in known.to_pylist():
        if row["folded"] not in wanted:
            continue
        if fold(row["title"]) == row["folded"]:
            exact[row["folded"]].append(row)
        elif (first := qualified.get(row["folded"])) is None or _order(row) < _order(first):
            qualified[row["folded"]] = row
    rows = [
        {**row, "question_id": question}
        for question, folded in zip(asked["question_id"].to_pylist(), asked["folded"].to_pylist(), strict=True)
        for row in (*exact[folded], *([qualified[folded]] if folded in qualified else ()))
    ]
    return Output({FOUND_TITLES.name: FOUND_TITLES.table(rows)}, metrics={"found": float(len(rows))})


def _order(row: dict[str, str]) -> tuple[str, str]:
    return row["title"], row["target"]


def title_table(rows: Sequence[dict[str, str]]) -> TitleTable:
    """The part of the wiki that rows of FOUND_TITLES tell of."""
    pages = [row["target"] for row in rows if row["leads_to"] == PAGE]
    unclear = [row["target"] for row in rows if row["leads_to"] == UNCLEAR]
    redirects = {row["title"]: row["target"] for row in rows if row["title"] != row["target"]}
    return TitleTable.of(pages, redirects, unclear)


def stages(questions: str = KEPT_QUESTIONS.name) -> tuple[Stage, ...]:
    """questions: the name of a table of RAW_QUESTIONS."""
    return (
        Stage(
            name="ifqa.titles_known",
            shape=Join(on=(("target",), ("title",), ("title",))),
            kernel=known_titles,
            inputs=(REDIRECT_TARGETS.name, PAGES.name, DISAMBIGUATIONS.name),
            outputs=(KNOWN_TITLES,),
            about="Normal forms: the wiki's titles, under the forms that names are looked up in.",
        ),
        Stage(
            name="ifqa.titles_asked",
            shape=Map(),
            kernel=asked_titles,
            inputs=(questions,),
            outputs=(ASKED_TITLES,),
            about="Normal forms: the names that answers may be.",
        ),
        Stage(
            name="ifqa.titles_found",
            shape=Join(on=(("folded",), ("folded",))),
            kernel=found_titles,
            inputs=(ASKED_TITLES.name, KNOWN_TITLES.name),
            outputs=(FOUND_TITLES,),
            about="Normal forms: the titles that each question's answers may mean.",
        ),
    )
