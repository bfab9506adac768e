from __future__ import annotations

from typing import Any

from stages.facts.best_evidence import EVIDENCE, best
from stages.facts.nli_validation import ENTAILED


def entailed(score: float, title: str, index: int, object_: str = "Q2") -> dict[str, Any]:
    row = dict.fromkeys(ENTAILED.schema.names, "x")
    return row | {
        "subject": "Q1",
        "property": "P57",
        "object": object_,
        "page": title,
        "title": title,
        "index": index,
        "passage": 0,
        "hypotheses": ["x"],
        "score": score,
    }


def test_the_highest_score_then_title_then_place() -> None:
    table = ENTAILED.table(
        [
            entailed(0.5, "A", 0),
            entailed(0.75, "B", 1),
            entailed(0.75, "A", 7),
            entailed(0.75, "A", 3),
            entailed(0.25, "B", 2, object_="Q3"),
        ]
    )
    output = best(table)
    rows = output.tables["evidence"].sort_by("object")
    assert rows.schema == EVIDENCE.schema
    assert [(row["object"], row["title"], row["index"], row["score"]) for row in rows.to_pylist()] == [
        ("Q2", "A", 3, 0.75),
        ("Q3", "B", 2, 0.25),
    ]
    assert output.rejects.to_pylist() == [{"key": "Q1 P57 Q2", "reason": "lower_score", "detail": "", "count": 1}] * 3
    assert output.metrics == {"triples_with_evidence": 2.0}


def test_nothing_in_nothing_out() -> None:
    assert best(ENTAILED.empty()).tables["evidence"].num_rows == 0
