"""Hops that nobody answers go."""

from __future__ import annotations

from stages.musique.disconnection.answerable_hops import stage
from tests.stages.musique.disconnection.samples import Scripted, hop, hops

HOPS = hops(
    hop("a", "qa", "Ann Lee", "It was Ann Lee."),
    hop("b", "qb", "Bo", "It was Bo.", "Bob"),
    hop("c", "qc", "Cy", "It was Cy."),
)


def test_one_reader_that_comes_near_is_enough() -> None:
    first = Scripted({"qa": [("no", ()), ("Lee", ())], "qc": [("Ann", ()), ("", ())]})
    second = Scripted({"qb": [("Bob", ()), ("", ())]})
    output = stage((first, second)).call(HOPS)
    assert output.tables["answerable_hops"].column("hop").to_pylist() == ["a", "b"]
    assert [(row["key"], row["reason"]) for row in output.rejects.to_pylist()] == [("c", "not_answerable")]
    assert output.metrics == {"hops": 3.0, "answerable": 2.0}
