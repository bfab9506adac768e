"""Stage `ifqa.answer_processing`: answers as dates, numbers, amounts and page titles in canonical form."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pyarrow as pa

from stages.core.alive import alive
from stages.core.contract import Join, Output, Stage
from stages.core.rejects import Rejects
from stages.core.steps import TOO_SLOW
from stages.ifqa.tables import KEPT_QUESTIONS, NORMALISED_ANSWERS
from stages.ifqa.titles import FOUND_TITLES, passage_of, title_table
from stages.normalise import NormalisedAnswer, normalise
from stages.normalise.lexicon import lexicon


def normalised(questions: pa.Table, titles: pa.Table) -> Output:
    """NORMALISED_ANSWERS from one bucket of RAW_QUESTIONS and of FOUND_TITLES, both by question_id.

    Rejects, keyed "question_id number": too_slow (the answer stays as it is written, refused for that reason).
    Metrics: answers per kind, as kind_{kind}; refused; forms (those that are not the answer as written).
    """
    by_question: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in titles.to_pylist():
        by_question[row["question_id"]].append(row)
    rejects, rows = Rejects(), list[dict[str, Any]]()
    for row in questions.to_pylist():
        alive()
        around, wiki = passage_of(row), title_table(by_question[row["question_id"]])
        for number, answer in enumerate(row["answers"]):
            found = normalise(answer, around, wiki)
            if found.refusal == TOO_SLOW:
                rejects.add(f"{row['question_id']} {number}", TOO_SLOW, answer)
            rows.append({"question_id": row["question_id"], "number": number, "answer": answer, **_result(found)})
    return Output({NORMALISED_ANSWERS.name: NORMALISED_ANSWERS.table(rows)}, rejects.table(), _metrics(rows))


def _result(found: NormalisedAnswer) -> dict[str, Any]:
    return {
        "kind": str(found.kind),
        "forms": [form.text for form in found.forms],
        "rules": [form.rule for form in found.forms],
        "refusal": found.refusal,
    }


def _metrics(rows: list[dict[str, Any]]) -> dict[str, float]:
    kinds = Counter(row["kind"] for row in rows)
    return {
        "answers": float(len(rows)),
        "refused": float(sum(row["refusal"] is not None for row in rows)),
        "forms": float(sum(form != row["answer"] for row in rows for form in row["forms"])),
        **{f"kind_{kind}": float(count) for kind, count in sorted(kinds.items())},
    }


def stage(questions: str = KEPT_QUESTIONS.name) -> Stage:
    """questions: the name of a table of RAW_QUESTIONS."""
    return Stage(
        name="ifqa.answer_processing",
        shape=Join(on=(("question_id",), ("question_id",))),
        kernel=normalised,
        inputs=(questions, FOUND_TITLES.name),
        outputs=(NORMALISED_ANSWERS,),
        templates=lexicon().digest,
        about="Normal forms: each answer's kind, and its ISO date, number, amount or title.",
    )
