from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.musique.single_hops.hop_filter import FilterParams, filter_hops, paragraphs
from stages.musique.single_hops.stated import SingleHopParams, Stated, row
from stages.musique.single_hops.tables import READ_HOPS
from tests.stages.musique.single_hops.pool import FILL, single_hops, stated


def judged(*hops: Stated, **limits: int) -> tuple[list[dict[str, Any]], Counter[str]]:
    """(rows of SINGLE_HOPS, reasons)."""
    read = READ_HOPS.table([row(hop, SingleHopParams()) for hop in hops])
    output = filter_hops(read, params=FilterParams(**limits))
    return output.tables["single_hops"].to_pylist(), Counter(r["reason"] for r in output.rejects.to_pylist())


def test_a_relational_hop_is_split() -> None:
    found, reasons = judged(stated("Green >> performer", "Steve Hillage", "Green is by Steve  Hillage .", "Green"))
    assert not reasons
    hop = found[0]
    assert (hop["relational"], hop["subject"], hop["relation"]) == (True, "Green", "performer")
    assert hop["hop"].startswith("test:") and "_" not in hop["hop"]
    assert (hop["words"], hop["tokens"]) == (6 + len(FILL.split()), 2)
    assert hop["text"][hop["answer_start"] :].startswith("Steve Hillage")


@pytest.mark.parametrize("words", [19, 20, 300, 301])
def test_paragraphs_have_20_to_300_words(words: int) -> None:
    text = " ".join(["Rome", *["word"] * (words - 1)])
    found, reasons = judged(Stated("test", None, "Which city?", ["Rome"], "", text))
    assert bool(found) is (20 <= words <= 300)
    assert list(reasons) == {19: ["too_few_words"], 301: ["too_many_words"]}.get(words, [])


@pytest.mark.parametrize(
    ("answer", "text", "at"),
    [
        ("St. Patrick's", "At St. Patrick 's in", 3),
        ("rome", "To Rome", 3),
        ("Rome", "To Romeo", None),
        ("%", "a 5 % rise", 4),
        ("$", "a 5 % rise", None),
        ("10", "of 1,100 and 10", 13),
    ],
)
def test_an_answer_is_a_span_of_words(answer: str, text: str, at: int | None) -> None:
    found, reasons = judged(stated("What?", answer, text))
    assert [hop["answer_start"] for hop in found] == ([] if at is None else [at])
    assert list(reasons) == (["answer_not_in_paragraph"] if at is None else [])


def test_a_stated_place_is_taken_where_the_answer_stands_there() -> None:
    assert judged(stated("What?", "Rome", "Rome and Rome", start=9))[0][0]["answer_start"] == 9
    assert judged(stated("What?", "Rome", "Rome and Rome", start=4))[0][0]["answer_start"] == 0


def test_the_same_hop_is_used_once_whatever_the_order() -> None:
    one = stated("Which city?", "Rome", "In Rome .", given_id="b")
    other = stated("which  City", "ROME", "In Rome", given_id="a")
    for hops in ((one, other), (other, one)):
        found, reasons = judged(*hops)
        assert [hop["given_id"] for hop in found] == ["a"]
        assert reasons == {"repeated_hop": 1}


def test_a_relation_needs_two_sides() -> None:
    assert judged(stated("Rome >> ", "Rome", "In Rome"))[1] == {"bad_relation": 1}


def test_limits_are_checked() -> None:
    with pytest.raises(StageError, match="expected 1 <= min <= max"):
        FilterParams(min_words=30, max_words=20)


def test_paragraphs_are_distinct_by_title_and_text() -> None:
    hops = single_hops(
        stated("Which city?", "Rome", "In Rome", "A"),
        stated("Which town?", "Rome", "In Rome", "A"),
        stated("Which place?", "Rome", "In Rome", "B"),
    )
    found = paragraphs(hops).tables["gold_paragraphs"]
    assert sorted(found["title"].to_pylist()) == ["A", "B"]
    assert set(found["paragraph"].to_pylist()) == set(hops["paragraph"].to_pylist())


@pytest.mark.slow
def test_the_real_pool(shared_data: Path) -> None:
    from stages.musique.hop_sources.parse import parse
    from stages.musique.hop_sources.source import HopFiles

    source = HopFiles((str(shared_data / "singlehop" / "pool.jsonl.gz"),))
    read = [parse(table, params=SingleHopParams(), labels={}) for part in source.parts() for table in source.read(part)]
    output = filter_hops(pa.concat_tables([one.tables["read_hops"] for one in read]), params=FilterParams())
    assert output.metrics == {"hops": 28_128.0, "relational": 16_927.0, "misplaced_answers": 0.0}
    assert Counter(r["reason"] for r in output.rejects.to_pylist()) == {
        "answer_not_in_paragraph": 206,
        "repeated_hop": 226,
    }
