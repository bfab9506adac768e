"""Wordings of one's own templates with examples from a source."""

from __future__ import annotations

from pathlib import Path

from pipelines.corpus import entities
from pipelines.template_check import Example, check
from stages.facts.relations.templates import load_relations
from stages.io.detect import detect
from stages.wikidata.parse import ParseParams

TEMPLATES = """
version: 1
relations:
  P900000000001:
    label: home town
    family: location
    hypothesis: ["{subject} is based in {object}.", "{subject} comes from {object}."]
    alternative: "{object} is the town of {subject}."
    simple: {noun: Q43229, clause: "is based in {entity}", nested: "{nouns} based in {entity}", extra: true}
    composition: {plural: towns, question: "In which towns are {phrase} based?", extra: true}
  P900000000002:
    label: mascot
    family: feature
    hypothesis: "{subject} has {object} as its mascot."
    composition: {plural: mascots, question: "What are the mascots of {phrase}?", extra: true}
"""
ROWS = "subject,property,object\nArden FC,home town,Arden\nArden FC,anthem,Onward\nBourne FC,anthem,Upward\n"


def test_every_wording_has_an_example_where_the_source_has_one(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(TEMPLATES, encoding="utf-8")
    (tmp_path / "facts.csv").write_text(ROWS, encoding="utf-8")
    own = load_relations([str(tmp_path / "mine.yaml")])
    inputs = detect([str(tmp_path / "facts.csv")])
    found = check(own, load_relations(), entities(inputs, ParseParams(), own))
    pid = "P900000000001"
    assert found.wordings == [
        (pid, "statement", "Arden FC is based in Arden."),
        (pid, "statement", "Arden FC comes from Arden."),
        (pid, "alternative", "Arden is the town of Arden FC."),
        (pid, "question", "Which organization is based in Arden?"),
        (pid, "joined", "Which organization is based in Arden and is based in Arden?"),
        (pid, "nested", "the organizations based in Arden"),
        (pid, "composition", "In which towns are the organizations based in Arden based?"),
    ]
    assert found.without == ["P900000000002"]
    assert list(found.unasked.values()) == [(2, Example("Bourne FC", "Upward"))]
