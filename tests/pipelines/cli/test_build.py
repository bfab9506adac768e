"""`build` and `plan`: what runs, what is cached and why, and what is refused before anything runs."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from tests.pipelines.cli.conftest import UNTIL
from tests.pipelines.commands import call, refused, run

STAGES = ["wikidata.parse", "wikidata.classes", "wikipedia.pages", "wikipedia.redirects"]
UNKNOWN = "not an option of benchwright or of Beam"


def test_a_second_build_takes_all_from_the_first(small_root: Path) -> None:
    result = call("build", "qampari", "--root", str(small_root), "--until", UNTIL)
    lines = result.stderr.splitlines()
    assert [line.split()[:2] for line in lines] == [[stage, "cached"] for stage in STAGES]
    assert "\r" not in result.stderr and "%|" not in result.stderr
    assert result.stdout.splitlines()[-1] == f"look at it with `benchwright show qampari --root {small_root}`"


def test_quiet_says_nothing(small_root: Path) -> None:
    result = call("build", "qampari", "--root", str(small_root), "--until", UNTIL, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_lines_name_rows_in_the_order_of_the_tables_and_rejects(tmp_path: Path) -> None:
    result = call("build", "qampari", "--root", str(tmp_path), "--until", "wikidata.parse", "--workers", "1")
    assert result.exit_code == 0
    name, seconds, unit, *rest = result.stderr.split()
    assert (name, unit) == ("wikidata.parse", "s") and float(seconds) >= 0
    assert rest[0] == "entities" and "subclasses" in rest and rest[-2] == "rejected"


def test_a_plan_says_what_is_cached_and_what_waits(small_root: Path) -> None:
    steps = json.loads(run("plan", "qampari", "--root", str(small_root), "--json"))
    assert [step["stage"] for step in steps if step["state"] == "cached"] == STAGES
    states = {step["stage"]: (step["state"], step["why"]) for step in steps}
    assert states["linking.link"] == ("run", "never built here")
    assert states["wikipedia.segment"] == ("waits", "depends on articles")


def test_a_plan_says_what_a_changed_parameter_changes(small_root: Path) -> None:
    text = run("plan", "qampari", "--root", str(small_root), "--set", "wikidata.keep_ended=true")
    lines = {line.split()[0]: line for line in text.splitlines()[2:]}
    assert lines["wikidata.parse"].endswith("changed since the last build: parameter params.keep_ended (False -> True)")
    assert "would run" in lines["wikidata.parse"]
    assert "depends on subclasses" in lines["wikidata.classes"]
    assert "cached" in lines["wikipedia.pages"]


def test_a_plan_runs_nothing(tmp_path: Path) -> None:
    run("plan", "qampari", "--root", str(tmp_path / "root"))
    assert not (tmp_path / "root").exists()


def test_from_takes_earlier_stages_from_the_root(small_root: Path, tmp_path: Path) -> None:
    where = ("build", "qampari", "--root", str(small_root))
    run(*where, "--from", "wikipedia.pages", "--until", UNTIL)
    late = refused("build", "qampari", "--root", str(tmp_path), "--from", "wikipedia.pages")
    assert "--from wikipedia.pages: stage wikidata.parse before it is not built yet; leave --from out" in late
    reversed_ = refused(*where, "--from", "wikipedia.pages", "--until", "wikidata.parse")
    assert "--until wikidata.parse comes before --from wikipedia.pages" in reversed_


@pytest.mark.parametrize("option", ["--from", "--until"])
def test_an_unknown_stage_is_answered_with_the_known_ones(small_root: Path, option: str) -> None:
    message = refused("build", "qampari", "--root", str(small_root), option, "nope")
    assert "qampari has no stage 'nope'; `benchwright plan qampari` names all" in message


@pytest.mark.parametrize("root", ["with space", "ünï/../dömain", "./x/", "~not-a-user"])
def test_odd_names_of_roots_are_just_names(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if root.startswith("~"):
        monkeypatch.setenv("HOME", str(tmp_path))
        root = "~/home"
    run("build", "qampari", "--root", root, "--until", "wikidata.parse", "--workers", "1", "--quiet")
    assert "wikidata.parse" in run("show", "qampari", "--stages", "--root", root)
    assert run("verify", "--root", root) == "all is whole\n"
    assert not (tmp_path / "~").exists()


def test_roots_that_cannot_be_written_end_in_one_line(tmp_path: Path) -> None:
    # Permissions stop no one who runs as root; a file in the way stops everyone.
    file = tmp_path / "file"
    file.write_text("mine")
    for root, message in [
        (file, f"benchwright: --root {file}: a file; name a folder, which need not exist yet"),
        (file / "sub", "choose another --root or free space"),
        ("", "--root is empty"),
        ("http://host/path", "unknown scheme 'http'; expected a local path, s3:// or gs://"),
    ]:
        said = refused("build", "qampari", "--root", str(root), "--until", "wikidata.parse", "--workers", "1")
        assert message in said
        assert len(said.splitlines()) == 1
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sorce", "x"], f"--sorce: {UNKNOWN}; did you mean --source"),
        (["--flink_mastr=x"], f"--flink_mastr: {UNKNOWN}; did you mean --flink_master"),
        (["--zzzzzz"], f"--zzzzzz: {UNKNOWN}; see --help; what only a cluster knows goes after --"),
        (["extra"], f"extra: {UNKNOWN}"),
        (["-x"], f"-x: {UNKNOWN}"),
        (["--direct_num_workers=abc"], "a Beam option: argument --direct_num_workers: invalid int value: 'abc'"),
        (["--direct_running_mode=multi_threading"], "not supported; --workers sets both"),
        (["--runner=DirectRunner"], "--runner DirectRunner: not supported (its engine depends on a binary"),
    ],
)
def test_what_neither_benchwright_nor_beam_knows_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    assert message in refused("build", "qampari", "--root", str(tmp_path / "root"), *arguments)
    assert not (tmp_path / "root").exists()


def test_options_of_beam_pass_and_after_a_bare_double_dash_unchecked(small_root: Path) -> None:
    where = ("build", "qampari", "--root", str(small_root), "--until", UNTIL, "--quiet")
    run(*where, "--runner=FlinkRunner", "--flink_master", "host:8081", "--parallelism=4")
    run(*where, "--runner=PortableRunner", "--", "--only_my_cluster=1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "nowhere"], "--source nowhere: no such file or folder"),
        (["--source", ""], "--source: an empty path"),
        (["--source", "sample", "--source", "x"], "--source sample stands alone"),
        (["--source", __file__], "no Wikidata dump among the sources given; or --source sparql:URL"),
        (["--params", "nowhere.yaml"], "nowhere.yaml: not a readable YAML file"),
        (["--set", "queries.min_answer=4"], "did you mean queries.min_answers"),
        (["--set", "x=4"], "`benchwright params DATASET` names all"),
        (["--set", "build.buckets=0"], "build.buckets is 0, but has to be from 1 to 10,000"),
        (["--set", "build.buckets=99999999"], "build.buckets is 99999999"),
        (["--set", "build.bad_records=7"], "build.bad_records is 7.0, but has to be a share"),
        (["--set", "build.stall_minutes=-1"], "build.stall_minutes is -1.0, but has to be from 0 (never stop) to"),
        (["--set", "build.stall_minutes=.nan"], "build.stall_minutes is nan, but has to be from 0"),
        (["--set", "nli.thresholds=nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["--workers", "-1"], "'--workers': -1 is not in the range"),
    ],
)
def test_inputs_and_values_that_do_not_fit_are_named(arguments: list[str], message: str, tmp_path: Path) -> None:
    assert message in refused("build", "qampari", "--root", str(tmp_path / "root"), *arguments)
    assert not (tmp_path / "root").exists()


def test_an_unknown_dataset_is_answered_with_the_known_ones() -> None:
    for command in ("build", "plan", "show", "params"):
        assert "'nope'" in refused(command, "nope") and "qampari" in refused(command, "nope")


def test_a_model_folder_with_a_pickle_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    labels = {"0": "entailment", "1": "not_entailment"}
    (folder / "config.json").write_text(json.dumps({"id2label": labels, "model_type": "bert"}))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weights": 1}))
    said = refused("plan", "qampari", "--root", str(tmp_path / "root"), "--set", f"nli.model={folder}")
    assert "safetensors" in said and str(folder) in said


def test_files_that_hold_nothing_for_the_build_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "notes.txt").write_text("nothing for a build")
    for quiet in ((), ("--quiet",)):
        said = refused("build", "qampari", "--root", str(tmp_path / "root"), "--source", str(folder), *quiet)
        assert f"left aside: {folder}/notes.txt" in said


def test_a_build_without_questions_is_told_by_its_exit_code_and_names_where_they_went(tmp_path: Path) -> None:
    hop = {"id": "a", "question": "Who?", "answer": "Ann", "title": "T", "paragraph": "Ann founded it long ago."}
    (tmp_path / "hops.jsonl").write_text(f"{json.dumps(hop)}\n")
    root = str(tmp_path / "root")
    where = ("--source", str(tmp_path / "hops.jsonl"), "--root", root, "--workers", "1")
    for _ in range(2):
        result = call("build", "musique", *where, "--quiet")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(
            "note: There is no question: musique.hop_filter left no row in single_hops (dropped: too_few_words 1); "
        )
    # What follows has nothing to read: no stage after the first that kept nothing has run.
    assert sorted(path.name for path in (tmp_path / "root" / "stages").iterdir()) == [
        "musique.hop_filter",
        "musique.parse",
    ]
    said = refused("export", "musique", "--root", root, "--out", str(tmp_path / "release"))
    assert (
        "musique.hop_filter" in said
        and f"`benchwright show musique --root {root}` lists what each stage dropped" in said
    )
    assert not (tmp_path / "release").exists()


@pytest.mark.slow
def test_a_build_that_waits_for_people_is_no_failure(tmp_path: Path) -> None:
    paragraph = {"para_id": "1", "topic": "rain", "sentences": ["Water rises.", "It falls."]}
    (tmp_path / "paragraphs.jsonl").write_text(f"{json.dumps(paragraph)}\n")
    where = ("--source", str(tmp_path / "paragraphs.jsonl"), "--root", str(tmp_path / "root"), "--workers", "1")
    result = call("build", "wiqa", *where)
    assert result.exit_code == 0
    assert "There is no question: wiqa.influence_graphs" in result.stderr and "benchwright tasks wiqa" in result.stderr
    assert "There is no question" not in result.stdout
