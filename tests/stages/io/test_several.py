"""Several sources read as one."""

from __future__ import annotations

from pathlib import Path

from stages.io.several import Several
from tests import toy


def test_parts_identities_and_licences_of_all_sources(tmp_path: Path) -> None:
    first = toy.Lines(tuple(toy.write_lines(tmp_path / "a", [["one"], ["two"]])))
    second = toy.Lines(tuple(toy.write_lines(tmp_path / "b", [["three"]])))
    both = Several((first, second), toy.RAW)
    assert [number for number, _ in both.parts()] == [0, 0, 1]
    lines = [line for part in both.parts() for table in both.read(part) for line in table["line"].to_pylist()]
    assert lines == ["one", "two", "three"]
    assert set(both.identity()) == {"Lines file 0", "Lines file 1"}
    assert both.licences() == {"lines": "CC0-1.0"} and both.schema is toy.RAW


def test_no_source_at_all_reads_as_nothing() -> None:
    none = Several((), toy.RAW)
    assert (none.parts(), none.paths, none.identity(), none.licences()) == ([], (), {}, {})
