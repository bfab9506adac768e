"""Stage `facts.nli_validation`: which candidates state their triple (paper, step 4).

A candidate passes where the model's score under its best hypothesis reaches the threshold
of the relation's family, and the two checks beside the model find neither another role
(`stages.facts.roles.check`) nor another sort of relation (`stages.facts.sorts`). The
paper's one threshold removed 70 % of false alignments and lost 7.5 % of right ones; ours
are calibrated to the same loss, checks included. A sentence that says a hypothesis word by
word always passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.alive import alive
from stages.core.columns import text
from stages.core.contract import Join, Output, Scorer, Stage, StageError, TableSpec
from stages.core.rejects import Rejects
from stages.core.rounds import named
from stages.core.sql import sql
from stages.facts.candidate_evidence import CANDIDATES
from stages.facts.readings import same_text
from stages.facts.relations.model import Relations
from stages.facts.roles.check import check
from stages.facts.roles.clauses import MentionNames
from stages.facts.roles.lexicon import RoleLexicon, load_lexicon
from stages.facts.scored_readings import SCORED_READINGS
from stages.facts.sorts import OTHER_SORT, Sorts, load_sorts
from stages.facts.tables import TRIPLE
from stages.facts.thresholds import Thresholds, load_thresholds

ENTAILED = TableSpec(
    name="entailed",
    schema=CANDIDATES.schema.append(text("hypothesis")).append(pa.field("score", pa.float32(), nullable=False)),
    key=CANDIDATES.key,
    bucket_by=TRIPLE,
    inexact=("score",),
)
"""The candidates that state their triple; score: the model's probability of entailment, by the best hypothesis."""


@dataclass(frozen=True)
class ValidateParams:
    """threshold: one least score for all relations; None takes the calibrated ones, per relation family.

    roles: whether the checks beside the model run.
    """

    threshold: float | None = None
    roles: bool = True

    def __post_init__(self) -> None:
        if self.threshold is None:
            return
        if not isinstance(self.threshold, int | float) or not 0 <= self.threshold <= 1:
            raise StageError(f"facts.nli_validation: threshold is a probability from 0 to 1, not {self.threshold!r}")


@dataclass(frozen=True)
class Judge:
    """limits: least score per property; default: for any other; lexicon, sorts: for the checks, None without them."""

    limits: Mapping[str, float]
    default: float
    lexicon: RoleLexicon | None
    sorts: Sorts | None = None


def validate(candidates: pa.Table, readings: pa.Table, *, judge: Judge) -> Output:
    """ENTAILED from candidates and SCORED_READINGS by triple.

    Rejects, keyed "subject property object": not_entailed, and by the checks other_sort, other_role, swapped_roles
    and too_slow, with the page's side and the sentence as detail.

    Raises StageError where a candidate has no reading: that is a fault of the build, not of the data.
    """
    rows = _best(candidates, readings)
    if rows["score"].null_count:
        raise StageError(f"facts.nli_validation: {rows['score'].null_count} candidates have no score")
    sentences = zip(rows["sentence"].to_pylist(), rows["hypotheses"].to_pylist(), strict=True)
    said = np.array([any(same_text(sentence, one) for one in stated) for sentence, stated in sentences], dtype=bool)
    passing = pa.array(_passing(rows, judge) | said)
    rejects = Rejects()
    rejects.add_all(rows["triple"].filter(pc.invert(passing)), "not_entailed")
    sure = rows.filter(passing)
    kept = pa.array(_checked(sure, said[passing.to_numpy(zero_copy_only=False)], judge, rejects), pa.bool_())
    entailed = sure.filter(kept).select(ENTAILED.schema.names).cast(ENTAILED.schema)
    metrics = {"candidates": float(rows.num_rows), "entailed": float(entailed.num_rows)}
    return Output({ENTAILED.name: entailed}, rejects.table(), metrics)


def _best(candidates: pa.Table, readings: pa.Table) -> pa.Table:
    """Each candidate with its best hypothesis and that one's score; of equal scores the earlier hypothesis."""
    return sql(
        """
        WITH best AS (
            SELECT r.subject, r.property, r.object, r.unit, r.page, r."index", r.hypothesis, r.score
            FROM readings r
            JOIN candidates c USING (subject, property, object, unit, page, "index")
            QUALIFY row_number() OVER (
                PARTITION BY r.subject, r.property, r.object, r.unit, r.page, r."index"
                ORDER BY r.score DESC, list_position(c.hypotheses, r.hypothesis)
            ) = 1
        )
        SELECT c.*, b.hypothesis, b.score, concat_ws(' ', c.subject, c.property, c.object) AS triple
        FROM candidates c LEFT JOIN best b USING (subject, property, object, unit, page, "index")
        """,
        candidates=candidates,
        readings=readings,
    )


