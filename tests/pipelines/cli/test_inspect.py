"""Commands that look at builds: what they show, their exit codes, and what they say of wrong names."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from manifests.manifest import Table
from manifests.registry import latest_build, publish_build
from manifests.storage import Storage
from pipelines.cli.inspect import _matching
from pipelines.model import Pipeline
from pipelines.runner import PlannedStage, Runner
from stages.core.contract import Stage, StageError
from tests.pipelines.cli.conftest import UNTIL
from tests.pipelines.commands import call, refused, run


@pytest.fixture
def copied(small_root: Path, tmp_path: Path) -> Path:
    """The small build once more, for tests that damage it."""
    return Path(shutil.copytree(small_root, tmp_path / "copied"))


@pytest.fixture(scope="module")
def other_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small build with another parameter."""
    root = tmp_path_factory.mktemp("other")
    changed = ("--set", "wikidata.keep_ended=true")
    run("build", "qampari", "--root", str(root), "--until", UNTIL, "--workers", "1", "--quiet", *changed)
    return root


def shards(root: Path, stage: str) -> list[Path]:
    return sorted((root / "stages" / stage).rglob("*.parquet"))


def test_status_lists_builds(small_root: Path, tmp_path: Path) -> None:
    text = run("status", "--root", str(small_root))
    header = ["dataset", "version", "stages", "complete", "bytes", "rows", "finished", "tags"]
    assert text.splitlines()[0].split() == header
    row = json.loads(run("status", "--root", str(small_root), "--json"))[0]
    assert (row["dataset"], row["stages"], row["complete"]) == ("qampari", 4, "no")
    assert row["bytes"] == sum(path.stat().st_size for path in small_root.glob("stages/**/*.parquet"))
    (tmp_path / "with space").mkdir()
    for arguments in ([], ["--json"]):
        empty = refused("status", "--root", str(tmp_path / "with space"), *arguments)
        assert f"holds no builds; `benchwright build DATASET --root '{tmp_path}/with space'` makes one" in empty


def test_status_lists_every_build_with_its_tags_within_100_columns(copied: Path) -> None:
    where = ("--root", str(copied))
    run("build", "qampari", *where, "--until", "wikidata.parse", "--set", "wikidata.keep_ended=true", "--quiet")
    first, second = json.loads(run("status", *where, "--json"))
    assert ([first["stages"], second["stages"]], [first["tags"], second["tags"]]) == ([4, 1], [[], ["latest"]])
    version = first["version"]
    assert run("tag", "qampari", "paper-1", "--build", version[:6], *where) == f"qampari {version} is called paper-1\n"
    run("tag", "qampari", "a-rather-long-name-of-a-build", *where)
    run("tag", "qampari", "second", "--build", "paper-1", *where)
    lines = run("status", *where).splitlines()
    assert max(map(len, lines)) <= 100
    assert [line.split()[-1] for line in lines[2:]] == ["paper-1", "second", "latest", "a-rather-lo…"]
    run("tag", "qampari", "second", "--remove", *where)
    assert [row["tags"] for row in json.loads(run("status", *where, "--json"))] == [
        ["paper-1"],
        ["latest", "a-rather-long-name-of-a-build"],
    ]
    # A build with a name stays, whatever is dropped.
    assert "dropped" not in run("clean", *where, "--keep", "1", "--hours", "0")
    for arguments, message in (
        (("../up",), "is no name for a build"),
        (("latest",), "is no name for a build"),
        ((version,), "is no name for a build"),
        (("third", "--build", "ffff"), "has no build of qampari called 'ffff'; its names and versions are a-rather"),
        (("third", "--remove"), "no build of qampari is called 'third'; the names are a-rather"),
    ):
        assert message in refused("tag", "qampari", *arguments, *where)


