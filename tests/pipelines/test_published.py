"""Tables of a published build, read whole and in parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from manifests.manifest import ManifestError
from manifests.marks import set_tag
from manifests.storage import Storage
from pipelines.comparison import compare
from pipelines.published import iterate_table, load_build, read_table
from stages.core.contract import StageError
from tests import toy
from tests.faults import builder


def test_a_table_is_read_with_its_schema_and_by_another_name(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [["the sea", "the door"]])
    manifest = builder.build(str(tmp_path / "root"), paths, until="toy.counts", buckets=3)
    storage = Storage.at(tmp_path / "root")
    rows = read_table(storage, manifest, toy.COUNTS)
    assert rows.schema.equals(toy.COUNTS.schema)
    assert {row["word"]: row["lines"] for row in rows.to_pylist()} == {"the": 2, "sea": 1, "door": 1}
    assert read_table(storage, manifest, toy.COUNTS, "counts").equals(rows)
    parts = list(iterate_table(storage, manifest, toy.COUNTS, ["word"]))
    assert len(parts) == 3 and all(part.column_names == ["word"] for part in parts)
    assert sorted(word for part in parts for word in part["word"].to_pylist()) == ["door", "sea", "the"]
    with pytest.raises(ManifestError, match="no table 'pairs'"):
        read_table(storage, manifest, toy.PAIRS)
    older = replace(toy.COUNTS, schema=toy.COUNTS.schema.append(pa.field("weight", pa.int32())))
    with pytest.raises(ManifestError, match=r"counts was made by another version .* differs in weight; build it anew"):
        read_table(storage, manifest, older)


def test_a_build_is_named_by_root_dataset_tag_or_version(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    paths = toy.write_lines(tmp_path / "in", [["the sea", "the door"]])
    first = builder.build(root, paths, until="toy.counts", buckets=3)
    second = builder.build(root, [*paths, *toy.write_lines(tmp_path / "more", [["a sea"]])], until="toy.counts")
    storage = Storage.at(root)
    set_tag(storage, first.dataset, "before", first.version)
    for name, meant in [
        ("", second),
        (f"#{first.dataset}", second),
        ("#before", first),
        (f"#{first.version[:6]}", first),
        (f"/builds/{first.dataset}/{first.version}.json", first),
    ]:
        assert load_build(root + name)[0].version == meant.version, name
    assert not compare(f"{root}#before", root).equal and compare(f"{root}#before", f"{root}#{first.version}").equal
    with pytest.raises(StageError, match=r"no build of never here; it has .*name one with --dataset"):
        load_build(f"{root}#never")
    with pytest.raises(StageError, match="has no build of .* called 'never'; its names and versions are before, "):
        load_build(f"{root}#never", first.dataset)
