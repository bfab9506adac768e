from __future__ import annotations

from stages.core.memory import InMemory
from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.worded_bridges import WORDED_BRIDGES, stage, worded
from stages.musique.disconnection.tables import KEPT_BRIDGES
from stages.musique.single_hops.tables import SINGLE_HOPS
from tests.stages.musique.single_hops.pool import by_question, single_hops, stated

HOPS = single_hops(
    stated("Imagine >> performer", "Lennon", "Lennon sang Imagine ."),
    stated("Why is it called Lennon?", "Lennon", "It is called Lennon ."),
    stated("When was Lennon born?", "1940", "Lennon was born in 1940 ."),
    stated("What does the Lennon flag look like?", "red", "The Lennon flag is red ."),
)
IDS = by_question(HOPS)


def bridge(head: str, tail: str) -> dict[str, object]:
    start = tail.index("Lennon")
    spans = {"answer": "Lennon", "bridge": "Lennon", "start": start, "end": start + 6, "masked": ""}
    return {"head": IDS[head], "tail": IDS[tail], "entity": "lennon", "entity_type": "PERSON"} | spans


def test_only_what_makes_one_sentence_stays() -> None:
    born, flag = "When was Lennon born?", "What does the Lennon flag look like?"
    rows = [
        bridge("Imagine >> performer", born),
        bridge("Imagine >> performer", flag),
        bridge("Why is it called Lennon?", born),
    ]
    output = worded(KEPT_BRIDGES.table(rows), HOPS, grammar=load_grammar())
    kept = output.tables[WORDED_BRIDGES.name].to_pylist()
    assert [(row["head"], row["tail"]) for row in kept] == [(IDS["Imagine >> performer"], IDS[born])]
    assert {(row["key"], row["reason"]) for row in output.rejects.to_pylist()} == {
        (IDS["Imagine >> performer"], "not_one_sentence"),
        (IDS["Why is it called Lennon?"], "not_one_sentence"),
    }
    assert output.metrics == {"worded": 1.0}


def test_nothing_gives_nothing() -> None:
    tables = {KEPT_BRIDGES.name: KEPT_BRIDGES.empty(), SINGLE_HOPS.name: SINGLE_HOPS.empty()}
    assert InMemory(tables).run(stage()).rows(WORDED_BRIDGES.name) == []
