"""How the LM evaluation harness scores an answer in any of its forms; releases carry this module with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stages.evaluation.squad import best_f1, exact_match


def score(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Of one question. doc: a released record; results: the model's answer."""
    return {"exact": exact_match(results[0], doc["answers"]), "answer_f1": best_f1(results[0], doc["answers"])}
