"""Stage linking.sitelinks."""

from __future__ import annotations

from stages.linking.sitelinks import SITELINKS
from tests.stages.linking.cases import World


def test_sitelinks_follow_redirects_and_entities_without_one_are_counted() -> None:
    output = World({"Q1": "A", "Q2": "B", "Q3": None}, redirects={"B": "C"}).sitelinks()
    table = output.tables["sitelinks"].sort_by("qid")
    assert table.to_pylist() == [
        {"qid": "Q1", "title": "A", "target": "A", "redirected": False},
        {"qid": "Q2", "title": "B", "target": "C", "redirected": True},
    ]
    assert table.schema == SITELINKS.schema
    assert output.metrics == {"entities_without_sitelink": 1.0}


def test_sitelinks_to_categories_are_counted_rejects() -> None:
    output = World({"Q1": "Category:A", "Q2": "Category:B", "Q3": "2001: A Space Odyssey"}).sitelinks()
    assert output.tables["sitelinks"]["qid"].to_pylist() == ["Q3"]
    [reject] = output.rejects.to_pylist()
    assert (reject["key"], reject["reason"], reject["count"]) == ("namespace 14", "other_namespace", 2)
