"""What a card says about loading fits what the release holds."""

from __future__ import annotations

from stages.release.loading import loading


def test_a_line_for_each_tool_that_finds_something() -> None:
    assert loading({"": ["train", "dev"]}, {}, []).splitlines() == [
        '    datasets.load_dataset("FOLDER", split="dev")',
        '    mlcroissant.Dataset("FOLDER/croissant.json")',
    ]
    lines = loading({"full": ["test"], "few": ["dev"]}, {"full": ["dev", "test"]}, ["a", "b"]).splitlines()
    assert lines == [
        '    datasets.load_dataset("FOLDER", "full", split="test")',
        '    beir.datasets.data_loader.GenericDataLoader("FOLDER", qrels_folder="qrels/full").load("test")',
        '    datasets.load_dataset("json", data_files="FOLDER/corpus.jsonl")',
        '    mlcroissant.Dataset("FOLDER/croissant.json")',
        "    lm_eval --include_path FOLDER/lm_eval --tasks a,b --model hf ...",
    ]