def test_a_broken_off_build_is_listed_and_what_it_made_is_kept(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = ("--root", str(copied))
    build = ("build", "qampari", *where, "--until", UNTIL, "--workers", "1", "--set", "wikidata.keep_ended=true")
    (before,) = (copied / "stages" / "wikidata.parse").iterdir()
    step = Runner._step

    def fails(self: Runner, pipeline: Pipeline, stage: Stage, done: dict[str, Table]) -> PlannedStage:
        if stage.name == "wikidata.classes":
            raise StageError("broken off")
        return step(self, pipeline, stage, done)

    with monkeypatch.context() as patched:
        # The first stage has another parameter and is made anew; the build does not come to the second.
        patched.setattr(Runner, "_step", fails)
        assert "broken off" in refused(*build)
    row = json.loads(run("status", *where, "--json"))[-1]
    assert (row["version"], row["stages"], row["complete"], row["rows"]) == ("unfinished", "1/4", "no", None)
    (made,) = {*(copied / "stages" / "wikidata.parse").iterdir()} - {before}
    assert row["bytes"] == sum(path.stat().st_size for path in made.rglob("*.parquet"))
    assert "unfinished" in run("status", *where)
    assert "dropped" not in run("clean", *where, "--keep", "1", "--hours", "0")
    assert (made / "manifest.json").exists()
    # Once it is built to its end, it is a build like any other.
    run(*build, "--quiet")
    assert [row["stages"] for row in json.loads(run("status", *where, "--json"))] == [4, 4]


def test_rows_are_drawn_at_random_and_again_by_the_same_seed(small_root: Path) -> None:
    where = ("show", "qampari", "entities", "--root", str(small_root), "--json")
    drawn = run(*where, "--sample", "5", "--seed", "1")
    assert run(*where, "--sample", "5", "--seed", "1") == drawn != run(*where, "--sample", "5", "--seed", "2")
    every = run(*where, "--rows", "100000").splitlines()
    assert len(set(drawn.splitlines())) == 5 and set(drawn.splitlines()) < set(every)
    assert run(*where, "--sample", "100000").splitlines() == every
    assert "--sample goes with a TABLE" in refused(*where, "--sample", "5", "--key", "Q1")
    assert "--sample goes with a TABLE" in refused("show", "qampari", "--root", str(small_root), "--sample", "5")


def test_a_released_id_finds_rows_that_know_the_query_alone(sample_root: Path) -> None:
    where = ("show", "qampari", "--root", str(sample_root), "--json")
    record = json.loads(run(where[0], where[1], "records", *where[2:], "--rows", "1"))
    by_qid = run(where[0], where[1], "questions", *where[2:], "--key", record["qid"])
    assert json.loads(by_qid)["query"] == record["query"]


def test_the_funnel_names_what_each_stage_kept_and_dropped(small_root: Path) -> None:
    text = run("show", "qampari", "--stages", "--root", str(small_root))
    assert text.splitlines()[0].split() == ["stage", "kept", "dropped", "paper"]
    manifest = latest_build(Storage.at(small_root), "qampari")
    assert manifest is not None
    for stage in manifest.stages:
        assert stage.stage in text
        for reason, count in stage.rejects.items():
            assert f"{reason} {count:,}" in text
    assert text.endswith(f"see one with `benchwright show qampari TABLE --root {small_root}`\n")


def test_the_papers_steps_come_first_on_at_most_twenty_lines(small_root: Path) -> None:
    lines = run("show", "qampari", "--root", str(small_root)).splitlines()
    assert lines[0].split() == ["step", "in", "out", "dropped", "most", "paper"]
    assert lines[2].startswith("Wikidata's statements  ") and "statements " in lines[2]
    assert len(lines) <= 20


def test_the_funnel_is_followed_by_what_the_manifest_notes(copied: Path) -> None:
    manifest = latest_build(Storage.at(copied), "qampari")
    assert manifest is not None
    noted = replace(manifest, notes=["Pages were fetched from a wiki.", "limits.pages took the first 2."])
    publish_build(Storage.at(copied), noted)
    text = run("show", "qampari", "--root", str(copied))
    assert "\nnote: Pages were fetched from a wiki.\nnote: limits.pages took the first 2.\n" in text


def test_records_of_a_table_by_key(small_root: Path) -> None:
    # Q42, Douglas Adams, is in the sample by its own words; two records are two blocks of lines.
    one = run("show", "qampari", "entities", "--root", str(small_root), "--rows", "2", "--json").splitlines()
    first = json.loads(one[0])
    assert len(one) == 2 and set(first) >= {"qid", "label", "aliases"}
    assert (
        json.loads(run("show", "qampari", "entities", "--root", str(small_root), "--key", first["qid"], "--json"))
        == first
    )
    text = run("show", "qampari", "entities", "--root", str(small_root), "--key", first["qid"])
    assert text.splitlines()[0].split() == ["qid", first["qid"]]
    for said, asked in (
        ("no such rows\n", ("entities", "--key", "nobody")),
        ("", ("entities", "--key", "nobody", "--json")),
        ("no such rows\n", ("--rejects", "wikidata.parse", "--reason", "nonsense")),
    ):
        result = call("show", "qampari", *asked, "--root", str(small_root))
        assert (result.exit_code, result.stdout) == (1, said)


def test_more_rows_than_there_are_is_all_of_them(small_root: Path) -> None:
    rows = run("show", "qampari", "redirects", "--root", str(small_root), "--rows", "9" * 30, "--json")
    manifest = latest_build(Storage.at(small_root), "qampari")
    assert manifest is not None and len(rows.splitlines()) == manifest.table("redirects").rows


def test_rejects_of_a_stage_by_reason_and_key(small_root: Path) -> None:
    where = ("show", "qampari", "--root", str(small_root), "--rows", "1000", "--rejects", "wikidata.parse", "--json")
    rows = [json.loads(line) for line in run(*where).splitlines()]
    some = [json.loads(line) for line in run(*where, "--reason", "no_label").splitlines()]
    assert some == [row for row in rows if row["reason"] == "no_label"] and some
    key = some[0]["key"]
    assert [json.loads(line) for line in run(*where, "--key", key).splitlines()] == [
        row for row in rows if row["key"] == key
    ]


def test_metrics_of_a_stage(small_root: Path) -> None:
    where = ("show", "qampari", "--root", str(small_root), "--metrics", "wikidata.parse")
    values = json.loads(run(*where, "--json"))
    assert values["records"] > 700
    assert f"{values['records']:,}" in run(*where)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "has no table 'nope'; there are class_ancestors, class_sorts, entities"),
        (["entites"], "has no table 'entites'; did you mean entities? `benchwright show qampari` names all"),
        (["rejects"], "every stage has its own rejects; name one with --rejects STAGE"),
        (["--rejects", "nope"], "no stage 'nope' in this build; there are wikidata.parse"),
        (["--metrics", "nope"], "no stage 'nope' in this build"),
        (["--reason", "no_label"], "--reason goes with --rejects STAGE"),
        (["--key", "Q1"], "--key with a TABLE or --rejects STAGE"),
        (["entities", "--metrics", "wikidata.parse"], "table and metrics do not go together"),
        (["entities", "--rows", "0"], "0 is not in the range"),
        (["entities", "--rows", "-3"], "-3 is not in the range"),
    ],
)
def test_show_refuses_what_it_cannot_show(small_root: Path, arguments: list[str], message: str) -> None:
    assert message in refused("show", "qampari", "--root", str(small_root), *arguments)


