"""`init`, `build --config` and `trace`: from two CSV files to a release in two commands, and back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.pipelines.commands import call, refused, run
from tests.tools.build_league import LEAGUE

FILES = ["facts.csv", "pages.csv"]


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A user's own folder: two CSV files, and relations in words."""
    for name in FILES:
        shutil.copy(LEAGUE / name, tmp_path / name)
    shutil.copytree(LEAGUE / "relations", tmp_path / "relations")
    return tmp_path


def init(league: Path) -> str:
    given = [word for name in FILES for word in ("--source", str(league / name))]
    path = str(league / "build.yaml")
    said = run("init", "qampari", *given, "--templates", str(league / "relations"), "--out", path)
    assert said == f"build with `benchwright build --config {path}`\n"
    return path


def test_init_writes_a_file_that_a_build_follows(league: Path) -> None:
    path = init(league)
    steps = json.loads(run("plan", "--config", path, "--json"))
    assert (steps[0]["stage"], steps[0]["state"]) == ("wikidata.parse", "run")
    assert not (league / "out").exists()
    assert "there is such a file already" in refused("init", "qampari", "--out", path)


def test_every_dataset_s_file_takes_templates(league: Path) -> None:
    run("init", "wiqa", "--templates", str(league / "words"), "--out", str(league / "wiqa.yaml"))
    assert f"templates: [{league / 'words'}]" in (league / "wiqa.yaml").read_text()
    assert "wiqa reads no relation templates" in refused(
        "plan", "wiqa", "--templates", str(league / "relations"), "--root", str(league / "out")
    )


def test_paths_are_written_as_the_file_sees_them(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (league / "sub").mkdir()
    monkeypatch.chdir(league)
    run("init", "qampari", "--source", "facts.csv", "--out", "sub/build.yaml")
    assert "sources: [../facts.csv]" in (league / "sub" / "build.yaml").read_text()


def test_what_a_command_says_wins(league: Path) -> None:
    path = init(league)
    root = league / "elsewhere"
    call("build", "--config", path, "--root", str(root), "--until", "wikidata.parse", "--quiet")
    assert (root / "builds" / "qampari").exists() and not (league / "out").exists()
    assert "Missing argument" in refused("build")
    assert "not a readable YAML file" in refused("build", "--config", str(league / "nowhere"))
    (league / "odd.yaml").write_text("dataset: qampari\nparams: {queries: {least: 4}}\n", encoding="utf-8")
    assert "odd.yaml: unknown parameter 'queries.least'" in refused("plan", "--config", str(league / "odd.yaml"))


def test_trace_needs_a_release(tmp_path: Path) -> None:
    assert "expected a release's folder, with its build's manifest" in refused("trace", str(tmp_path))


@pytest.mark.slow
def test_from_two_csv_files_to_a_release_and_back(league: Path) -> None:
    path = init(league)
    built = call("build", "--config", path, "--quiet")
    assert built.exit_code == 0, built.stderr
    release = league / "release"
    records = [json.loads(line) for split in ("train", "dev", "test") for line in (release / f"{split}.jsonl").open()]
    asked = {record["question_text"] for record in records}
    assert len(asked) == len(records) >= 150
    assert "Which football club plays in Invented League One?" in asked
    assert "Who coaches the football clubs based in Barford?" in asked
    addresses = {entity["entity_url"] for record in records for entity in record["entities"]}
    answers = [answer for record in records for answer in record["answer_list"]]
    addresses |= {answer["answer_url"] for answer in answers}
    addresses |= {proof["found_in_url"] for answer in answers for proof in answer["proof"]}
    assert addresses == {""}
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "Wikidata's" not in card and "CC0-1.0 (all of it is invented)" in card
    found = call("trace", str(release), "--root", str(league / "out"))
    assert found.exit_code == 0 and "from facts.csv: 50,262 bytes" in found.stdout and "\nfound: " in found.stdout
    missing = call("trace", str(release), "--root", str(league / "again"))
    assert missing.exit_code == 1 and "name its sources with --rebuild" in missing.stderr
    again = call("trace", str(release), "--root", str(league / "again"), "--rebuild", "--config", path)
    assert again.exit_code == 0 and "\nmade again: " in again.stdout, again.stderr
    (league / "facts.csv").write_text((league / "facts.csv").read_text() + "A,league,B\n")
    said = refused("trace", str(release), "--root", str(league / "third"), "--rebuild", "--config", path)
    assert "facts.csv is no file of the build; facts.csv (sha256 " in said
