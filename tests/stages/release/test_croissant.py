"""croissant.json against a schema of its shape, and against the files that it describes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema_rs
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.musique.release.records import MultihopRecord
from stages.qampari.release.format import AnswersRecord
from stages.release.croissant import Described, croissant, record_set_name
from stages.release.format import Record, arrow_schema, notes_of
from stages.wiqa.release.records import ChoiceRecord

SCHEMA = json.loads(Path(__file__).with_name("croissant.schema.json").read_text())
KINDS = (AnswersRecord, ChoiceRecord, MultihopRecord)


def described(kind: type[Record]) -> Described:
    return Described("toy", "About it.", "0.1.0", ["CC0-1.0", "CC BY-SA 4.0", "CC0-1.0"], notes_of(kind))


def made(folder: Path, kind: type[Record]) -> dict[str, Any]:
    """Of a release with one empty split, a collection and judgements."""
    (folder / "parquet" / "full").mkdir(parents=True)
    (folder / "qrels").mkdir()
    pq.write_table(arrow_schema(kind).empty_table(), folder / "parquet" / "full" / "dev.parquet")
    pq.write_table(pa.table({"score": pa.array([0.5], pa.float32())}), folder / "beside.parquet")
    texts = {
        "corpus.jsonl": "{}\n",
        "queries.jsonl": "",
        "qrels/dev.tsv": "query-id\n",
        "README.md": "",
        "dev.jsonl": "",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    files = ["parquet/full/dev.parquet", "beside.parquet", *texts]
    digests = {name: sha256((folder / name).read_bytes()).hexdigest() for name in files}
    document: dict[str, Any] = json.loads(croissant(described(kind), folder, digests))
    return document


def leaves(fields: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for field in fields:
        yield from leaves(field["subField"]) if "subField" in field else [field]


def ids(fields: list[dict[str, Any]]) -> Iterator[str]:
    for field in fields:
        yield field["@id"]
        yield from ids(field.get("subField", []))


@pytest.mark.parametrize("kind", KINDS)
def test_its_shape(tmp_path: Path, kind: type[Record]) -> None:
    document = made(tmp_path, kind)
    jsonschema_rs.validator_for(SCHEMA).validate(document)
    assert document["license"] == ["CC BY-SA 4.0", "CC0-1.0"]
    places = [one["@id"] for one in document["distribution"]]
    assert places == ["beside.parquet", "corpus.jsonl", "parquet/full/dev.parquet", "qrels/dev.tsv", "queries.jsonl"]
    names = [one["@id"] for one in document["recordSet"]]
    assert names == ["beside", "corpus", "full-dev", "qrels-dev", "queries"]
    every = [*places, *names, *(name for one in document["recordSet"] for name in ids(one["field"]))]
    assert len(set(every)) == len(every)
    for one, place in zip(document["recordSet"], places, strict=True):
        assert {field["source"]["fileObject"]["@id"] for field in leaves(one["field"])} == {place}
    for one in document["distribution"]:
        path = tmp_path / one["contentUrl"]
        assert one["sha256"] == sha256(path.read_bytes()).hexdigest()
        assert one["contentSize"] == f"{path.stat().st_size} B"


def test_objects_have_fields_below_them_and_no_list_of_objects_within_another(tmp_path: Path) -> None:
    [split] = [one for one in made(tmp_path, AnswersRecord)["recordSet"] if one["@id"] == "full-dev"]
    answers = next(field for field in split["field"] if field["@id"] == "full-dev/answer_list")
    assert answers["repeated"] and answers["description"] == "every right answer"
    below = [field["@id"].rpartition("/")[2] for field in answers["subField"]]
    assert below == ["answer_text", "aid", "aliases", "answer_url"]
    aliases = answers["subField"][2]
    assert aliases["repeated"] and aliases["dataType"] == "sc:Text"
    assert aliases["source"] == {
        "fileObject": {"@id": "parquet/full/dev.parquet"},
        "extract": {"column": "answer_list"},
        "transform": [{"jsonPath": "aliases"}],
    }


def test_a_list_within_an_object_is_there(tmp_path: Path) -> None:
    [split] = [one for one in made(tmp_path, ChoiceRecord)["recordSet"] if one["@id"] == "full-dev"]
    found = {field["@id"]: field for field in leaves(split["field"])}
    choice = found["full-dev/question/choices/label"]
    assert choice["source"]["transform"] == [{"jsonPath": "choices"}, {"jsonPath": "label"}]
    assert found["full-dev/metadata/path_len"]["dataType"] == "sc:Integer"


def test_names_of_record_sets() -> None:
    paths = ("parquet/dev.parquet", "parquet/full/dev.parquet", "sidecar.parquet", "qrels/few/test.tsv", "corpus.jsonl")
    assert list(map(record_set_name, paths)) == ["dev", "full-dev", "sidecar", "qrels-few-test", "corpus"]