def test_a_root_without_builds_says_how_to_make_one(tmp_path: Path) -> None:
    said = refused("show", "qampari", "--root", str(tmp_path))
    assert (
        f"holds no build of qampari (it holds nothing); run `benchwright build qampari --root {tmp_path}` first" in said
    )
    assert "this folder holds no builds" in refused("diff", str(tmp_path), str(tmp_path))
    assert "missing.json: no such file or folder" in refused("diff", str(tmp_path / "missing.json"), str(tmp_path))
    assert "nothing to verify; check --root" in refused("verify", "--root", str(tmp_path / "mistyped"))


def test_diff_tells_equal_from_different_by_its_exit_code(small_root: Path, other_root: Path) -> None:
    equal = call("diff", str(small_root), str(small_root))
    assert (equal.exit_code, equal.stdout.rstrip().endswith("equal")) == (0, True)
    different = call("diff", str(small_root), str(other_root))
    assert different.exit_code == 1
    assert "keep_ended" in different.stdout


def test_diff_in_json_and_markdown(small_root: Path, other_root: Path) -> None:
    as_json = call("diff", str(small_root), str(other_root), "--format", "json")
    assert as_json.exit_code == 1
    stages = {stage["stage"]: stage for stage in json.loads(as_json.stdout)["stages"]}
    assert "wikidata.parse" in stages and "wikipedia.pages" not in stages
    as_markdown = call("diff", str(small_root), str(other_root), "--format", "markdown")
    assert as_markdown.exit_code == 1 and "|" in as_markdown.stdout and "wikidata.parse" in as_markdown.stdout
    assert "'--format'" in refused("diff", str(small_root), str(other_root), "--format", "pdf")


