"""Differences between manifests made by hand: exactly what was changed, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.diff import ABSENT, Change, FunnelLine, StageChange, diff, load
from manifests.digest import combine
from manifests.manifest import BuildManifest, ManifestError, StageManifest, dumps
from manifests.registry import publish_build, publish_stage
from manifests.storage import Storage, StorageError
from tests.manifests.made import A, B, build, stage, table


def test_a_build_equals_itself_and_what_is_true_of_one_run_does_not_count() -> None:
    one = build(stage(), stage("toy.counts", [table("counts")]))
    other = build(
        stage(run={"host": "x"}, fingerprint="f" * 64, tables=[table(digest=B, shards=[])]),
        stage("toy.counts", [table("counts")], run={"seconds": 3.0}),
        run={"seconds": 9.0},
    )
    assert diff(one, one).equal and diff(one, other).equal
    assert diff(one, other).funnel == () and diff(one, other).information == ()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"shape": "whole"}, Change("shape", "", "map", "whole")),
        ({"parameters": {"shortest": 3, "forms": {"lower": True}}}, Change("parameters", "shortest", 2, 3)),
        ({"parameters": {"shortest": 2, "forms": {"lower": None}}}, Change("parameters", "forms.lower", True, None)),
        ({"parameters": {"shortest": 2, "forms": {}}}, Change("parameters", "forms.lower", True, ABSENT)),
        ({"templates": {"people.yaml": B}}, Change("templates", "people.yaml", A, B)),
        ({"models": {"nli": B}}, Change("models", "nli", ABSENT, B)),
        ({"licences": {"lines": "MIT"}}, Change("licences", "lines", "CC0-1.0", "MIT")),
        ({"metrics": {"records": 7.5}}, Change("metrics", "records", 7, 7.5)),
        ({"rejects": {"too_short": 5}}, Change("rejects", "too_short", 4, 5)),
    ],
)
def test_one_changed_value_of_a_stage_is_one_change(changed: dict[str, Any], expected: Change) -> None:
    found = diff(build(stage()), build(stage(**changed)))
    assert found.stages == (StageChange("toy.words", "changed", (expected,)),)
    assert not found.equal and found.build == ()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"rows": 5}, Change("rows", "words", 3, 5)),
        ({"stable": B}, Change("content", "words", combine([A]), combine([B]))),
        ({"key": ["word", "line"]}, Change("key", "words", ["word"], ["word", "line"])),
        ({"bucket_by": ["line"]}, Change("bucket_by", "words", ["word"], ["line"])),
        ({"inexact": ["word"]}, Change("inexact", "words", [], ["word"])),
        ({"schema": {"word": "int64"}}, Change("schema", "words.word", "string", "int64")),
        ({"schema": {"word": "string", "line": "string"}}, Change("schema", "words.line", ABSENT, "string")),
    ],
)
def test_one_changed_value_of_a_table_is_one_change(changed: dict[str, Any], expected: Change) -> None:
    found = diff(build(stage()), build(stage(tables=[table(**changed)])))
    assert found.stages == (StageChange("toy.words", "changed", (expected,)),)


def test_of_a_table_that_one_side_lacks_only_that_is_said() -> None:
    found = diff(build(stage()), build(stage(tables=[table(), table("lines", rows=8)])))
    assert found.stages[0].changes == (Change("table", "lines", ABSENT, "8 rows"),)
    assert found.funnel == (FunnelLine("toy.words", "rows", "lines", None, 8),)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"parameters": {"buckets": 8}}, Change("parameters", "buckets", 4, 8)),
        ({"sources": {}}, Change("sources", "lines", "CC0-1.0", ABSENT)),
        ({"outputs": ["words", "counts"]}, Change("outputs", "", ["words"], ["words", "counts"])),
        ({"notes": ["by hand"]}, Change("notes", "", [], ["by hand"])),
        ({"complete": False}, Change("complete", "", True, False)),
        ({"dataset": "other"}, Change("dataset", "", "toy", "other")),
    ],
)
def test_one_changed_value_of_the_build_is_one_change(changed: dict[str, Any], expected: Change) -> None:
    found = diff(build(stage()), build(stage(), **changed))
    assert (found.build, found.stages) == ((expected,), ())


def test_stages_that_came_went_or_moved_are_told_in_order() -> None:
    names = ["a.a", "a.b", "a.c", "a.d"]
    one = build(*(stage(name, []) for name in names))
    two = build(*(stage(name, []) for name in ["a.a", "a.new", "a.d", "a.c"]))
    found = diff(one, two)
    assert [(change.stage, change.status) for change in found.stages] == [("a.b", "removed"), ("a.new", "added")]
    assert found.build == (Change("order of stages", "", ["a.a", "a.c", "a.d"], ["a.a", "a.d", "a.c"]),)


def test_the_funnel_has_a_line_for_each_count_that_differs() -> None:
    one = build(stage(rejects={"too_short": 4, "same": 2}))
    two = build(stage(tables=[table(rows=9)], rejects={"duplicate": 1, "same": 2}))
    found = diff(one, two).funnel
    assert found == (
        FunnelLine("toy.words", "rows", "words", 3, 9),
        FunnelLine("toy.words", "rejects", "duplicate", None, 1),
        FunnelLine("toy.words", "rejects", "too_short", 4, None),
    )
    assert [line.delta for line in found] == [6, 1, -4]


def test_packages_and_source_files_are_information_only() -> None:
    one = build(stage(), stage("toy.counts", []))
    two = build(stage(packages={"pyarrow": "26.0.0"}, inputs={"file 0": B, "words": B}), stage("toy.counts", []))
    found = diff(one, two)
    assert found.equal
    assert found.information == (
        Change("package", "pyarrow", "25.0.1", "25.0.1, 26.0.0"),
        Change("source", "toy.words file 0", A, B),
    )


values = st.none() | st.booleans() | st.integers(0, 2) | st.floats(0, 2) | st.text("ab", max_size=2)
mappings = st.dictionaries(st.text("ab", min_size=1, max_size=2), values | st.lists(values, max_size=2), max_size=3)
counts = st.dictionaries(st.sampled_from(["too_short", "duplicate"]), st.integers(0, 2))


@st.composite
def builds(draw: st.DrawFn) -> BuildManifest:
    def one(name: str) -> StageManifest:
        tables = [
            table(n, draw(st.integers(0, 1)), draw(st.sampled_from([A, B]))) for n in draw(st.sets(ab, max_size=2))
        ]
        return stage(name, tables, parameters=draw(mappings), rejects=draw(counts))

    ab = st.sampled_from(["t", "u"])
    names = draw(st.lists(st.sampled_from(["a.a", "a.b", "a.c"]), unique=True, max_size=3))
    return build(*map(one, names), parameters=draw(mappings), complete=draw(st.booleans()))


@given(builds(), builds())
def test_a_difference_is_empty_just_when_the_versions_are_equal(one: BuildManifest, two: BuildManifest) -> None:
    assert diff(one, two).equal == (one.version == two.version)
    assert diff(one, one).equal
    forth, back = diff(one, two), diff(two, one)
    assert sorted((c.kind, c.name, repr(c.old)) for c in forth.build if c.kind != "order of stages") == sorted(
        (c.kind, c.name, repr(c.new)) for c in back.build if c.kind != "order of stages"
    )
    assert {(line.stage, line.kind, line.name, line.delta) for line in forth.funnel} == {
        (line.stage, line.kind, line.name, -line.delta) for line in back.funnel
    }


def test_a_build_is_loaded_from_a_root_a_named_dataset_or_a_file(tmp_path: Path) -> None:
    root = Storage.at(tmp_path / "root")
    made, other = build(stage()), build(stage(), dataset="other")
    publish_stage(root, stage())
    publish_build(root, made)
    assert load(str(tmp_path / "root")) == (made, root)
    publish_build(root, other)
    assert load(f"{tmp_path}/root#other") == load(f"{tmp_path}/root", "other") == (other, root)
    inside = tmp_path / "root" / "builds" / "toy" / f"{made.version}.json"
    assert load(str(inside)) == (made, root)
    alone = tmp_path / "pinned.json"
    alone.write_bytes(dumps(made.pinned()))
    loaded, nowhere = load(str(alone))
    assert nowhere is None and diff(loaded, made).equal


def test_a_build_whose_stage_is_gone_altered_or_another_is_not_loaded(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    made, path = build(stage()), f"stages/toy.words/{stage().fingerprint[:20]}/manifest.json"
    publish_build(root, made)
    for argument in (str(tmp_path), f"{tmp_path}/builds/toy/latest.json"):
        with pytest.raises(ManifestError) as caught:
            load(argument)
        assert str(caught.value) == (
            f"{tmp_path}/{path}: missing, though the build toy {made.version} is made of it; "
            "build it again, which takes all that is whole from what is there"
        )
    publish_stage(root, stage(tables=[table(stable=B)]))
    with pytest.raises(ManifestError, match=f"names other rows of words than the build toy {made.version}; build it"):
        load(str(tmp_path))
    root.write_bytes(path, root.read_bytes(path).to_pybytes().replace(b'"too_short": 4', b'"too_short": 5'))
    with pytest.raises(ManifestError, match="altered after it was written"):
        load(str(tmp_path))
    root.delete_file(path)
    publish_stage(root, stage())
    assert load(str(tmp_path)) == (made, root)


@pytest.mark.parametrize(
    ("argument", "dataset", "words"),
    [
        ("root", None, r"root: more than one build here; it has other, toy; name one as FOLDER#DATASET"),
        ("root#nothing", None, r"root: no build of nothing here; it has other, toy"),
        ("root", "nothing", r"no build of nothing here"),
        ("empty", None, r"empty: no such file or folder; name a root"),
        ("broken.json", None, r"broken.json: not JSON"),
    ],
)
def test_what_cannot_be_loaded_is_named(
    argument: str, dataset: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for made in (build(stage()), replace(build(stage()), dataset="other")):
        publish_build(Storage.at("root"), made)
    Path("broken.json").write_text("{")
    with pytest.raises(ManifestError, match=words):
        load(argument, dataset)
    with pytest.raises(StorageError, match="unknown scheme"):
        load("ftp://host/x")
