"""Manifests: written and read without loss, and every fault in one named with its spot."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from manifests.digest import combine
from manifests.manifest import BuildManifest, ManifestError, StageManifest, comparable, dumps, loads
from tests.manifests.made import A, build, stage, table

BUILD = build(stage(), stage("toy.counts", [table("counts")]))


def test_a_manifest_comes_back_from_its_file_as_it_went() -> None:
    written = dumps(BUILD.to_dict())
    assert BuildManifest.from_dict(loads(written, "x"), "x") == BUILD
    assert dumps(loads(written, "x")) == written and written.endswith(b"}\n")
    assert StageManifest.from_dict(BUILD.stages[0].to_dict(), "x") == BUILD.stages[0]


def test_a_pinned_manifest_is_a_manifest_without_files() -> None:
    pinned = BuildManifest.from_dict(BUILD.pinned(), "x")
    assert pinned.version == BUILD.version and pinned.comparable() == BUILD.comparable()
    assert pinned.table("words").shards == []


def set_at(*spot: Any) -> Callable[[dict], None]:
    *path, last, value = spot

    def change(data: dict) -> None:
        for step in path:
            data = data[step]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at("rejects", "too_short", -1), r"x: rejects/too_short: -1 is less than the minimum"),
        (set_at("tables", "words", "rows", "3"), r'x: tables/words/rows: "3" is not of type "integer"'),
        (set_at("tables", "words", "shards", 0, "sha256", "beef"), r'x: tables/words/shards/0/sha256: "beef" does not'),
        (set_at("tables", "words", "shards", 0, "path", "../up"), r'x: tables/words/shards/0/path: "../up" does not'),
        (set_at("tables", "words", "shards", 0, "path", "/etc"), r"x: tables/words/shards/0/path"),
        (set_at("fingerprint", "short"), r'x: fingerprint: "short" does not match'),
        (set_at("shape", "reduce"), r'x: shape: "reduce" is not one of'),
        (set_at("surprise", 1), r"x: top level: Additional properties are not allowed \('surprise'"),
        (set_at("stage", "no dots"), r'x: stage: "no dots" does not match'),
        (set_at("format", 1), r"x: manifest format 1, this version reads format 2; use the version"),
        (lambda data: data.pop("inputs"), r'x: top level: "inputs" is a required property'),
        (lambda data: (data.pop("inputs"), data.pop("models")), r"is a required property \(and 1 more\)"),
    ],
)
def test_what_is_wrong_in_a_stage_manifest_is_named(change: Callable[[dict], Any], words: str) -> None:
    data = copy.deepcopy(stage().to_dict())
    change(data)
    with pytest.raises(ManifestError, match=words):
        StageManifest.from_dict(data, "x")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at("dataset", "Toy Set"), 'x: dataset: "Toy Set" does not match'),
        (set_at("complete", "yes"), 'x: complete: "yes" is not of type "boolean"'),
        (set_at("version", "1"), 'x: version: "1" does not match'),
        (set_at("stages", 1, "tables", "counts", "key", []), r"x, stages\[1\]: tables/counts/key"),
        (set_at("stages", 0, "parameters", 3), r'x, stages\[0\]: parameters: 3 is not of type "object"'),
    ],
)
def test_what_is_wrong_in_a_build_manifest_is_named(change: Callable[[dict], Any], words: str) -> None:
    data = copy.deepcopy(BUILD.to_dict())
    change(data)
    with pytest.raises(ManifestError, match=words):
        BuildManifest.from_dict(data, "x")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "x: not JSON"),
        (b"", "x: not JSON"),
        (b"\xff\xfe\xfd", "x: not JSON"),
        (b'{"a":' * 100_000, "x: not JSON"),
        (b"[]", "x: a manifest is a JSON object, not a list"),
    ],
)
def test_what_is_no_json_object_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ManifestError, match=words):
        loads(data, "x")


def altered(value: Any) -> Iterator[Any]:
    """The same value with one thing in it altered or left out, for each thing."""
    if isinstance(value, dict):
        for key in value:
            yield {name: inner for name, inner in value.items() if name != key}
            yield from ({**value, key: other} for other in altered(value[key]))
    elif isinstance(value, list):
        yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
        yield from ([*value[:at], other, *value[at + 1 :]] for at in range(len(value)) for other in altered(value[at]))
    else:
        yield not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}x"


def test_a_file_in_which_anything_at_all_was_altered_or_lost_is_refused() -> None:
    three = replace(table(), shards=table().shards * 3, rows=9, digest=combine([A] * 3), stable_digest=combine([A] * 3))
    made = build(stage(tables=[three]), notes=["one"], run={"seconds": 1})
    whole = json.loads(dumps(made.to_dict()))
    tried = 0
    for data in altered(whole):
        with pytest.raises(ManifestError, match="x: (it was altered after it|it has no checksum|manifest format)"):
            loads(json.dumps(data).encode(), "x")
        tried += 1
    assert tried == 127
    assert BuildManifest.from_dict(loads(json.dumps(whole).encode(), "x"), "x") == made


def test_a_pinned_manifest_of_an_earlier_version_needs_no_checksum_but_its_version_is_checked() -> None:
    pinned = json.loads(dumps(BUILD.pinned()))
    del pinned["checksum"]
    assert BuildManifest.from_dict(loads(json.dumps(pinned).encode(), "x"), "x").version == BUILD.version
    pinned["stages"][0]["rejects"]["too_short"] = 5
    with pytest.raises(ManifestError, match=f"x: its version is {BUILD.version}, but that of what it holds is"):
        BuildManifest.from_dict(loads(json.dumps(pinned).encode(), "x"), "x")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rows": 4}, "the rows of its shards do not add up to its own"),
        ({"shards": []}, "the rows of its shards do not add up to its own; its digest is not that of its shards; its"),
        ({"digest": A}, "its digest is not that of its shards"),
        ({"stable_digest": A}, "its stable digest is not that of its shards"),
        ({"name": "others"}, "it is called others"),
        ({"bucket_by": ["line"]}, "it has no column line"),
        ({"key": ["line", "word"]}, "it has no column line"),
        ({"inexact": ["score"]}, "it has no column score"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(changed: dict[str, Any], words: str) -> None:
    wrong = replace(stage(), tables={"words": replace(table(), **changed)})
    with pytest.raises(ManifestError, match=f"^x: table words: {words}"):
        StageManifest.from_dict(wrong.to_dict(), "x")


def test_only_what_is_compared_enters_the_version() -> None:
    other = stage(
        run={"host": "elsewhere"}, packages={"pyarrow": "99"}, fingerprint="f" * 64, inputs={"file 0": "b" * 64}
    )
    moved = table(digest="c" * 64, shards=[])
    assert build(other).version == build(stage()).version
    assert build(stage(tables=[moved])).version == build(stage()).version
    assert build(stage(), run={"seconds": 3}).version == build(stage()).version
    assert build(stage(tables=[table(stable="b" * 64)])).version != build(stage()).version
    assert build(stage(code="d" * 64)).version == build(stage()).version
    assert build(stage(parameters={"shortest": 3})).version != build(stage()).version
    assert build(stage(), complete=False).version != build(stage()).version


def test_a_manifest_just_made_compares_equal_to_one_read() -> None:
    made = build(stage(parameters={"pair": ("a", "b"), "none": None}))
    read = BuildManifest.from_dict(loads(dumps(made.to_dict()), "x"), "x")
    assert made.comparable() == read.comparable() and made.version == read.version
    assert comparable(made.stages[0]) == comparable(read.stages[0])


def test_a_table_is_found_by_name_and_a_wrong_name_lists_the_right_ones() -> None:
    assert BUILD.table("counts").digest == combine([A])
    with pytest.raises(ManifestError, match="the build of toy has no table 'total'; there are counts, words"):
        BUILD.table("total")