def test_diff_by_rows(small_root: Path, other_root: Path) -> None:
    result = call("diff", str(small_root), str(other_root), "--rows", "--limit", "1")
    assert result.exit_code == 1 and "statements" in result.stdout
    assert call("diff", str(small_root), str(small_root), "--rows").exit_code == 0


def test_diff_of_one_table_and_as_a_page(small_root: Path, other_root: Path) -> None:
    one = call("diff", str(small_root), str(other_root), "--table", "statements", "--limit", "2")
    assert one.exit_code == 1 and "rows of statements: 6 added, 0 removed, 0 changed" in one.stdout
    assert "rows of rejects" not in one.stdout
    page = call("diff", str(small_root), str(other_root), "--format", "html")
    assert page.exit_code == 1 and page.stdout.startswith("<!doctype html>") and "keep_ended" in page.stdout
    assert "did you mean statements?" in refused("diff", str(small_root), str(other_root), "--table", "statement")


def test_the_committed_form_of_a_manifest_is_compared_like_its_root(small_root: Path, tmp_path: Path) -> None:
    text = run("show", "qampari", "--root", str(small_root), "--json")
    assert str(small_root) not in text and json.loads(text)["run"] == {}
    baseline = tmp_path / "baseline.json"
    baseline.write_text(text)
    assert call("diff", str(baseline), str(small_root)).exit_code == 0
    assert "--rows needs two roots" in refused("diff", str(baseline), str(small_root), "--rows")


