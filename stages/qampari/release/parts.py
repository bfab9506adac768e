"""Stages `qampari.parts`, `qampari.parts_pages`, `qampari.parts_passages`, `qampari.parts_titles` and
`qampari.parts_origins`: what the released records need from elsewhere.

`parts` takes the entities and the proofs of the questions in the splits; `pages` finds the
page of each entity; `passages` finds the passage that holds each proof's sentence; `titles` names all pages of a
question, and `origins` says of each where it stands and from when it is.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.columns import number, text
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import as_rejects, fit
from stages.core.sql import sql
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS
from stages.wikipedia.raw import ORIGIN, ORIGIN_NAMES

ASKED_ENTITIES = TableSpec(
    name="asked_entities",
    schema=pa.schema([text("query"), number("position"), text("entity")]),
    key=("query", "position"),
    bucket_by=("entity",),
)
"""One row per entity that a question of a split names; position: 0, 1, ... in the question."""

ENTITY_PAGES = TableSpec(
    name="entity_pages",
    schema=pa.schema([text("query"), number("position"), text("entity"), pa.field("title", pa.string())]),
    key=("query", "position"),
    bucket_by=("query",),
)
"""title: the entity's page, null where it has none."""

PROOF_PLACES = TableSpec(
    name="proof_places",
    schema=pa.schema(
        [text("query"), text("answer"), text("unit"), number("position"), text("title"), number("passage")]
    ),
    key=("query", "answer", "unit", "position"),
    bucket_by=("title",),
)
"""One row per proof of an answer of a question of a split; position: 0, 1, ... in the answer's proofs."""

PROOF_PASSAGES = TableSpec(
    name="proof_passages",
    schema=pa.schema([*PROOF_PLACES.schema, text("passage_id"), text("passage_text")]),
    key=PROOF_PLACES.key,
    bucket_by=("query",),
)


PAGE_TITLES = TableSpec(
    name="page_titles", schema=pa.schema([text("query"), text("title")]), key=("query", "title"), bucket_by=("title",)
)
"""One row per page of an entity, an answer or a proof of a question."""

PAGE_ORIGINS = TableSpec(
    name="page_origins",
    schema=pa.schema([text("query"), text("title"), *ORIGIN]),
    key=("query", "title"),
    bucket_by=("query",),
)


def parts(splits: pa.Table, questions: pa.Table, answers: pa.Table) -> Output:
    """ASKED_ENTITIES and PROOF_PLACES from one bucket of all three inputs by query."""
    entities = sql(
        """
        SELECT q.query, i - 1 AS position, q.entities[i] AS entity
        FROM (SELECT query, entities, unnest(range(1, len(entities) + 1)) AS i FROM questions) q
        SEMI JOIN splits s ON s.query = q.query
        """,
        questions=questions.select(["query", "entities"]),
        splits=splits.select(["query"]),
    )
    places = sql(
        """
        SELECT a.query, a.answer, a.unit, i - 1 AS position, a.proofs[i].title AS title, a.proofs[i].passage AS passage
        FROM (SELECT query, answer, unit, proofs, unnest(range(1, len(proofs) + 1)) AS i FROM answers) a
        SEMI JOIN splits s ON s.query = a.query
        """,
        answers=answers.select(["query", "answer", "unit", "proofs"]),
        splits=splits.select(["query"]),
    )
    return Output({ASKED_ENTITIES.name: fit(ASKED_ENTITIES, entities), PROOF_PLACES.name: fit(PROOF_PLACES, places)})


def pages(asked: pa.Table, articles: pa.Table) -> Output:
    """ENTITY_PAGES from one bucket of asked entities and of articles by QID."""
    found = sql(
        "SELECT e.query, e.position, e.entity, a.title FROM asked e LEFT JOIN articles a ON a.qid = e.entity",
        asked=asked,
        articles=articles.select(["qid", "title"]),
    )
    return Output({ENTITY_PAGES.name: fit(ENTITY_PAGES, found)})