def _passing(rows: pa.Table, judge: Judge) -> np.ndarray:
    # Both sides in the precision of the scores table, so that a score equal to the limit passes.
    limits = [judge.limits.get(prop, judge.default) for prop in rows["property"].to_pylist()]
    return rows["score"].to_numpy() >= np.array(limits, dtype=np.float32)


def _checked(rows: pa.Table, said: np.ndarray, judge: Judge, rejects: Rejects) -> list[bool]:
    kept = []
    for row, word_by_word in zip(rows.to_pylist(), said, strict=True):
        alive()
        reason = None if word_by_word else _against(row, judge)
        if reason is not None:
            rejects.add(row["triple"], reason, f"{row['side']}: {row['sentence']}")
        kept.append(reason is None)
    return kept


def _against(row: Mapping[str, Any], judge: Judge) -> str | None:
    """Why a candidate that the model accepts does not pass."""
    if judge.sorts is not None:
        named_ = (row["surface"],) if row["side"] == "subject" else (row["object_label"],)
        if not judge.sorts.says(row["property"], row["sentence"], named_):
            return OTHER_SORT
    return None if judge.lexicon is None else check(judge.lexicon, row["property"], row["sentence"], *ends(row))


def ends(row: Mapping[str, Any]) -> tuple[MentionNames, MentionNames]:
    """What the sentence of a candidate may call the subject and the object of its triple."""
    on_subject = row["side"] == "subject"
    subject, object_ = (row["subject_label"],), (row["object_label"],)
    if on_subject:
        return MentionNames(subject, topic=True), MentionNames((row["surface"], *object_))
    return MentionNames((row["surface"], *subject)), MentionNames(object_, topic=True)


def judge_of(
    params: ValidateParams, thresholds: Thresholds | None, relations: Relations, lexicon: RoleLexicon
) -> Judge:
    """The judge for all properties that have templates."""
    used, sorts = (lexicon, load_sorts()) if params.roles else (None, None)
    if params.threshold is not None or thresholds is None:
        return Judge({}, 0.5 if params.threshold is None else params.threshold, used, sorts)
    limits = {pid: thresholds.of(prop.family) for pid, prop in sorted(relations.properties.items())}
    return Judge(limits, thresholds.default, used, sorts)


def stage(
    relations: Relations,
    scorer: Scorer,
    params: ValidateParams | None = None,
    suffix: str = "",
    thresholds_path: str | None = None,
) -> Stage:
    """relations: for the families; scorer: whose scores they are; suffix: names the round.

    thresholds_path: a file that `benchwright calibrate` wrote; None takes the installed one.

    Raises StageError where the thresholds belong to another model than the scorer.
    """
    chosen = params or ValidateParams()
    thresholds = load_thresholds(thresholds_path) if chosen.threshold is None else None
    if thresholds is not None and thresholds.model != scorer.identity:
        raise StageError(
            f"facts.nli_validation: {thresholds_path or 'templates/thresholds.yaml'} belongs to model "
            f"{thresholds.model[:12]}, not to {scorer.name} ({scorer.identity[:12]}); calibrate this model with "
            "`benchwright calibrate --out FILE` and --set nli.thresholds=FILE, or --set nli.threshold=NUMBER"
        )
    lexicon = load_lexicon(own=relations.roles)
    return named(
        Stage(
            name="facts.nli_validation",
            shape=Join(on=(TRIPLE, TRIPLE)),
            kernel=partial(validate, judge=judge_of(chosen, thresholds, relations, lexicon)),
            inputs=("candidates", SCORED_READINGS.name),
            outputs=(ENTAILED,),
            templates={
                **({**lexicon.digests, **load_sorts().digests} if chosen.roles else {}),
                **({**relations.digests, **thresholds.digests} if thresholds is not None else {}),
            },
            about="Step 4: keep the sentences that state the triple: the model's score, and no other role.",
        ),
        suffix,
    )
