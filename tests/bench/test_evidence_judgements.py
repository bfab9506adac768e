"""Judgements by hash: small ones of our own, and any that are kept beside the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.evidence_judgements import Judgement, Shares, agreed, gather, item_of, read_judgements, shares

RULES = Path(__file__).resolve().parents[1] / "stages" / "facts" / "judgements"
FACTS = [
    {"subject": "Q1", "property": "P57", "object": f"Q{n}", "unit": "", "sentence": f"It was directed by {n}."}
    for n in range(2, 6)
]


def judged(first: str, second: str, number: int) -> Judgement:
    return Judgement(item_of(FACTS[number]), "P57", first, second)


JUDGED = [judged("proves", "proves", 0), judged("proves", "mentions", 1), judged("wrong", "wrong", 2)]


def test_an_item_is_a_fact_with_its_sentence() -> None:
    # sha256 of "Q1 P57 Q2 \nIt was directed by 2.", worked out apart from the code.
    assert item_of(FACTS[0]) == "d39c3fc2a06952ce8396aa1c73f16cab"
    assert len({item_of(row) for row in FACTS}) == 4
    assert item_of(FACTS[0] | {"sentence": "She directed it."}) != item_of(FACTS[0])


def test_shares_of_what_was_read() -> None:
    assert shares(FACTS, JUDGED) == Shares(evidence=4, judged=3, first=2, second=1, both=1)
    assert shares(FACTS[3:], JUDGED) == Shares(evidence=1, judged=0, first=0, second=0, both=0)
    assert agreed(JUDGED).raw == pytest.approx(2 / 3)


def test_from_two_readers_to_judgements(tmp_path: Path) -> None:
    def lines(name: str, rows: list[dict[str, str]]) -> Path:
        (tmp_path / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return tmp_path / name

    key = lines("key", [{"id": f"e{n}", "item": one.item, "property": "P57"} for n, one in enumerate(JUDGED)])
    first = lines("first", [{"id": f"e{n}", "verdict": one.first} for n, one in enumerate(JUDGED)])
    second = lines("second", [{"id": f"e{n}", "verdict": one.second} for n, one in reversed([*enumerate(JUDGED)])])
    assert list(gather(key, first, second)) == JUDGED
    path = lines("judgements", [vars(one) for one in JUDGED])
    assert read_judgements(path) == JUDGED
    with pytest.raises(ValueError, match="judgements:2: expected a new item with verdicts of proves"):
        read_judgements(lines("judgements", [vars(JUDGED[0]), vars(JUDGED[0])]))
    with pytest.raises(ValueError, match="judgements:1"):
        read_judgements(lines("judgements", [vars(JUDGED[0]) | {"first": "right"}]))


def test_what_is_kept_can_be_read() -> None:
    assert (RULES / "RULES.md").is_file()
    for path in RULES.glob("*.jsonl"):
        assert len(read_judgements(path)) >= 300