@pytest.mark.parametrize("text", ["", "{}", "[1]", "nonsense"])
def test_a_file_that_is_no_manifest_is_an_error_and_no_difference(small_root: Path, tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.json"
    path.write_text(text)
    assert str(path) in refused("diff", str(path), str(small_root))


def test_diff_names_the_datasets_there_are(small_root: Path) -> None:
    assert "no build of nope here; it has qampari" in refused("diff", str(small_root), str(small_root) + "#nope")
    assert "it has qampari" in refused("diff", str(small_root), str(small_root), "--dataset", "nope")


READERS = {
    "show": ("show", "qampari", "--root", "{}"),
    "show --stages": ("show", "qampari", "--stages", "--root", "{}"),
    "show TABLE": ("show", "qampari", "entities", "--root", "{}"),
    "diff": ("diff", "{}", "{}"),
    "diff with another": ("diff", "{other}", "{}"),
    "export": ("export", "qampari", "--root", "{}", "--out", "{}/release"),
    "tasks": ("tasks", "qampari", "--root", "{}", "--out", "{}/tasks"),
    "people": ("people", "qampari", "--root", "{}"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("what", ["altered", "missing"])
def test_readers_of_a_build_refuse_one_whose_stage_was_altered_or_lost(
    copied: Path, small_root: Path, what: str, reader: str
) -> None:
    path = next((copied / "stages" / "wikidata.parse").glob("*/manifest.json"))
    if what == "altered":
        path.write_text(path.read_text().replace('"rejects": {', '"rejects": {"no_id": 1,', 1))
    else:
        path.unlink()
    said = refused(*(word.format(copied, other=small_root) for word in READERS[reader]))
    why = "it was altered after it was written" if what == "altered" else "missing, though the build qampari"
    assert said.startswith(f"benchwright: {path}: {why}") and len(said.splitlines()) == 1


def test_rows_of_an_altered_shard_are_neither_shown_nor_found_equal(copied: Path, small_root: Path) -> None:
    shard = next((copied / "stages" / "wikidata.parse").rglob("entities/*.parquet"))
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    for command in (("diff", str(small_root), str(copied), "--rows"), ("diff", str(copied), str(copied), "--rows")):
        assert f"{shard}: its bytes have another sha256 than the manifest says" in refused(*command)
    said = refused("show", "qampari", "entities", "--root", str(copied), "--rows", "100000")
    assert f"{shard}: its bytes have another sha256 than the manifest says" in said


def test_verify_finds_damage_and_repair_has_the_next_build_make_it_anew(copied: Path, small_root: Path) -> None:
    assert run("verify", "--root", str(copied)) == "all is whole\n"
    assert run("verify", "--root", str(copied), "--quiet") == ""
    victim = shards(copied, "wikipedia.pages")[0]
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    found = call("verify", "--root", str(copied), "--dataset", "qampari")
    assert found.exit_code == 1 and str(victim) in found.stdout and "another sha256" in found.stdout
    repaired = call("verify", "--root", str(copied), "--repair")
    assert repaired.exit_code == 1
    assert "dropped wikipedia.pages" in repaired.stdout and "build again: qampari" in repaired.stdout
    run("build", "qampari", "--root", str(copied), "--until", UNTIL, "--workers", "1", "--quiet")
    assert run("verify", "--root", str(copied)) == "all is whole\n"
    assert call("diff", str(small_root), str(copied), "--rows").exit_code == 0


@pytest.mark.parametrize("lost", ["shards", "notes"])
def test_nothing_is_made_of_a_manifest_that_does_not_add_up(copied: Path, tmp_path: Path, lost: str) -> None:
    latest = copied / "builds" / "qampari" / "latest.json"
    whole = json.loads(latest.read_bytes())
    whole["notes"].append("") if lost == "notes" else next(iter(whole["stages"][1]["tables"].values()))[
        "shards"
    ].clear()
    latest.write_text(json.dumps(whole))
    where = ("--root", str(copied))
    for command in (
        ("show", "qampari", *where), ("show", "qampari", "pages", *where), ("status", *where),
        ("export", "qampari", *where, "--out", str(tmp_path / "release")), ("diff", str(copied), str(copied)),
        ("build", "qampari", *where, "--until", UNTIL, "--workers", "1", "--quiet"),
    ):  # fmt: skip
        said = refused(*command)
        assert f"{latest}: it was altered after it was written" in said and "`benchwright verify --repair`" in said
    assert not (tmp_path / "release").exists()
    assert f"dropped {latest}" in call("verify", *where, "--repair").stdout
    run("build", "qampari", *where, "--until", UNTIL, "--workers", "1", "--quiet")
    assert run("verify", *where) == "all is whole\n"


def test_clean_says_which_links_it_leaves_alone(copied: Path, tmp_path: Path) -> None:
    (copied / "stages" / "wikidata.parse").rename(tmp_path / "parse")
    (copied / "stages" / "wikidata.parse").symlink_to(tmp_path / "parse")
    (tmp_path / "parse" / "0123" / "theirs").mkdir(parents=True)
    assert run("clean", "--root", str(copied), "--hours", "0").splitlines() == [
        "left alone stages/wikidata.parse, a link, and all that lies behind it",
        "0 folders",
    ]
    assert (tmp_path / "parse" / "0123" / "theirs").is_dir()


def test_verify_of_a_dataset_that_was_never_built(small_root: Path) -> None:
    assert "nope was never built here" in refused("verify", "--root", str(small_root), "--dataset", "nope")


def test_clean_removes_old_attempts_that_nothing_names(copied: Path) -> None:
    stage = next((copied / "stages" / "wikidata.parse").iterdir())
    attempt = stage / "brokenoff"
    (attempt / "_spill").mkdir(parents=True)
    file = attempt / "_spill" / "some.arrows"
    file.write_text("left")
    assert run("clean", "--root", str(copied)) == "0 folders\n"
    old = time.time() - 25 * 3600
    os.utime(file, (old, old))
    for path in (attempt / "_spill", attempt):
        os.utime(path, (old, old))
    assert "would remove" in run("clean", "--root", str(copied), "--dry-run") and file.exists()
    assert run("clean", "--root", str(copied)).splitlines()[-1] == "1 folders"
    assert not attempt.exists()
    assert run("verify", "--root", str(copied)) == "all is whole\n"
    for hours in ("-1", "nan", "1e300"):
        assert "Invalid value for '--hours'" in refused("clean", "--root", str(copied), "--hours", hours)


def test_clean_keeps_answers_of_live_sources_unless_asked(copied: Path) -> None:
    where = ("clean", "--root", str(copied), "--hours", "0")
    for path in ("sources/0123456789abcdef/wikidata.json", "requests/ab/abc.zst"):
        (copied / path).parent.mkdir(parents=True)
        (copied / path).write_bytes(b"12345")
    text = run("status", "--root", str(copied))
    assert "live sources: 5 bytes in requests\nlive sources: 5 bytes in sources\n" in text
    assert run("clean", "--root", str(copied), "--requests") == "0 folders\n"
    assert run(*where).splitlines() == ["removed sources/0123456789abcdef", "1 folders"]
    assert run(*where, "--requests", "--dry-run").splitlines() == ["would remove requests", "1 folders"]
    assert run(*where, "--requests").splitlines() == ["removed requests", "1 folders"]
    assert run("verify", "--root", str(copied)) == "all is whole\n"


def test_clean_drops_old_builds(copied: Path) -> None:
    run("build", "qampari", "--root", str(copied), "--until", "wikidata.parse", "--set", "wikidata.keep_ended=true")
    kept = latest_build(Storage.at(copied), "qampari")
    where = ("clean", "--root", str(copied), "--keep", "1")
    assert "dropped" not in run(*where, "--dry-run").replace("would drop", "")
    # The stages are too young to go, as a build that is running may be going to name them.
    assert [line.split()[:2] for line in run(*where).splitlines()] == [["dropped", "build"], ["0", "folders"]]
    said = run(*where, "--hours", "0").splitlines()
    assert [line.split()[0] for line in said[:-1]] == ["dropped"] * 4 + ["removed"] * 4
    assert latest_build(Storage.at(copied), "qampari") == kept
    assert run("verify", "--root", str(copied)) == "all is whole\n"
    assert "0 is not in the range" in refused("clean", "--root", str(copied), "--keep", "0")


def test_export_wants_a_whole_build(small_root: Path, tmp_path: Path) -> None:
    said = refused("export", "qampari", "--root", str(small_root), "--out", str(tmp_path / "release"))
    assert f"stops early; run `benchwright build qampari --root {small_root}` to its end" in said
    assert not (tmp_path / "release").exists()
    for out in ("", "s3://bucket/release"):
        assert "expected a local folder" in refused("export", "qampari", "--root", str(small_root), "--out", out)


def test_rows_are_found_by_key_where_a_shard_is_empty() -> None:
    empty = pa.table({"qid": pa.array([], pa.string())})
    assert _matching(empty, ["qid"], "Q1").num_rows == 0
    assert _matching(pa.table({"qid": ["Q1", "Q2"]}), ["qid"], "Q2").to_pylist() == [{"qid": "Q2"}]


LOOKS = [
    ("show", "qampari"),
    ("status",),
    ("verify",),
    ("verify", "--repair"),
    ("export", "qampari", "--out", "nowhere"),
    ("clean", "--keep", "1"),
    ("people", "qampari"),
    ("tasks", "qampari", "--out", "nowhere"),
]


@pytest.mark.parametrize("look", LOOKS, ids=" ".join)
@pytest.mark.parametrize("version", [0, 1])
def test_a_root_of_another_version_is_neither_read_nor_mended(
    look: tuple[str, ...], version: int, tmp_path: Path
) -> None:
    latest = tmp_path / "builds" / "qampari" / "latest.json"
    latest.parent.mkdir(parents=True)
    latest.write_text(json.dumps({"format": version, "dataset": "qampari"}))
    said = refused(*look, "--root", str(tmp_path))
    assert f"manifest format {version}, this version reads format 2; use the version of benchwright that made" in said
    assert latest.exists()


@pytest.mark.parametrize("look", LOOKS, ids=" ".join)
def test_a_root_without_a_manifest_holds_nothing(look: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    said = refused(*look, "--root", str(tmp_path / "root"))
    assert "holds no build" in said
    (tmp_path / "root" / "builds" / "qampari").mkdir(parents=True)
    if look[0] != "clean":
        said = refused(*look, "--root", str(tmp_path / "root"))
        assert "holds no build" in said and "it holds qampari" not in said


def test_a_dry_run_of_an_upload_says_what_would_go_up(wiqa_root: Path, tmp_path: Path) -> None:
    out = ("export", "wiqa", "--root", str(wiqa_root), "--out", str(tmp_path / "release"))
    assert "expected owner/name" in refused(*out, "--push-to-hub", "toy", "--dry-run")
    assert not (tmp_path / "release").exists()
    lines = run(*out, "--push-to-hub", "org/toy", "--private", "--dry-run").splitlines()
    files = [path for path in (tmp_path / "release").rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    assert lines[-1] == f"{len(files)} files, {size:,} bytes to org/toy (private)"
    assert f"{(tmp_path / 'release' / 'dev.jsonl').stat().st_size:>12,}  dev.jsonl" in lines
    assert "go with --push-to-hub" in refused(*out, "--private")
