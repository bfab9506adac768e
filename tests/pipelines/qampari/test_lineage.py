"""The way back of a QAMPARI record, from its question to the sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from manifests.storage import Storage
from pipelines.lineage import Quote
from pipelines.qampari.lineage import ANSWERS, SCORES, TYPES, trails
from tests.pipelines.qampari.made_build import HOSTILE, PREMISE, build, query_of


@pytest.mark.parametrize("buckets", [1, 4])
def test_a_record_tells_its_query_statements_and_sentences(buckets: int, tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    manifest = build(root, buckets=buckets)
    found = {trail.key: trail for trail in trails(root, manifest)}
    assert found.keys() == {query_of(number) for number in range(3)}
    trail = found[query_of(1)]
    assert (trail.question, trail.split, trail.kind) == ("Which films did Ada direct in 1?", "dev", "simple")
    assert (trail.answers, trail.tags, trail.confirmed) == ((HOSTILE, "Film 1.1"), ("director",), False)
    people, split, words, query, proofs = trail.steps
    assert people.facts == (("answers that people confirmed", "1 of 2"),)
    assert split.facts == (("split", "dev"), ("drawn as", "1"))
    assert words.facts == (("asks about", "Ada"), ("worded by", "a template"))
    assert query.facts == (
        ("query", "P57:Q1"),
        ("relations", "director (P57)"),
        ("entities", "Ada (Q7)"),
        ("answers with evidence", "2 of 3"),
        ("share", "0.667"),
        ("of all answers that Wikidata knows", "0.5"),
    )
    assert proofs.facts == (("statements", "2"), ("pages", "2"))
    assert proofs.quotes[1] == Quote(
        text="It was directed by Ada.",
        title="Film 1.1",
        url="https://en.wikipedia.org/wiki/F1",
        of="Film 1.1",
        says="Film 1.1 was directed by Ada.",
        marks=((19, 22),),
        facts=(
            ("statement", "Q1001 P57 Q7"),
            ("relation", "director"),
            ("score", "0.875"),
            ("passage", "Film 1.1#0"),
            ("sentence", "2"),
            ("read with what stands before it", PREMISE),
            ("confirmed", "no"),
        ),
    )
    assert trail.measures[ANSWERS] == (2,) and trail.measures[SCORES] == (0.875, 0.875)
    assert trail.measures[TYPES] == ("item", "item")


def test_a_record_is_found_by_its_query_and_by_its_id(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    manifest = build(root)
    (one,) = trails(root, manifest, {query_of(2)})
    assert [trail.key for trail in trails(root, manifest, {one.record})] == [query_of(2)]
    assert list(trails(root, manifest, {"nothing"})) == []
