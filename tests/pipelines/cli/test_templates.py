"""`templates check`: wordings with examples, and what has none."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pipelines.commands import call, refused
from tests.tools.build_league import LEAGUE


def test_the_league_is_worded(tmp_path: Path) -> None:
    facts = ("--source", str(LEAGUE / "facts.csv"))
    found = call("templates", "check", str(LEAGUE / "relations"), *facts)
    assert found.exit_code == 0, found.stderr
    assert "Which football club is based in " in found.stdout
    assert "What are the home grounds of the football clubs" in found.stdout
    told = json.loads(call("templates", "check", str(LEAGUE / "relations"), *facts, "--json").stdout)
    assert told["without"] == [] and told["unasked"] == {}
    assert {row["property"] for row in told["wordings"]} >= {"P118", "P900000000001", "P900000000004"}
    (tmp_path / "facts.csv").write_text("subject,property,object\nA,anthem,B\n", encoding="utf-8")
    missing = call("templates", "check", str(LEAGUE / "relations"), "--source", str(tmp_path / "facts.csv"))
    assert missing.exit_code == 1
    assert "no example of P900000000003 (club colour) in the source" in missing.stdout
    assert ": 1 statements, such as 'A', 'B'" in missing.stdout


def test_what_is_wrong_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("version: 1\nrelations: {P7: {label: x}}\n", encoding="utf-8")
    said = refused("templates", "check", str(tmp_path), "--source", str(LEAGUE / "facts.csv"))
    assert "own/mine.yaml: P7: expected simple, composition or both" in said
