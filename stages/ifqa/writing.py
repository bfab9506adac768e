"""Stage `ifqa.writing`: what people wrote about the passages of their sheets, as questions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.tables import REFUSED
from stages.core.contract import Join, Output, Stage
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.ifqa.parse import read_answers
from stages.ifqa.tables import ANNOTATION, WRITTEN_QUESTIONS, question_id
from stages.ifqa.texts import TextLimits, context_texts, question_text

SHEETS = "passage_sheets"


def written(contributions: pa.Table, sheets: pa.Table, *, params: TextLimits) -> Output:
    """WRITTEN_QUESTIONS from one bucket of a round's CONTRIBUTIONS by origin and of sheets by sheet.

    A contribution's set stands at a place of its form, and so does its passage; places are counted from 0 there and
    from 1 on the sheet. Nobody has verified such a question yet.
    Rejects, keyed by the question's id (a hash that tells nothing of the worker): refused (by an expert),
    unknown_sheet, unknown_place, and those of questions from files.
    """
    passages = {(row["sheet"], row["place"]): row for row in sheets.to_pylist()}
    known = {sheet for sheet, _ in passages}
    rejects, rows = Rejects(), []
    for row in contributions.to_pylist():
        key = _given_id(row)
        try:
            if row["status"] == REFUSED:
                raise Refused("refused", f"task {row['task']}")
            if row["origin"] not in known:
                raise Refused("unknown_sheet", f"task {row['task']}, sheet {row['origin']}")
            if (shown := passages.get((row["origin"], row["number"] + 1))) is None:
                raise Refused("unknown_place", f"sheet {row['origin']} has no passage {row['number'] + 1}")
            rows.append(_question(json.loads(row["answers"]), shown, key, params, rejects))
        except Refused as fault:
            rejects.add(key, fault.reason, str(fault))
    return Output(
        {WRITTEN_QUESTIONS.name: WRITTEN_QUESTIONS.table(rows)},
        rejects.table(),
        {"written_questions": float(len(rows))},
    )


def _question(
    answers: Mapping[str, list[str]], shown: Mapping[str, Any], key: str, limits: TextLimits, rejects: Rejects
) -> dict[str, Any]:
    question = question_text(next(iter(answers.get("question", [])), None), limits)
    context = context_texts(shown["text"], limits)
    return {
        "question_id": question_id(question, context),
        "question": question,
        "answers": list(dict.fromkeys(read_answers(answers.get("answer", []), limits, rejects, key))),
        "context": context,
        "passage": shown["passage"],
        "title": shown["passage"].rpartition("#")[0] or None,
        "links": [],
        "source": ANNOTATION,
        "file": "",
        "given_id": key,
        "confirmed": False,
    }


def _given_id(row: Mapping[str, Any]) -> str:
    """Stable, and silent about who the worker is."""
    text = f"{row['task']}\x1f{row['worker']}\x1f{row['number']}"
    return f"w{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def stage(params: TextLimits | None = None, contributions: str = CONTRIBUTIONS.name, sheets: str = SHEETS) -> Stage:
    """contributions: of the round in which people write; sheets: the table of what each of its tasks shows."""
    params = params or TextLimits()
    return Stage(
        name="ifqa.writing",
        shape=Join(on=(("origin",), ("sheet",))),
        kernel=partial(written, params=params),
        inputs=(contributions, sheets),
        outputs=(WRITTEN_QUESTIONS,),
        about="Questions that people wrote, each with the passage that it contradicts.",
    )
