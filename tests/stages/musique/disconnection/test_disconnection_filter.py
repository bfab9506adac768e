"""Bridges that pass both ways, and the whole filter on real hops."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from stages.core.contract import StageError
from stages.models.readers.interface import MASK
from stages.models.readers.lexical import LexicalTrainer
from stages.musique.disconnection import disconnection_filter, head_filter, tail_contexts, tail_filter
from stages.musique.disconnection.disconnection_filter import DisconnectionParams, stage
from stages.musique.disconnection.tables import JUDGED_HEADS, JUDGED_TAILS
from tests.stages.musique.disconnection.samples import bridge, bridges, hop, hops

PAIRS = bridges(
    bridge("a", "x", "m"), bridge("b", "x", "m"), bridge("a", "y", "m"), bridge("b", "y", "m"), bridge("a", "y2", "m")
)


def judged_head(name: str, f1: float) -> dict[str, Any]:
    return {"hop": name, "readers": 1, "f1": f1, "kept": f1 < 0.5, "predicted": [""]}


def judged_tail(name: str, f1: float) -> dict[str, Any]:
    return {
        "tail": name,
        "masked": "m",
        "readers": 1,
        "f1": f1,
        "support_f1": 1.0,
        "kept": f1 <= 0.25,
        "predicted": [""],
    }


HEADS = JUDGED_HEADS.table([judged_head("a", 0.0), judged_head("b", 0.75)])
TAILS = JUDGED_TAILS.table([judged_tail("x", 0.0), judged_tail("y", 1.0), judged_tail("y2", 1.0)])


def test_both_ends_must_pass_and_each_loss_has_its_reason() -> None:
    output = stage().call(PAIRS, HEADS, TAILS)
    assert output.tables["kept_bridges"].to_pylist() == [bridge("a", "x", "m")]
    rejects = {(row["key"], row["reason"], row["detail"], row["count"]) for row in output.rejects.to_pylist()}
    assert rejects == {
        ("b", "head_answered_unread", "F1 0.75", 2),
        ("y", "tail_answered_unbridged", "F1 1.00", 1),
        ("y2", "tail_answered_unbridged", "F1 1.00", 1),
    }
    assert output.metrics == {"bridges": 5.0, "kept": 1.0, "kept_percent": 20.0}


def test_either_half_can_be_left_out() -> None:
    def count(heads: bool, tails: bool) -> int:
        output = stage(DisconnectionParams(heads, tails)).call(PAIRS, HEADS, TAILS)
        assert output.tables["kept_bridges"].num_rows + sum(output.rejects["count"].to_pylist()) == 5
        return int(output.tables["kept_bridges"].num_rows)

    assert [count(True, False), count(False, True), count(False, False)] == [3, 2, 5]


def test_a_bridge_that_was_not_judged_is_an_error() -> None:
    with pytest.raises(StageError, match="were not judged"):
        stage().call(PAIRS, HEADS.slice(0, 1), TAILS)


def test_real_hops_in_any_order_give_the_same(shared_data: Path) -> None:
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::60]
    table = hops(
        *(
            hop(f"s:{number}", row["question"], row["answer"], f"{row['paragraph']} {row['answer']}")
            for number, row in enumerate(rows)
        )
    )
    pairs = [
        bridge("s:0", f"s:{number}", f"{MASK} >> {row['question'].rsplit('>> ', 1)[1]}")
        for number, row in enumerate(rows)
        if " >> " in row["question"]
    ]
    trainer = LexicalTrainer()

    def run(turned: bool) -> tuple[Any, ...]:
        own = table.take(list(reversed(range(len(table))))) if turned else table
        joined = bridges(*(reversed(pairs) if turned else pairs))
        heads = head_filter.stage(trainer).call(joined, own).tables["judged_heads"]
        masked = tail_contexts.stage().call(joined, own).tables["masked_tails"]
        judged = tail_filter.stage(trainer).call(masked, own)
        output = disconnection_filter.stage().call(joined, heads, judged.tables["judged_tails"])
        ordered = output.tables["kept_bridges"].sort_by([("head", "ascending"), ("tail", "ascending")])
        return ordered.to_pylist(), judged.metrics, output.metrics

    found, metrics, _ = run(False)
    assert (found, metrics) == run(True)[:2]
    assert 0 < metrics["masked_tails_kept"] < metrics["masked_tails"] == len(pairs)
