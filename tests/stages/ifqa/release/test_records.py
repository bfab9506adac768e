"""Released records of counterfactual questions: made, written, described and read again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from stages.ifqa.release.records import CounterfactualRecord, contexts, contexts_stage, release, stage
from stages.release.card import CardText
from stages.release.corpus import collect
from stages.release.export import Release, export_release
from stages.release.format import read_records
from tests.stages.ifqa.rows import question_row, question_table
from tests.stages.release.counterfactual_rows import QUESTIONS, finished
from tests.stages.release.test_corpus import shelf

TEXT = CardText("toy", "What would be.", "0.1.0", {"questions": "CC BY | ours"})
CORPUS = pa.Table.from_pylist(
    [
        {"passage": "Ann#0", "title": "Ann", "text": "Ann had it oiled."},
        {"passage": "Bo#0", "title": "Bo", "text": "Bo had not."},
    ]
)


def made(records: pa.Table | None = None, repeated: int = 0) -> Release:
    outside = contexts(question_table(*QUESTIONS)).tables["contexts"]
    collection = collect(shelf(CORPUS), outside)
    return release(finished() if records is None else records, replace(collection, repeated=repeated))


def test_answers_as_written_come_first_then_their_other_forms() -> None:
    dates, numbers, names = finished().to_pylist()
    assert dates["answers"] == ["July 1937", "1937-07"]
    assert (dates["kinds"], dates["canonical"]) == (["date", "date"], ["1937-07", "1937-07"])
    assert numbers["answers"][:2] == ["two", "2"] and numbers["written"] == ["two"]
    assert (names["kinds"], names["canonical"], names["refusals"]) == (["span"], ["Ann"], [None])
    assert [row["full"] for row in (dates, numbers, names)] == ["train", "dev", "test"]
    assert numbers["confirmed"] and not dates["confirmed"]


def test_passages_from_outside_are_called_by_their_text() -> None:
    [_, numbers, _] = finished().to_pylist()
    table = contexts(question_table(*QUESTIONS)).tables["contexts"].to_pylist()
    by_id = {row["passage"]: row for row in table}
    assert [by_id[passage]["text"] for passage in numbers["passages"]] == numbers["context"]
    assert [by_id[passage]["title"] for passage in numbers["passages"]] == ["Bridge", "Bridge"]
    assert len(table) == 4


def test_a_passage_of_the_corpus_keeps_its_id() -> None:
    row = question_row(passage="Bridge#2", title="Bridge")
    assert finished([row], [("train", "train")]).to_pylist()[0]["passages"] == ["Bridge#2"]
    assert contexts(question_table(row)).tables["contexts"].num_rows == 0


def test_a_page_that_one_question_knows_is_known_to_all_on_its_passage() -> None:
    rows = [question_row("If so?"), question_row("If not?", title="Bridge"), question_row("If ever?")]
    assert [row["title"] for row in contexts(question_table(*rows)).tables["contexts"].to_pylist()] == ["Bridge"]


def test_files(tmp_path: Path) -> None:
    out = tmp_path / "release"
    splits = [f"{config}/{split}" for config in ("few", "full") for split in ("dev", "test", "train")]
    names = ["README.md", "corpus.jsonl", "croissant.json", "queries.jsonl", "lm_eval/tasks.py"]
    names += [f"lm_eval/benchwright_toy_{config}.yaml" for config in ("few", "full")]
    names += [name for s in splits for name in (f"{s}.json", f"parquet/{s}.parquet", f"qrels/{s}.tsv")]
    assert [str(path.relative_to(out)) for path in export_release(made(), out, TEXT)] == sorted(names)
    [record] = read_records(out / "full" / "dev.json", CounterfactualRecord)
    assert (record.idx, record.context) == (1, ["Of six bridges two fell.", "Four were left."])
    assert read_records(out / "few" / "train.json", CounterfactualRecord) == [record]
    [row] = pq.read_table(out / "parquet" / "few" / "train.parquet").to_pylist()
    assert (row["kinds"], row["title"], row["confirmed"]) == (["number"], "Bridge", True)
    lines = [json.loads(line) for line in (out / "corpus.jsonl").read_text().splitlines()]
    assert [(line["_id"], line["title"]) for line in lines[:2]] == [("Ann#0", "Ann"), ("Bo#0", "Bo")]
    assert all(line["_id"].startswith("context:") for line in lines[2:])
    # The last question's passage is that of a page, which stands under the page's own id.
    assert (out / "qrels" / "full" / "test.tsv").read_text().splitlines()[1:] == ["2\tAnn#0\t1"]
    assert len((out / "qrels" / "few" / "train.tsv").read_text().splitlines()) == 3
    texts = [line["text"] for line in lines]
    assert len(set(texts)) == len(texts) == 5
    assert {text for row in QUESTIONS for text in row["context"]} <= set(texts)


def test_the_card_counts_and_names_its_files() -> None:
    card = made().card(TEXT)
    assert "| full | dev | 1 | 10.0 | 1.00 | 2.00 | 1.00 | 1 |" in card
    assert "Each text stands there once: 0 passages have" in card
    assert "once: 1,200 passages have" in made(repeated=1200).card(TEXT)
    assert "` has no" not in card
    told = made(finished().filter(pc.equal(finished()["full"], "train"))).card(TEXT)
    assert "`full` has no dev and no test set.\n" in told and "`few` has no" in told
    assert "Of 3 questions, people have confirmed 1, as they stood or with what they revised." in card
    assert "| date | 2 |" in card and "| questions | CC BY \\| ours |" in card
    assert "path: parquet/few/train.parquet" in card and "$" not in card


def test_the_stages_read_what_is_kept() -> None:
    assert stage().inputs == ("kept_questions", "normalised_answers", "question_splits")
    assert contexts_stage().inputs == ("kept_questions",)
