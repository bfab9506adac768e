"""Tables of a published build, read whole and in parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from manifests.manifest import ManifestError
from manifests.storage import Storage
from pipelines.published import iterate_table, read_table
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
