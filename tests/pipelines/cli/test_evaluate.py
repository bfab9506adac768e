"""`export`, `evaluate` and `calibrate` over the whole sample, and what they refuse."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from manifests.registry import latest_build
from manifests.storage import Storage
from stages.facts.relations.templates import load_relations
from stages.qampari.release.format import AnswersRecord
from stages.release.export import LISTING
from stages.release.format import read_records
from tests.pipelines.commands import call, refused, run

SPLITS = ("train", "dev", "test")


@pytest.fixture(scope="module")
def release(sample_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "release"
    run("export", "qampari", "--root", str(sample_root), "--out", str(folder))
    return folder


def test_a_release_holds_every_record_once_in_both_forms(sample_root: Path, release: Path) -> None:
    manifest = latest_build(Storage.at(sample_root), "qampari")
    assert manifest is not None and manifest.complete
    records = {split: read_records(release / f"{split}.jsonl", AnswersRecord) for split in SPLITS}
    ids = [record.qid for split in SPLITS for record in records[split]]
    assert len(ids) == len(set(ids)) == manifest.table("records").rows
    for split in SPLITS:
        rows = pq.read_table(release / "parquet" / f"{split}.parquet").to_pylist()
        assert [row["qid"] for row in rows] == [record.qid for record in records[split]]


def test_the_card_names_the_licence_of_every_source(sample_root: Path, release: Path) -> None:
    card = (release / "README.md").read_text()
    manifest = latest_build(Storage.at(sample_root), "qampari")
    assert manifest is not None and manifest.sources
    for name, licence in manifest.sources.items():
        assert name in card and licence in card


@pytest.mark.parametrize("command", [["evaluate", "qampari"], ["evaluate", "wiqa"], ["calibrate"]])
def test_a_file_that_would_take_all_memory_is_refused(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": "a"}\n' + " " * 90 + "\n")
    files = [str(path)] * len(command)
    assert f"{path}, line 2: more than 80 bytes" in refused(*command, *files, "--record-bytes", "80")
    assert f"{path}: more than 99 bytes" in refused(*command, *files, "--file-bytes", "99")


def test_an_earlier_release_is_replaced_and_anything_else_is_not(sample_root: Path, tmp_path: Path) -> None:
    where = ("export", "qampari", "--root", str(sample_root), "--out")
    (tmp_path / "empty").mkdir()
    for _ in range(2):
        paths = run(*where, str(tmp_path / "empty")).splitlines()
        found = [path for path in (tmp_path / "empty").rglob("*") if path.is_file() and path.name != LISTING]
        assert sorted(paths) == sorted(map(str, found))
    (tmp_path / "empty" / "README.md").write_text("a card of my own")
    assert "holds README.md, which was changed since" in refused(*where, str(tmp_path / "empty"))
    run(*where, str(tmp_path / "empty"), "--force")
    assert (tmp_path / "empty" / "README.md").read_text().startswith("---")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years of work")
    said = refused(*where, str(tmp_path / "home"))
    assert "holds thesis.txt, which is no part of a release; nothing was written" in said
    assert (tmp_path / "home" / "thesis.txt").read_text() == "years of work"
    assert "not a folder" in refused(*where, str(tmp_path / "home" / "thesis.txt"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "home"]


def test_gold_against_itself_is_perfect(release: Path, tmp_path: Path) -> None:
    gold = release / "dev.jsonl"
    records = read_records(gold, AnswersRecord)
    predictions = tmp_path / "predictions.jsonl"
    # The last alias of each answer, in another order: still all right.
    lines = [
        {"qid": r.qid, "predictions": [(*a.aliases, a.answer_text)[-1] for a in r.answer_list]} for r in records[::-1]
    ]
    predictions.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for made in (gold, predictions):
        report = json.loads(run("evaluate", "qampari", str(gold), str(made), "--json"))
        assert report["overall"]["f1"] == report["overall"]["precision"] == report["overall"]["recall"] == 1.0
        assert report["overall"]["questions"] == len(records)
    assert "100.0" in run("evaluate", "qampari", str(gold), str(predictions))


def test_predictions_for_other_questions_are_an_error(release: Path, tmp_path: Path) -> None:
    gold, made = release / "dev.jsonl", tmp_path / "made.json"
    known = read_records(gold, AnswersRecord)[0].qid
    made.write_text(json.dumps({"1__a__dev": ["x"], "2__a__dev": ["y"]}))
    for arguments in ([], ["--json"]):
        said = refused("evaluate", "qampari", str(gold), str(made), *arguments)
        assert f"none of its 2 ids is a question of {gold}: it has '1__a__dev', the gold file '" in said
    made.write_text(json.dumps({"1__a__dev": ["x"], known: ["y"]}))
    result = call("evaluate", "qampari", str(gold), str(made))
    assert result.exit_code == 0 and f"1 predictions are for no question of {gold}, or" in result.stderr


@pytest.mark.parametrize("content", ["", "\n", "{}", "[]"])
def test_no_predictions_are_an_error(release: Path, tmp_path: Path, content: str) -> None:
    made, gold = tmp_path / "empty", release / "dev.jsonl"
    made.write_text(content)
    for arguments in ([], ["--json"]):
        said = refused("evaluate", "qampari", str(gold), str(made), *arguments)
        assert f"{made}: holds no prediction; expected one for each of the questions of {gold}" in said


def test_where_export_cannot_write_it_gives_advice(sample_root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused("export", "qampari", "--root", str(sample_root), "--out", str(tmp_path / "file" / "release"))
    assert "cannot be written (" in said and "; choose another --out or free space" in said


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "expected JSON in UTF-8"),
        (b"[" * 100_000, "expected JSON in UTF-8"),
        (b"5", "expected a JSON object, got int"),
        (b'{"a": 5}', "expected a list of answers under 'predictions' or 'answers', got int"),
        (b"not json", "line 1: expected one JSON object a line"),
    ],
)
def test_a_file_that_holds_no_predictions_is_named(release: Path, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "predictions"
    path.write_bytes(content)
    gold = str(release / "dev.jsonl")
    for arguments in ((gold, str(path)), (str(path), gold)):
        said = refused("evaluate", "qampari", *arguments)
        assert str(path) in said and message in said
    assert "does not exist" in refused("evaluate", "qampari", gold, str(tmp_path / "nowhere"))
    assert "is a directory" in refused("evaluate", "qampari", gold, str(tmp_path))


def labelled(rows: int) -> str:
    """Rows of one relation that are easy to tell apart: the premise states it, or speaks of something else."""
    chance = random.Random(7)
    lines = []
    for number in range(rows):
        first, second = (f"{chance.choice(['Ana', 'Bo', 'Cy', 'Di'])} {chance.choice('ABCDEFG')}{n}x" for n in (1, 2))
        stated = number % 2
        premise = f"The Film {number} was directed by {second}." if stated else f"{second} never saw The Film {number}."
        lines.append(
            {
                "subject": f"The Film {number}",
                "object": second,
                "property": "P57",
                "premise": premise,
                "stated": stated,
                "group": first,
            }
        )
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def test_calibration_writes_thresholds_that_a_build_takes(tmp_path: Path) -> None:
    assert "P57" in load_relations().simple
    rows, out = tmp_path / "rows.jsonl", tmp_path / "thresholds.yaml"
    rows.write_text(labelled(40))
    said = run("calibrate", str(rows), "--least", "5", "--out", str(out))
    assert f"wrote {out}" in said and "with check" in said
    assert "with check" not in run("calibrate", str(rows), "--least", "5", "--no-role-check")
    run("plan", "qampari", "--root", str(tmp_path / "root"), "--set", f"nli.thresholds={out}")


@pytest.mark.parametrize(
    ("arguments", "content", "message"),
    [
        ([], b"", "no row is labelled as stated"),
        ([], b"{}", "rows:1: subject: expected a text that is not empty"),
        ([], b"[" * 100_000, "rows:1: not JSON"),
        ([], b"\xff\xfe", "rows: not UTF-8"),
        (["--lost", "0"], b"", "0.0 is not in the range"),
        (["--lost", "1"], b"", "1.0 is not in the range"),
        (["--least", "0"], b"", "0 is not in the range"),
    ],
)
def test_rows_that_cannot_be_used_are_named(tmp_path: Path, arguments: list[str], content: bytes, message: str) -> None:
    rows = tmp_path / "rows"
    rows.write_bytes(content)
    assert message in refused("calibrate", str(rows), *arguments)
