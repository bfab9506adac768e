"""A release of composed questions on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from stages.composition.tables import COMPOSED_QUESTIONS
from stages.release.card import CardText
from stages.release.format import ReleaseError
from stages.release.multihop import iterate_multihop
from stages.release.multihop_card import render_multihop_card
from stages.release.multihop_export import export_multihop
from stages.release.multihop_records import COMPOSITIONS, MULTIHOP_RECORDS, records
from tests.stages.composition.world import ADA, ADA_ANSWERS, contexts_table, graph, hops_table

COUNT = 12


def tables() -> tuple[pa.Table, pa.Table]:
    """Questions of dev, and one of test without a contrast."""
    rows = [graph("2hop", ADA, ADA_ANSWERS, f"h{number}") for number in range(COUNT)]
    wording = {"form": "phrase", "mechanical_question": "Which?", "confirmed": False}
    questions = COMPOSED_QUESTIONS.table(
        [
            {"graph": row["graph"], "question": "Which?", "mechanical": number > 0} | wording
            for number, row in enumerate(rows)
        ]
    )
    shown = [contexts_table(row, missing=1) for row in rows[1:]]
    contexts = pa.concat_tables([contexts_table(rows[0], "test"), *shown])
    output = records(questions, hops_table(*rows), contexts)
    return output.tables[MULTIHOP_RECORDS.name], output.tables[COMPOSITIONS.name]


def test_both_benchmarks_lie_in_one_folder(tmp_path: Path) -> None:
    found, compositions = tables()
    files = export_multihop(found, compositions, tmp_path / "release", "# card\n")
    names = [str(path.relative_to(tmp_path / "release")) for path in files]
    assert names == [
        "README.md",
        "ans/dev.jsonl",
        "ans/test.jsonl",
        "compositions.parquet",
        "full/dev.jsonl",
        "full/test.jsonl",
        "parquet/ans/dev.parquet",
        "parquet/ans/test.parquet",
        "parquet/full/dev.parquet",
        "parquet/full/test.parquet",
    ]
    ans = list(iterate_multihop(tmp_path / "release/ans/dev.jsonl"))
    full = list(iterate_multihop(tmp_path / "release/full/dev.jsonl"))
    assert all(record.answerable for record in ans)
    assert len(full) == 2 * len(ans) == 2 * (COUNT - 1)
    nested = pq.read_table(tmp_path / "release/parquet/full/dev.parquet").to_pylist()
    lines = (tmp_path / "release/full/dev.jsonl").read_text().splitlines()
    assert nested == [json.loads(line) for line in lines]


def test_the_order_of_a_pair_tells_nothing_and_depends_on_no_order_of_rows(tmp_path: Path) -> None:
    found, compositions = tables()
    turned = found.take(list(reversed(range(found.num_rows))))
    export_multihop(found, compositions, tmp_path / "a", "")
    export_multihop(turned, compositions, tmp_path / "b", "")
    assert (tmp_path / "a/full/dev.jsonl").read_bytes() == (tmp_path / "b/full/dev.jsonl").read_bytes()
    ids = [record.id for record in iterate_multihop(tmp_path / "a/full/dev.jsonl")]
    assert ids[::2] == ids[1::2]
    first = [record.answerable for record in iterate_multihop(tmp_path / "a/full/dev.jsonl")][::2]
    assert set(first) == {True, False}


def test_only_an_earlier_release_is_replaced(tmp_path: Path) -> None:
    found, compositions = tables()
    export_multihop(found, compositions, tmp_path / "release", "1")
    export_multihop(found, compositions, tmp_path / "release", "2")
    assert (tmp_path / "release/README.md").read_text() == "2"
    (tmp_path / "release/notes.txt").write_text("mine")
    with pytest.raises(ReleaseError, match=r"notes\.txt"):
        export_multihop(found, compositions, tmp_path / "release", "3")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ReleaseError, match="not a folder"):
        export_multihop(found, compositions, tmp_path / "file", "3")


def test_the_card_counts_what_is_there() -> None:
    _, compositions = tables()
    text = CardText("musique", "About it.", "0.1", {"single hops": "CC0 | all"})
    card = render_multihop_card(text, compositions)
    head = yaml.safe_load(card.split("---")[1])
    assert [config["config_name"] for config in head["configs"]] == ["ans", "full"]
    assert [entry["split"] for entry in head["configs"][0]["data_files"]] == ["dev", "test"]
    assert f"| dev | {COUNT - 1} | {COUNT - 1} | 0 | 0 | {COUNT - 1} | 0 |" in card
    assert "| test | 1 | 1 | 0 | 0 | 0 | 1 |" in card
    assert f"| shape | dev | test |\n|---|---:|---:|\n| 2hop | {COUNT - 1} | 1 |\n\nOf" in card
    assert "This release has no train set." in card and "Train shares" not in card
    assert f"| squad | {2 * COUNT} |" in card
    assert "CC0 \\| all" in card
