"""The way back of a MuSiQue record: both its records, its graph and its bridge."""

from __future__ import annotations

from pathlib import Path

import pytest

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.musique.lineage import trails
from stages.musique.disconnection.tables import JUDGED_HEADS, JUDGED_TAILS, KEPT_BRIDGES
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.release.records import (
    COMPOSITIONS,
    MULTIHOP_RECORDS,
    DecompositionStep,
    MultihopRecord,
    Paragraph,
)
from tests.pipelines import made

GRAPH = "2hop__a_b"
STEPS = ("Who wrote Emma?", "When was #1 born?")
ANSWERS = ("Jane Austen", "1775")
TEXTS = ("Jane Austen wrote Emma.", "Austen was born in 1775.", "The sea is wet.")


def record(answerable: bool) -> MultihopRecord:
    support = (0, 1 if answerable else None)
    return MultihopRecord(
        id=GRAPH,
        paragraphs=[Paragraph(n, f"T{n}", text, n in support) for n, text in enumerate(TEXTS)],
        question="When was the author of Emma born?",
        question_decomposition=[
            DecompositionStep(hop, step, answer, place)
            for hop, step, answer, place in zip("ab", STEPS, ANSWERS, support, strict=True)
        ],
        answer="1775",
        answer_aliases=[],
        answerable=answerable,
    )


@pytest.fixture
def built(tmp_path: Path) -> tuple[Storage, BuildManifest]:
    root = Storage.at(tmp_path)
    shared = {"shape": "2hop", "hops": ["a", "b"], "answer": "1775", "sources": ["squad", "trex"]}
    rows = {
        MULTIHOP_RECORDS: [
            {"id": GRAPH, "answerable": can, "split": "dev", "shape": "2hop", "record": record(can).line()}
            for can in (True, False)
        ],
        COMPOSITIONS: [
            shared
            | {"id": GRAPH, "split": "dev", "hop_count": 2, "question": record(True).question, "mechanical": False}
            | {"form": "chain", "mechanical_question": "When was who wrote Emma born?", "confirmed": True}
            | {"contrast": True, "missing": 2}
        ],
        COMPOSED_HOPS: [
            shared
            | {"graph": GRAPH, "edges": [{"from": 1, "to": 2, "start": 9, "end": 11}], "entities": ["jane austen"]}
            | {"tokens": 8, "question_steps": list(STEPS), "hop_answers": list(ANSWERS), "hop_aliases": [[], []]}
            | {"paragraphs": ["p", "q"], "answer_aliases": []}
        ],
        KEPT_BRIDGES: [
            {"head": "a", "tail": "b", "entity": "jane austen", "entity_type": "PERSON", "answer": "Jane Austen"}
            | {"bridge": "Austen", "start": 9, "end": 15, "masked": "When was [MASK] born?"}
        ],
        JUDGED_HEADS: [{"hop": "a", "readers": 1, "f1": 0.25, "kept": True, "predicted": ["Austen"]}],
        JUDGED_TAILS: [
            {"tail": "b", "masked": "When was [MASK] born?", "readers": 1, "f1": 0.0, "support_f1": 0.5, "kept": True}
            | {"predicted": ["1800"]}
        ],
    }
    tables = [made.table(root, "toy", spec, given, 2) for spec, given in rows.items()]
    return root, made.build("musique", made.stage("toy", *tables))


def test_each_record_tells_its_paragraphs_graph_and_bridge(built: tuple[Storage, BuildManifest]) -> None:
    found = {trail.key: trail for trail in trails(*built)}
    assert found.keys() == {f"{GRAPH} answerable", f"{GRAPH} unanswerable"}
    trail = found[f"{GRAPH} answerable"]
    assert (trail.record, trail.answers, trail.kind, trail.tags) == (GRAPH, ("1775",), "2hop", ("squad", "trex"))
    words, paragraphs, splits, graph, bridge = trail.steps
    assert dict(words.facts)["worded by"] == "people"
    assert [quote.title for quote in paragraphs.quotes] == ["T0", "T1", "T2"]
    assert [quote.aside for quote in paragraphs.quotes] == [False, False, True]
    assert paragraphs.quotes[0].marks == ((0, 11),) and paragraphs.quotes[0].says == "Who wrote Emma? Jane Austen"
    assert splits.facts == (("split", "dev"),)
    assert graph.facts[1] == ("hop 1", "Who wrote Emma? Jane Austen (from squad)")
    assert "<svg" in graph.picture
    assert bridge.name == "2, 3 bridge from hop 1 to hop 2"
    assert bridge.facts == (
        ("entity", "Jane Austen"),
        ("its type", "PERSON"),
        ("named as", "Austen"),
        ("asked without it", "When was [MASK] born?"),
        ("head, read alone: F1", "0.25"),
        ("head, read alone: answers", "Austen"),
        ("tail without the bridge: F1", "0"),
        ("tail without the bridge: support F1", "0.5"),
        ("tail without the bridge: answers", "1800"),
        ("readers", "1"),
    )


def test_the_record_that_is_not_to_be_answered_says_what_it_lacks(built: tuple[Storage, BuildManifest]) -> None:
    (trail,) = trails(*built, {f"{GRAPH} unanswerable"})
    assert trail.kind == "2hop, unanswerable"
    assert dict(trail.steps[1].facts)["left out on purpose"] == "what answers hop 2"
    assert [quote.aside for quote in trail.steps[1].quotes] == [False, True, True]
    assert len(list(trails(*built, {GRAPH}))) == 2
