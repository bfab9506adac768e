"""Loads a release with the field's own tools and says what each found, as JSON; run by their Python: FOLDER."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import datasets
import mlcroissant
from beir.datasets.data_loader import GenericDataLoader
from huggingface_hub import DatasetCard

folder = Path(sys.argv[1])
place = str(folder)
found: dict[str, object] = {"licence": DatasetCard.load(folder / "README.md").data.license}
for config in datasets.get_dataset_config_names(place):
    found[f"datasets {config}"] = {name: rows.num_rows for name, rows in datasets.load_dataset(place, config).items()}
for path in sorted(folder.glob("*.jsonl")):
    found[f"json {path.stem}"] = datasets.load_dataset("json", data_files=str(path))["train"].num_rows
for path in sorted(folder.glob("qrels/**/*.tsv")):
    qrels = path.parent.relative_to(folder)
    corpus, queries, relevant = GenericDataLoader(place, qrels_folder=str(qrels)).load(path.stem)
    assert set(relevant) <= set(queries)
    assert all(set(passages) <= set(corpus) for passages in relevant.values())
    found[f"beir {qrels / path.stem}"] = [len(corpus), len(relevant), sum(map(len, relevant.values()))]
described = mlcroissant.Dataset(str(folder / "croissant.json"))
for record_set in described.metadata.record_sets:
    found[f"croissant {record_set.uuid}"] = len(list(described.records(record_set.uuid)))
print(json.dumps(found))
