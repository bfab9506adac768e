"""The tables of questions that the stages of influence graphs hand to each other."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import TableSpec

PATH_QUESTIONS = TableSpec(
    name="path_questions",
    schema=pa.schema(
        [
            text("question"),
            text("para_id"),
            text("graph_id"),
            text("topic"),
            text("source_node"),
            text("target_node"),
            text("change"),
            text("effect"),
            text("label"),
            number("hops"),
            texts("path"),
            text("question_type"),
            text("from_para"),
            text("from_graph"),
            flag("confirmed"),
        ]
    ),
    key=("question",),
    bucket_by=("para_id",),
)
"""One row per question.

question: "influence_graph:{para_id}:{graph_id}:{path}#{grounding}", or "out_of_para:{para_id}:{graph_id}:{number}".
source_node, target_node: letters of the change's and the effect's node; change, effect: their texts.
label: more, less or no_effect; hops: edges of the path, 0 without one; path: its nodes, [] without one.
question_type: EXOGENOUS_EFFECT, INPARA_EFFECT or OUTOFPARA_DISTRACTOR.
from_para, from_graph: the graph that the change comes from; the question's own unless it has no effect.
confirmed: whether people have confirmed the answer.
"""

NO_EFFECT_QUESTIONS = replace(PATH_QUESTIONS, name="no_effect_questions")
CHOSEN_QUESTIONS = replace(
    PATH_QUESTIONS,
    name="chosen_questions",
    schema=PATH_QUESTIONS.schema.append(text("split")),
)

STRATUM = ("label", "question_type", "hops")
PATH_STRATA = TableSpec(
    name="path_strata",
    schema=pa.schema(
        [text("para_id"), text("topic"), text("label"), text("question_type"), number("hops"), number("questions")]
    ),
    key=("para_id", "topic", *STRATUM),
    bucket_by=("para_id",),
)
"""How many questions a paragraph has of each label, type and number of hops."""

NO_EFFECT_STRATA = replace(PATH_STRATA, name="no_effect_strata")


def strata(questions: pa.Table, spec: TableSpec) -> pa.Table:
    """The rows of PATH_STRATA for some questions."""
    keys = list(spec.key)
    counted = questions.select(keys).group_by(keys, use_threads=False).aggregate([([], "count_all")])
    return counted.rename_columns([*keys, "questions"]).cast(spec.schema)
