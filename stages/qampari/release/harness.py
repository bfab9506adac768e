"""How the LM evaluation harness scores a list of answers; releases carry this module with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stages.evaluation.matching import distinct_answers, distinct_predictions, scores


def score(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Of one question. doc: a released record; results: the model's line of answers, between semicolons."""
    answers = distinct_answers([answer["answer_text"], *answer["aliases"]] for answer in doc["answer_list"])
    found = scores(distinct_predictions(results[0].split(";")), answers)
    return {"precision": found.precision, "recall": found.recall, "answer_f1": found.f1}
