"""Stage `ifqa.verification_drafts`: questions that people are to verify."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.tables import DRAFTS
from stages.annotation.tasks import MAX_REDUNDANCY
from stages.core.contract import Map, Output, Stage, StageError
from stages.ifqa.tables import RAW_QUESTIONS

VERIFICATION_DRAFTS = replace(DRAFTS, name="verification_drafts")


@dataclass(frozen=True)
class VerificationDraftParams:
    """redundancy: workers per question, 0 for the kind's own number.
    kind: of the tasks, a folder of templates/annotation; set by the stage.
    """

    redundancy: int = 0
    kind: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.redundancy <= MAX_REDUNDANCY:
            raise StageError(f"redundancy: expected 0 to {MAX_REDUNDANCY}, got {self.redundancy}")


def drafts(questions: pa.Table, *, params: VerificationDraftParams) -> Output:
    """VERIFICATION_DRAFTS from RAW_QUESTIONS: one per unconfirmed question, its origin the question_id."""
    rows = []
    for row in questions.to_pylist():
        if row["confirmed"]:
            continue
        shown = {
            "question": row["question"],
            "passage": "\n\n".join(row["context"]),
            "answers": "\n".join(row["answers"]),
        }
        asked = {"origin": row["question_id"], "kind": params.kind, "redundancy": params.redundancy}
        unknown = {"wrong_payload": None, "wrong_gold": None, "gold": None}
        rows.append(asked | unknown | {"payload": canonical_json(shown)})
    return Output({VERIFICATION_DRAFTS.name: VERIFICATION_DRAFTS.table(rows)}, metrics={"drafts": float(len(rows))})


def stage(kind: str, params: VerificationDraftParams | None = None, questions: str = RAW_QUESTIONS.name) -> Stage:
    """kind: of the tasks, a folder of templates/annotation."""
    params = replace(params or VerificationDraftParams(), kind=kind)
    return Stage(
        name="ifqa.verification_drafts",
        shape=Map(),
        kernel=partial(drafts, params=params),
        inputs=(questions,),
        outputs=(VERIFICATION_DRAFTS,),
        about="Verification: each question with its passages and answers, to be checked by two workers.",
    )
