"""The way back of IfQA records of a few questions from a file."""

from __future__ import annotations

from pathlib import Path

from manifests.storage import Storage
from pipelines.ifqa.lineage import KINDS, trails
from tests.pipelines.commands import run
from tests.pipelines.ifqa.test_pipeline import PLACES, command, latest, write_questions


def test_a_record_tells_how_its_answers_were_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    run(*command(root, write_questions(tmp_path)))
    found = {trail.question: trail for trail in trails(Storage.at(root), latest(root))}
    assert len(found) == len(PLACES)
    trail = found["If Bexley had waited, when would it have opened?"]
    splits, answers, verified, asked, passage = trail.steps
    assert dict(splits.facts)["full benchmark"] == trail.split
    assert answers.facts[0] == ("2 July 1850", "date: 1850-07-02 (date)")
    assert verified.facts == (("people", "nobody has confirmed it"),)
    assert dict(asked.facts)["file"] == "full_train"
    (quote,) = passage.quotes
    assert (quote.text, quote.marks) == ("Bexley opened on 2 June 1850.", ())
    assert trail.measures[KINDS] == ("date",) and not trail.confirmed
    assert [one.key for one in trails(Storage.at(root), latest(root), {trail.key})] == [trail.key]