def passages(places: pa.Table, passages: pa.Table) -> Output:
    """PROOF_PASSAGES from one bucket of proof places and of passages by title.

    Rejects, keyed by query and answer: no_passage (the detail names the passage looked for).
    """
    found = sql(
        """
        SELECT p.*, t.passage_id, t.text AS passage_text
        FROM places p LEFT JOIN passages t ON t.title = p.title AND t.number = p.passage
        """,
        places=places,
        passages=passages.select(["title", "number", "passage_id", "text"]),
    )
    rejects = sql(
        """
        SELECT query || ' ' || answer AS key, 'no_passage' AS reason, title || '#' || passage AS detail, 1 AS count
        FROM found WHERE passage_id IS NULL
        """,
        found=found,
    )
    kept = found.filter(pc.is_valid(found["passage_id"]))
    return Output({PROOF_PASSAGES.name: fit(PROOF_PASSAGES, kept)}, as_rejects(rejects))


def titles(entity_pages: pa.Table, places: pa.Table, answers: pa.Table) -> Output:
    """PAGE_TITLES from one bucket of entity pages, of proof places and of RELEASED_ANSWERS by query."""
    found = sql(
        """
        SELECT query, title FROM entity_pages WHERE title IS NOT NULL UNION
        SELECT query, title FROM places UNION
        SELECT query, title FROM answers WHERE title IS NOT NULL
        """,
        entity_pages=entity_pages.select(["query", "title"]),
        places=places.select(["query", "title"]),
        answers=answers.select(["query", "title"]),
    )
    return Output({PAGE_TITLES.name: fit(PAGE_TITLES, found)})


def origins(titles: pa.Table, articles: pa.Table) -> Output:
    """PAGE_ORIGINS from one bucket of page titles and of articles by title."""
    found = sql(
        f"SELECT t.query, t.title, {', '.join(ORIGIN_NAMES)} FROM titles t JOIN articles a ON a.title = t.title",  # noqa: S608
        titles=titles,
        articles=articles.select(["title", *ORIGIN_NAMES]),
    )
    return Output({PAGE_ORIGINS.name: fit(PAGE_ORIGINS, found)})


def parts_stage() -> Stage:
    return Stage(
        name="qampari.parts",
        shape=Join(on=(("query",),) * 3),
        kernel=parts,
        inputs=(RELEASED_QUESTIONS.name, QUESTIONS.name, RELEASED_ANSWERS.name),
        outputs=(ASKED_ENTITIES, PROOF_PLACES),
        about="Release: entities and proofs of the questions in the splits.",
    )


def pages_stage() -> Stage:
    return Stage(
        name="qampari.parts_pages",
        shape=Join(on=(("entity",), ("qid",))),
        kernel=pages,
        inputs=(ASKED_ENTITIES.name, "articles"),
        outputs=(ENTITY_PAGES,),
        about="Release: the pages of the entities that questions name.",
    )


def passages_stage() -> Stage:
    return Stage(
        name="qampari.parts_passages",
        shape=Join(on=(("title",), ("title",))),
        kernel=passages,
        inputs=(PROOF_PLACES.name, "passages"),
        outputs=(PROOF_PASSAGES,),
        about="Release: the passages that hold the evidence sentences.",
    )


def titles_stage() -> Stage:
    return Stage(
        name="qampari.parts_titles",
        shape=Join(on=(("query",),) * 3),
        kernel=titles,
        inputs=(ENTITY_PAGES.name, PROOF_PLACES.name, RELEASED_ANSWERS.name),
        outputs=(PAGE_TITLES,),
        about="Release: the pages of entities, answers and proofs.",
    )


def origins_stage() -> Stage:
    return Stage(
        name="qampari.parts_origins",
        shape=Join(on=(("title",), ("title",))),
        kernel=origins,
        inputs=(PAGE_TITLES.name, "articles"),
        outputs=(PAGE_ORIGINS,),
        about="Release: where these pages stand, and from when they are.",
    )
