"""The project as a library: its examples, its tables, its errors, and that it does what the commands do."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import benchwright
import pyarrow as pa
import pytest

from pipelines.cli.main import errors
from tests.pipelines.commands import call, refused, run
from tests.stages.wiqa.test_build import source

REPO = Path(__file__).resolve().parents[4]
README = (REPO / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A root with the sample build of WIQA, made by the library; tests only read it."""
    folder = str(tmp_path_factory.mktemp("library"))
    benchwright.build("wiqa", annotations="sample", root=folder)
    return folder


def test_the_examples_of_the_library_are_so(root: str) -> None:
    found = doctest.testmod(benchwright, extraglobs={"root": root})
    assert found.attempted > 8 and found.failed == 0


def test_the_examples_of_the_readme_are_so(root: str) -> None:
    text = README.partition("## As a library\n")[2].partition("\n## ")[0]
    assert text.count("\n") <= 25
    example = doctest.DocTestParser().get_doctest(text, {"root": root}, "README.md", "README.md", 0)
    found = doctest.DocTestRunner().run(example)
    assert found.attempted >= 5 and found.failed == 0


def test_a_build_of_the_library_is_the_commands(root: str) -> None:
    made = benchwright.latest("wiqa", root)
    assert json.loads(run("status", "--root", root, "--json"))[0]["version"] == made.version
    steps = json.loads(run("plan", "wiqa", "--annotations", "sample", "--root", root, "--json"))
    planned = benchwright.plan("wiqa", annotations=["sample"], root=Path(root))
    assert steps == [{"stage": step.stage.name, "state": step.state, "why": step.why} for step in planned]


def test_tables_come_as_arrow_and_as_pandas(root: str) -> None:
    made = benchwright.latest("wiqa", root)
    for name, rows in made.tables.items():
        assert made.table(name).num_rows == rows
    chosen = made.table("records", ["split", "qid"])
    assert chosen.column_names == ["split", "qid"]
    assert made.pandas("records", ["split", "qid"]).to_dict("list") == chosen.to_pydict()
    assert made.table("records").schema.field("qid").type == pa.string()


