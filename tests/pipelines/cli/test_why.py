"""`benchwright why` on the sample build, with the right numbers, and on what it does not know."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pipelines.commands import call, refused, run


def test_a_query_that_was_dropped_shows_the_numbers_step_by_step(sample_root: Path) -> None:
    lines = run("why", "qampari", "P106:Q36180", "--root", str(sample_root)).splitlines()
    assert lines[0] == (
        "P106:Q36180 was dropped in qampari.query_filter (5 query filter): low_support: 5 of 8 answers validated."
    )
    rows = {tuple(line.split()[:2]): line.split()[2:] for line in lines[5:]}
    # Eight people have writer among their occupations; pages of five say so.
    assert rows["facts.statements", "facts"] == ["8"]
    assert rows["qampari.simple_queries", "queries"] == ["1", "answers", "8,", "known", "8"]
    assert rows["facts.nli_validation", "evidence"] == ["5"]
    assert rows["qampari.query_filter", "dropped:"] == ["low_support", "1", "5", "of", "8", "answers", "validated"]


def test_a_question_shows_its_way_and_its_answers(sample_root: Path) -> None:
    text = run("why", "qampari", "P57:Q8877:Q11424", "--root", str(sample_root))
    assert "is in the release: " in text and ", simple, 10 answers." in text
    assert "Which film was directed by Steven Spielberg?\nanswers: Bridge of Spies; " in text
    assert "statement Q18067135 P57 Q8877" in text


def test_an_entity_is_found_by_its_label_and_a_statement_by_its_parts(sample_root: Path) -> None:
    where = ("--root", str(sample_root), "--json")
    found = json.loads(run("why", "qampari", "Steven Spielberg", *where))
    assert (found["what"], found["called"]) == ("entity", ["Q8877", "Steven Spielberg"])
    assert json.loads(run("why", "qampari", "Q8877", *where)) == found
    # An English word that has no label in the file: named by statements, and dropped itself.
    assert json.loads(run("why", "qampari", "Q1860", *where))["lost"] == "wikidata.parse"
    stated = json.loads(run("why", "qampari", "Q11621 P162 Q8877", *where))
    assert stated["what"] == "statement" and stated["lost"] == ""
    drops = [(event["stage"], event["reason"]) for event in stated["events"] if "reason" in event]
    assert ("facts.nli_validation", "other_role") in drops


def test_what_is_not_there_is_told_by_the_exit_code(sample_root: Path, tmp_path: Path) -> None:
    result = call("why", "qampari", "nobody", "--root", str(sample_root))
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        1,
        "No table of this build holds nobody, and no stage names it among what it dropped.",
    )
    assert "holds no build of qampari" in refused("why", "qampari", "Q1", "--root", str(tmp_path))


def test_a_wiqa_graph_without_a_path_is_named_by_paragraph_and_number(wiqa_root: Path) -> None:
    shown = run("show", "wiqa", "graphs", "--root", str(wiqa_root), "--rows", "1", "--json")
    row = json.loads(shown)
    found = json.loads(run("why", "wiqa", f"{row['para_id']} {row['graph_id']}", "--root", str(wiqa_root), "--json"))
    assert [event["table"] for event in found["events"] if "table" in event][-1] == "graphs"
