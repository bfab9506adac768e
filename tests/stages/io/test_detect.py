"""Input files are told apart by what they hold, whatever they are called."""

from __future__ import annotations

import bz2
import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.io import detect as detect_module
from stages.io.column_names import ColumnNames
from stages.io.detect import (
    ANNOTATIONS,
    ASKED,
    GRAPHS,
    HOPS,
    MEDIAWIKI,
    PAGES,
    PARAGRAPHS,
    READABLE,
    REDIRECTS,
    SIMPLE_ENTITIES,
    TRIPLES,
    UNKNOWN,
    WIKIDATA,
    SourceError,
    detect,
    kind_of,
)

ENTITY = {"type": "item", "id": "Q1", "labels": {}, "claims": {}}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("[\n" + json.dumps(ENTITY) + ",\n]\n", WIKIDATA),
        (json.dumps([ENTITY]), WIKIDATA),
        (json.dumps({"entities": {"Q1": ENTITY}}, indent=2), WIKIDATA),
        ("{broken\n" + json.dumps(ENTITY) + "\n", WIKIDATA),
        ('<?xml version="1.0"?>\n<mediawiki xmlns="x"><siteinfo/></mediawiki>', MEDIAWIKI),
        ("<!DOCTYPE lolz []><mediawiki/>", MEDIAWIKI),
        ('{"title": "A", "qid": null, "text": "B"}\n', PAGES),
        ('{"from": "A", "to": "B"}\n', REDIRECTS),
        ('{"P6": {"label": "head of government"}}', UNKNOWN),
        ('{"para_id": "4", "sentence_texts": ["Plants die."], "participants": [], "states": []}', PARAGRAPHS),
        ('[\n{\n"para_id": "4",\n"topic": "oil",\n"prompt": "How?"\n}\n]', PARAGRAPHS),
        ('{"para_id": "1", "X": "rain", "para_outcome_accelerate": "MORE", "paragraph": "It rains."}', GRAPHS),
        ('{"graphs": [{"para_id": "1"}], "questions": []}', GRAPHS),
        ('{\n "graphs": [\n  {"para_outcome_accelerate": "MORE"' + 70_000 * " " + "}]}", GRAPHS),
        ('{"task": "0a", "worker": "ann", "answers": {}}', ANNOTATIONS),
        ('[{"id": 1, "annotations": [], "data": {"task": "0a", "title": "A", "text": "B"}}]', ANNOTATIONS),
        ('[{"id": 1, "annotations": [{"completed_by": 1}], "data": {"title": "' + 70_000 * "x" + '"}}]', ANNOTATIONS),
        ('"HITId","AssignmentId","WorkerId","Input.task"\n"1","2","3","4"\n', ANNOTATIONS),
        ('[{"idx": 0, "question": "If so?", "answers": ["yes"], "context": ["So."]}]', ASKED),
        ('{"question": "If so?", "answers": "yes", "passage": "So.", "title": "A"}', ASKED),
        ('[{"question": "If so?", "answers": ["yes"], "context": ["' + 70_000 * "x" + '"]}]', ASKED),
        ('{"question": "Who?", "answer": "Ann"}', UNKNOWN),
        ("just text", UNKNOWN),
        ("para_id,topic\n4,oil\n", UNKNOWN),
        ("subject,property,object\nA,league,B\n", TRIPLES),
        ("Subject\tPredicate\tValue\nA\tleague\tB\n", TRIPLES),
        ('{"head": "A", "relation": "league", "tail": "B"}\n', TRIPLES),
        ('"name";"body"\r\n"A";"B"\r\n', PAGES),
        ('{"name": "A", "content": "B"}\n', PAGES),
        ('{"id": "Q1", "labels": {"en": "A"}, "claims": {"P31": ["Q5"]}}', SIMPLE_ENTITIES),
        ('{"label": "A", "claims": {"league": "B"}}', SIMPLE_ENTITIES),
        ('{"id": "Q1", "labels": {"en": {"value": "A"}}, "claims": []}', WIKIDATA),
        ("0\t1\t2\t3\n", HOPS),
        ("", UNKNOWN),
        ("<html></html>", UNKNOWN),
    ],
)
def test_kinds(tmp_path: Path, content: str, kind: str) -> None:
    for number, data in enumerate((content.encode(), gzip.compress(content.encode()), bz2.compress(content.encode()))):
        path = tmp_path / f"file{number}"
        path.write_bytes(data)
        assert kind_of(str(path)) == kind


