"""Stage `release.choices`: multiple-choice questions as released records, and as a table for users."""

from __future__ import annotations

import pyarrow as pa

from stages.contract import Join, Output, Stage, TableSpec
from stages.influence.graphs import GRAPHS
from stages.influence.tables import CHOSEN_QUESTIONS
from stages.queries.tables import flag, number, text, texts
from stages.release.choices import (
    CHOICES,
    LETTERS,
    ChoiceQuestion,
    ChoiceRecord,
    Metadata,
    check_choice,
    encode_choice,
    stem,
)

CHOICE_RECORDS = TableSpec(
    name="records",
    schema=pa.schema(
        [
            text("qid"),
            text("split"),
            text("kind"),
            text("para_id"),
            pa.field("record", pa.large_string(), nullable=False),
        ]
    ),
    key=("qid",),
    bucket_by=("para_id",),
)
"""qid: the question's id; kind: its type; record: the released JSON line (`stages.release.choices`)."""

CHOICE_QUESTIONS = TableSpec(
    name="questions",
    schema=pa.schema(
        [
            text("question"),
            text("split"),
            text("stem"),
            text("change"),
            text("effect"),
            text("label"),
            number("hops"),
            text("question_type"),
            text("source_node"),
            text("target_node"),
            texts("path"),
            text("topic"),
            text("prompt"),
            text("para_id"),
            text("graph_id"),
            text("from_para"),
            text("from_graph"),
            flag("confirmed"),
            flag("graph_confirmed"),
            text("graph_source"),
        ]
    ),
    key=("question",),
    bucket_by=("para_id",),
)
"""One row per question of the benchmark; columns as in PATH_QUESTIONS.

stem: the question's wording; prompt: what the paragraph explains; confirmed: whether most people who answered the
question anew gave this answer; graph_source: annotation where people drew the graph in this build, else file;
graph_confirmed: whether such a graph stands (an expert has let it, or was not to see it); false for those of files.
"""


def choices(questions: pa.Table, graphs: pa.Table) -> Output:
    """CHOICE_RECORDS and CHOICE_QUESTIONS from one bucket of CHOSEN_QUESTIONS and of GRAPHS, both by para_id."""
    of_graph = {(row["para_id"], row["graph_id"]): row for row in graphs.to_pylist()}
    records, rows = [], []
    confirmed = 0
    for question in questions.to_pylist():
        graph = of_graph[question["para_id"], question["graph_id"]]
        words = stem(question["change"], question["effect"])
        record = ChoiceRecord(
            ChoiceQuestion(words, graph["sentences"], question["label"], LETTERS[question["label"]], CHOICES),
            Metadata(
                ques_id=question["question"],
                graph_id=question["graph_id"],
                para_id=question["para_id"],
                question_type=question["question_type"],
                path_len=len(question["path"]),
            ),
        )
        check_choice(record)
        records.append(
            {
                "qid": question["question"],
                "split": question["split"],
                "kind": question["question_type"],
                "para_id": question["para_id"],
                "record": encode_choice(record),
            }
        )
        of_graph_itself = {"graph_confirmed": graph["confirmed"], "graph_source": graph["source"]}
        rows.append(question | {"stem": words, "prompt": graph["prompt"]} | of_graph_itself)
        confirmed += question["confirmed"]
    return Output(
        {CHOICE_RECORDS.name: CHOICE_RECORDS.table(records), CHOICE_QUESTIONS.name: CHOICE_QUESTIONS.table(rows)},
        metrics={"records": float(len(records)), "confirmed": float(confirmed)},
    )


def stage(questions: str = CHOSEN_QUESTIONS.name) -> Stage:
    """questions: the name of a table of CHOSEN_QUESTIONS, such as one in which people's verdicts stand."""
    return Stage(
        name="release.choices",
        shape=Join(on=(("para_id",), ("para_id",))),
        kernel=choices,
        inputs=(questions, GRAPHS.name),
        outputs=(CHOICE_RECORDS, CHOICE_QUESTIONS),
        about="Release: one JSON record a question, and a table of the questions.",
    )
