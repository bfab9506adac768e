"""A release of counterfactual questions in a folder: its files, its card, and what it does not overwrite."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from stages.contract import StageError
from stages.release.card import CardText
from stages.release.counterfactual_card import render_counterfactual_card
from stages.release.counterfactual_export import export_counterfactuals
from stages.release.counterfactual_records import contexts
from stages.release.counterfactuals import read_counterfactuals
from stages.release.format import ReleaseError
from tests.stages.counterfactuals.rows import question_table
from tests.stages.release.counterfactual_rows import QUESTIONS, finished

TEXT = CardText("toy", "What would be.", "0.1.0", {"questions": "CC BY | ours"})
CORPUS = pa.Table.from_pylist(
    [
        {"passage": "Ann#0", "title": "Ann", "text": "Ann had it oiled."},
        {"passage": "Bo#0", "title": "Bo", "text": "Bo had not."},
    ]
)


def export(folder: Path) -> list[Path]:
    outside = contexts(question_table(*QUESTIONS)).tables["contexts"]
    return export_counterfactuals(finished(), outside, [CORPUS], folder, "card")


def test_files(tmp_path: Path) -> None:
    out = tmp_path / "release"
    splits = [f"{config}/{split}" for config in ("few", "full") for split in ("dev", "test", "train")]
    names = ["README.md", "corpus.jsonl", *(f"{s}.json" for s in splits), *(f"parquet/{s}.parquet" for s in splits)]
    for _ in range(2):
        assert [str(path.relative_to(out)) for path in export(out)] == sorted(names)
    [record] = read_counterfactuals(out / "full" / "dev.json")
    assert (record.idx, record.context) == (1, ["Of six bridges two fell.", "Four were left."])
    assert read_counterfactuals(out / "few" / "train.json") == [record]
    [row] = pq.read_table(out / "parquet" / "few" / "train.parquet").to_pylist()
    assert (row["kinds"], row["title"], row["confirmed"]) == (["number"], "Bridge", True)


def test_the_corpus_holds_every_passage_once(tmp_path: Path) -> None:
    export(tmp_path / "release")
    lines = [json.loads(line) for line in (tmp_path / "release" / "corpus.jsonl").read_text().splitlines()]
    assert [(line["id"].partition(":")[0], line["title"]) for line in lines] == [
        ("Ann#0", "Ann"),
        ("Bo#0", "Bo"),
        *sorted((("context", line["title"]) for line in lines[2:]), key=lambda pair: 0),
    ]
    texts = [line["text"] for line in lines]
    assert len(set(texts)) == len(texts) == 5
    assert {text for row in QUESTIONS for text in row["context"]} <= set(texts)


def test_what_is_no_release_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(ReleaseError, match=r"holds thesis\.txt, which is no part of a release"):
        export(tmp_path)
    with pytest.raises((ReleaseError, StageError), match="not a folder"):
        export(tmp_path / "thesis.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_card_counts_and_names_its_files(tmp_path: Path) -> None:
    card = render_counterfactual_card(TEXT, finished())
    assert "| full | dev | 1 | 10.0 | 1.00 | 2.00 | 1.00 | 1 |" in card
    assert "Each text stands there once: 0 passages have" in card
    assert "once: 1,200 passages have" in render_counterfactual_card(TEXT, finished(), repeated=1200)
    assert "` has no" not in card
    train = finished().filter(pc.equal(finished()["full"], "train"))
    told = render_counterfactual_card(TEXT, train)
    assert "`full` has no dev and no test set.\n" in told and "`few` has no" in told
    assert "Of 3 questions, people have confirmed 1, as they stood or with what they revised." in card
    assert "| date | 2 |" in card and "| questions | CC BY \\| ours |" in card
    assert "    path: parquet/few/train.parquet" in card and "$" not in card
    template = tmp_path / "card.md"
    template.write_text("$nothing")
    with pytest.raises(ReleaseError, match="cannot be filled in"):
        render_counterfactual_card(TEXT, finished(), template)