def test_columns_that_the_user_has_mapped(tmp_path: Path) -> None:
    (tmp_path / "pages.csv").write_text("club,about\nA,B\n")
    assert kind_of(str(tmp_path / "pages.csv")) == UNKNOWN
    mapped = ColumnNames({"club": "title", "about": "text"})
    assert detect([str(tmp_path)], mapped).of(PAGES) == (f"{tmp_path}/pages.csv",)
    (tmp_path / "pages.csv").write_text('{"club": "A", "about": "B"}\n')
    assert kind_of(str(tmp_path / "pages.csv"), mapped) == PAGES


def test_a_parquet_file_is_prepared_pages(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    pq.write_table(pa.table({"title": ["A"], "text": ["B"]}), path)
    assert kind_of(str(path)) == PAGES


def test_a_cut_file_is_still_known_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "cut.json.gz"
    lines = "".join(json.dumps({**ENTITY, "id": f"Q{n}"}) + "\n" for n in range(20_000))
    path.write_bytes(gzip.compress(lines.encode())[:30_000])
    assert kind_of(str(path)) == WIKIDATA


def test_a_folder_stands_for_its_files_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "inner.json").write_text(json.dumps(ENTITY), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(ENTITY), encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"title": "A", "text": "B"}', encoding="utf-8")
    (tmp_path / ".hidden").write_text("x", encoding="utf-8")
    found = detect([str(tmp_path)])
    assert found.of(WIKIDATA) == (f"{tmp_path}/b.json",)
    assert found == detect([f"{tmp_path}/b.json", f"{tmp_path}/a.jsonl"])
    with pytest.raises(SourceError, match="no MediaWiki dump among the sources given; or --source mediawiki:URL"):
        found.need("MediaWiki dump", MEDIAWIKI)


def test_files_that_the_user_names_are_added_to_their_kind() -> None:
    found = detect([]).plus(ANNOTATIONS, ["b.jsonl", "a.json"]).plus(ANNOTATIONS, ["b.jsonl"])
    assert found.of(ANNOTATIONS) == ("a.json", "b.jsonl")


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere: no such file or folder; give paths, or 'sample'"):
        detect([str(tmp_path / "nowhere")])
    with pytest.raises(SourceError, match="the folder holds no files"):
        detect([str(tmp_path)])
    with pytest.raises(SourceError, match="unknown scheme 'ftp'"):
        detect(["ftp://host/file"])


def test_the_real_extract(shared_data: Path) -> None:
    found = detect([str(shared_data / "wikidata")])
    names = {kind: [Path(path).name for path in paths] for kind, paths in found.paths.items()}
    assert names == {
        WIKIDATA: ["entities.json.gz"],
        PAGES: ["pages.jsonl.gz"],
        REDIRECTS: ["redirects.jsonl.gz"],
        UNKNOWN: ["properties.json.gz"],
    }


def test_every_kind_has_a_name_for_messages() -> None:
    kinds = {value for name, value in vars(detect_module).items() if name.isupper() and isinstance(value, str)}
    assert kinds == set(READABLE) and ASKED in kinds


def test_a_pipe_and_a_name_that_is_no_text_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="pipe: neither a file nor a folder; a pipe can be read only once"):
        detect([str(tmp_path / "pipe")])
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.xml")).touch()
    with pytest.raises(SourceError, match=r"the name of the file b'caf\\xe9.xml' is not UTF-8; rename it"):
        detect([str(tmp_path)])


@pytest.mark.parametrize(
    "text", ['{"a":' * 100_000, "[" * 100_000, '{"a":[' * 50_000], ids=["objects", "lists", "both"]
)
def test_what_is_nested_without_end_is_nothing_that_a_build_reads(tmp_path: Path, text: str) -> None:
    (tmp_path / "deep.json").write_text(text)
    assert kind_of(str(tmp_path / "deep.json")) == UNKNOWN


def test_a_short_first_stream_hides_nothing(tmp_path: Path) -> None:
    entity = json.dumps(ENTITY).encode()
    (tmp_path / "dump.gz").write_bytes(gzip.compress(b"[") + gzip.compress(b"\n") + gzip.compress(entity + b"\n]"))
    (tmp_path / "batch.gz").write_bytes(gzip.compress(b'"') + gzip.compress(b'AssignmentId","WorkerId"\n'))
    assert kind_of(str(tmp_path / "dump.gz")) == WIKIDATA
    assert kind_of(str(tmp_path / "batch.gz")) == ANNOTATIONS
