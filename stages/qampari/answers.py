"""Step `answers` of `qampari.questions`: answers with their text, aliases, page and types.

An item takes its label and aliases from its entity and its page from the linked
articles; a plain value is written out (`stages.qampari.literals`).
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.qampari.literals import literal_forms
from stages.qampari.tables import COMPOSED_ANSWERS, INTERSECTION_ANSWERS, PROOF, SIMPLE_ANSWERS
from stages.qampari.units import UNIT_NAMES

LABELLED_ANSWERS = TableSpec(
    name="labelled_answers",
    schema=pa.schema(
        [
            text("query"),
            text("answer"),
            text("unit"),
            text("answer_kind"),
            text("answer_text"),
            texts("aliases"),
            texts("types"),
            pa.field("title", pa.string()),
            pa.field("proofs", pa.list_(PROOF), nullable=False),
            pa.field("scores", pa.list_(pa.float32()), nullable=False),
        ]
    ),
    key=("query", "answer", "unit"),
    bucket_by=("query",),
    inexact=("scores",),
)
"""One row per answer of a query of any kind.

aliases: answer_text first, then the others, none twice.
types: P31 of an item; title: the item's page, null where it has none. Other columns as in QUESTION_ANSWERS.
"""

_CARRIED = ("query", "answer", "unit", "answer_kind", "proofs", "scores")


def label_answers(
    simple: pa.Table,
    intersection: pa.Table,
    composed: pa.Table,
    entities: pa.Table,
    articles: pa.Table,
    unit_names: pa.Table,
) -> Output:
    """LABELLED_ANSWERS from one bucket of all answers, by answer, and of entities and articles by QID.

    Rejects, keyed by query and answer: no_answer_label (an item without an entity or label), no_unit_label.
    """
    answers = pa.concat_tables([table.select(_CARRIED) for table in (simple, intersection, composed)])
    names = {row["unit"]: row["names"] for row in unit_names.to_pylist()}
    rejects = Rejects()
    labels = _item_labels(answers, entities, articles)
    rows = []
    for index, (query, answer, unit, kind) in enumerate(_keys(answers)):
        label = labels.get(answer) if kind == "item" else _literal(answer, kind, unit, names)
        if label is None:
            rejects.add(f"{query} {answer}", "no_answer_label" if kind == "item" else "no_unit_label", unit)
        else:
            rows.append((index, label))
    return Output(
        {LABELLED_ANSWERS.name: _table(answers, rows)}, rejects.table(), {"labelled_answers": float(len(rows))}
    )


def _keys(answers: pa.Table) -> zip[tuple[str, str, str, str]]:
    columns = [answers[name].to_pylist() for name in ("query", "answer", "unit", "answer_kind")]
    return zip(*columns, strict=True)


def _item_labels(answers: pa.Table, entities: pa.Table, articles: pa.Table) -> dict[str, dict[str, Any]]:
    """Text, aliases, types and title of each answer that is an entity of this bucket."""
    found = sql(
        """
        SELECT e.qid, e.label AS answer_text, e.aliases, e.types, a.title
        FROM entities e SEMI JOIN answers w ON w.answer = e.qid LEFT JOIN articles a ON a.qid = e.qid
        """,
        entities=entities.select(["qid", "label", "aliases", "types"]),
        articles=articles.select(["qid", "title"]),
        answers=answers.select(["answer"]),
    )
    labels = {}
    for row in found.to_pylist():
        qid, shown = row.pop("qid"), row["answer_text"]
        if shown:
            labels[qid] = row | {"aliases": list(dict.fromkeys([shown, *row["aliases"]]))}
    return labels


def _literal(value: str, kind: str, unit: str, names: dict[str, list[str]]) -> dict[str, Any] | None:
    if unit and unit not in names:
        return None
    forms = literal_forms(value, kind, names[unit] if unit else ())
    return {"answer_text": forms[0], "aliases": forms, "types": [], "title": None}


def _table(answers: pa.Table, rows: list[tuple[int, dict[str, Any]]]) -> pa.Table:
    carried = answers.take(pa.array([index for index, _ in rows], pa.int64()))
    for name in ("answer_text", "aliases", "types", "title"):
        field = LABELLED_ANSWERS.schema.field(name)
        carried = carried.append_column(field, pa.array([label[name] for _, label in rows], field.type))
    return carried.select(LABELLED_ANSWERS.schema.names).cast(LABELLED_ANSWERS.schema)


def stage() -> Stage:
    return Stage(
        name="qampari.answers",
        shape=Join(on=(("answer",), ("answer",), ("answer",), ("qid",), ("qid",))),
        kernel=label_answers,
        inputs=(SIMPLE_ANSWERS.name, INTERSECTION_ANSWERS.name, COMPOSED_ANSWERS.name, "entities", "articles"),
        side=(UNIT_NAMES.name,),
        outputs=(LABELLED_ANSWERS,),
        about="Step 8: the answers' texts and aliases, from their entities or written out.",
    )
