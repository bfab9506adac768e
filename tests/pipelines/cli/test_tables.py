"""Tables and records as text."""

from __future__ import annotations

from pathlib import Path

from pipelines.cli import tables
from pipelines.datasets import PaperStep
from tests import toy
from tests.faults import builder


def test_columns_are_aligned_and_numbers_have_separators() -> None:
    text = tables.table(["name", "rows"], [["a", 1234567], ["longer", 5]])
    assert text.splitlines() == ["name         rows", "------  ---------", "a       1,234,567", "longer          5"]


def test_a_record_is_a_line_per_column_and_long_values_are_cut() -> None:
    text = tables.record({"id": "x", "list": ["é", 1], "none": None, "long": "y" * 3000})
    lines = text.splitlines()
    assert lines[:3] == ["id    x", 'list  ["é", 1]', "none  null"]
    assert lines[3] == f"long  {'y' * 2000}… (3,000 characters)"
    assert tables.record({}) == ""


def test_a_funnel_lists_tables_and_reasons_beside_each_other_with_the_papers_count(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [["a sea", "b c door"]])
    manifest = builder.build(str(tmp_path / "root"), paths, until="toy.counts")
    paper = [PaperStep("words", ("toy.words",), "", "words", "12 words")]
    lines = tables.funnel(manifest, paper).splitlines()
    assert lines[0].split() == ["stage", "kept", "dropped", "paper"]
    assert lines[2].split("  ")[0] == "toy.words" and "words 2" in lines[2] and "too_short 3" in lines[2]
    assert lines[2].endswith("12 words")
    assert lines[3].split() == ["toy.counts", "counts", "2"]
    assert tables.metrics(manifest.stages[0]).splitlines()[2].split() == ["bad_records", "0"]


def test_the_papers_steps_are_a_line_each_with_what_came_in_and_out_and_was_dropped_most(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [["a sea", "b c door", "sea door"]])
    manifest = builder.build(str(tmp_path / "root"), paths, until="toy.counts")
    paper = [
        PaperStep("1 words", ("toy.words",), "", "words", "12 words"),
        PaperStep("2 counts", ("toy.counts",), "other|words", "counts"),
        PaperStep("3 not built", ("toy.lengths",), "counts", "lengths"),
    ]
    lines = [line.split("  ") for line in tables.steps(manifest, paper).splitlines()]
    told = [[part.strip() for part in line if part.strip()] for line in lines]
    assert told[0] == ["step", "in", "out", "dropped most", "paper"]
    assert told[2:] == [["1 words", "words 4", "too_short 3", "12 words"], ["2 counts", "words 4", "counts 2"]]