def test_a_difference_is_the_commands(root: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    source(tmp_path / "input", seed=1)
    settings = {"build.buckets": 2, "build.seed": 7}
    made = benchwright.build("wiqa", sources=tmp_path / "input", root=other, settings=settings, workers=1)
    assert made.manifest.parameters["build"]["seed"] == 7
    found = benchwright.diff(root, other, rows=True, limit=2)
    said = call("diff", root, other, "--rows", "--limit", "2", "--format", "json")
    assert (found.equal, said.exit_code) == (False, 1)
    assert found.as_dict() == json.loads(said.stdout)
    assert [row.table for row in found.rows if row.added or row.removed or row.changed]
    assert found.as_text() == call("diff", root, other, "--rows", "--limit", "2").stdout


def test_scores_are_the_commands(root: str, tmp_path: Path) -> None:
    run("export", "wiqa", "--root", root, "--out", str(tmp_path / "release"))
    gold, guesses = tmp_path / "release" / "dev.jsonl", tmp_path / "guesses.jsonl"
    ids = [json.loads(line)["metadata"]["ques_id"] for line in gold.read_text(encoding="utf-8").splitlines()]
    guesses.write_text("".join(json.dumps({"ques_id": one, "label": "more"}) + "\n" for one in ids))
    report = benchwright.evaluate("wiqa", gold, guesses)
    assert json.loads(json.dumps(report.as_dict())) == json.loads(
        run("evaluate", "wiqa", str(gold), str(guesses), "--json")
    )


@pytest.mark.parametrize(
    ("kind", "arguments", "words"),
    [
        (benchwright.StageError, {"dataset": "wika"}, "no dataset 'wika'"),
        (benchwright.StageError, {"until": "nowhere"}, "wiqa has no stage 'nowhere'"),
        (benchwright.ParameterError, {"settings": {"build.seed": "x"}}, "build.seed is 'x'"),
        (benchwright.ParameterError, {"params": "/nowhere.yaml"}, "/nowhere.yaml"),
        (benchwright.SourceError, {"sources": "/nowhere"}, "/nowhere"),
        (benchwright.SourceError, {"sources": ["sample", "x"]}, "sample stands alone"),
        (benchwright.SourceError, {"sources": "sparql:http://h/x"}, "live sources are asked by the command"),
        (benchwright.StorageError, {"root": ""}, "--root is empty"),
    ],
)
def test_errors_have_types_and_say_what_to_do(
    kind: type[Exception], arguments: dict[str, Any], words: str, tmp_path: Path
) -> None:
    given = {"dataset": "wiqa", "root": tmp_path / "root", **arguments}
    with pytest.raises(kind, match=words):
        benchwright.build(given.pop("dataset"), **given)
    assert not (tmp_path / "root").exists()
    assert issubclass(kind, benchwright.ERRORS)


def test_what_is_not_there_is_an_error(root: str, tmp_path: Path) -> None:
    with pytest.raises(benchwright.StageError, match="holds no build of ifqa"):
        benchwright.latest("ifqa", root)
    made = benchwright.latest("wiqa", root)
    with pytest.raises(benchwright.ManifestError, match="no table 'record'; did you mean records"):
        made.table("record")
    with pytest.raises(benchwright.ManifestError) as caught:
        made.table("graphs", ["para_id", "colour"])
    assert str(caught.value).startswith("the table graphs of wiqa has no column 'colour'; it has ")
    pinned = tmp_path / "pinned.json"
    pinned.write_text(run("show", "wiqa", "--root", root, "--json"), encoding="utf-8")
    assert benchwright.diff(pinned, root).equal
    with pytest.raises(benchwright.ManifestError, match="needs two roots that hold their tables"):
        benchwright.diff(pinned, root, rows=True)
    assert "needs two roots that hold their tables" in refused("diff", str(pinned), root, "--rows")


def test_the_commands_turn_the_librarys_errors_into_messages() -> None:
    assert set(errors()) == set(benchwright.ERRORS)


def test_whoever_uses_the_library_sees_its_types(tmp_path: Path) -> None:
    assert all((REPO / package / "py.typed").is_file() for package in ("pipelines", "stages", "manifests"))
    program = tmp_path / "use.py"
    program.write_text("import benchwright\nreveal_type(benchwright.latest('wiqa').version)\nbenchwright.plan(3)\n")
    said = subprocess.run(
        [sys.executable, "-m", "mypy", str(program), "--follow-imports=silent"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        cwd=REPO,
    )
    assert 'Revealed type is "str"' in said.stdout, said.stdout
    assert 'Argument 1 to "plan" has incompatible type "int"; expected "str | None"' in said.stdout


def test_importing_loads_nothing_heavy() -> None:
    heavy = {"apache_beam", "torch", "pandas", "nltk", "duckdb", "click"}
    check = f"import sys, benchwright; print(sorted({heavy!r} & {{*sys.modules}}))"
    environment = {"PYTHONPATH": f"{REPO}:{REPO / 'pipelines/library'}"}
    said = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, env=environment)
    assert said.stdout == "[]\n"


def test_a_build_file_says_what_is_not_said_besides(root: str, tmp_path: Path) -> None:
    file = tmp_path / "build.yaml"
    file.write_text(
        "dataset: wiqa\nname: Mine\nversion: 1\nannotations: [sample]\nroot: builds\nparams: {build: {seed: 7}}\n",
        encoding="utf-8",
    )
    (step, *_) = benchwright.plan(config=file)
    assert step.state == "run" and not (tmp_path / "builds").exists()
    told = {"version": "2", "authors": ["Ada", "Bo"]}
    made = benchwright.build(config=file, root=root, settings={"build.seed": 42}, about=told)
    assert made.manifest.about == {"name": "Mine", "version": "2", "authors": "Ada; Bo"}
    assert made.manifest.parameters["build"]["seed"] == 42
    assert made.dataset == "wiqa" == benchwright.latest("wiqa", root).dataset
    with pytest.raises(benchwright.StageError, match="which dataset is to be built"):
        benchwright.build(root=root)
    with pytest.raises(benchwright.StageError, match="about: title: unknown; expected some of name, "):
        benchwright.build("wiqa", root=root, about={"title": "Mine"})
