"""Prepared pages: JSON lines and Parquet, bad lines among good ones."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from backports import zstd

from stages.core.memory import InMemory
from stages.io.column_names import ColumnNames
from stages.wikipedia.pages import stage
from stages.wikipedia.prepared import PreparedPages

ROWS = [
    {"title": "A", "qid": "Q1", "text": "Text of A.", "license": "CC BY-SA 4.0"},
    {"title": "B", "qid": None, "text": "Text of B."},
    {"from": "a", "to": "A"},
]


def rows_of(*paths: Path, **options: Any) -> list[dict[str, Any]]:
    source = PreparedPages([str(path) for path in paths], **options)
    return [row for part in source.parts() for table in source.read(part) for row in table.to_pylist()]


def summary(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["title"], row["qid"], row["text"], row["redirect"], row["error"]) for row in rows]


EXPECTED = [
    ("A", "Q1", "Text of A.", None, None),
    ("B", None, "Text of B.", None, None),
    ("a", None, None, "A", None),
]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zstd.compress])
def test_json_lines_in_every_compression(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "pages"
    path.write_bytes(pack("\n".join(json.dumps(row) for row in ROWS).encode()))
    assert summary(rows_of(path)) == EXPECTED
    assert summary(rows_of(path, part_bytes=20)) == EXPECTED
    assert PreparedPages([str(path)]).licences() == {"prepared pages": "CC BY-SA 4.0"}


def test_many_licences_are_a_table_and_a_short_text(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    rows = ({"title": f"T{n}", "text": "A page.", "licence": f"licence {n:05}"} for n in range(30_000))
    path.write_text("\n".join(map(json.dumps, rows)))
    source = PreparedPages([str(path)])
    [said] = source.licences().values()
    assert len(said) < 300 and " | and 29,988 more (all: table licences, " in said
    listed = InMemory().run(stage(source)).tables["licences"]
    assert listed.num_rows == 30_000 and set(listed["pages"].to_pylist()) == {1}


def test_a_file_that_ends_inside_a_line_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "pages"
    text = "\n".join(json.dumps(row) for row in ROWS)
    path.write_text(text[:-3])
    *whole, cut = rows_of(path)
    assert summary(whole) == EXPECTED[:2]
    assert cut["error"].startswith("truncated_input: ")
    # With a line break behind it the line is broken, and nothing says that the file was cut.
    path.write_text(f"{text[:-3]}\n")
    assert rows_of(path)[-1]["error"].startswith("broken_json: ")


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "pages"
    pq.write_table(
        pa.Table.from_pylist([dict.fromkeys(("title", "qid", "text", "from", "to", "license")) | row for row in ROWS]),
        path,
    )
    assert summary(rows_of(path, part_bytes=20)) == EXPECTED
    assert PreparedPages([str(path)]).licences() == {"prepared pages": "CC BY-SA 4.0"}
    path.write_bytes(path.read_bytes()[:-30])
    [row] = rows_of(path)
    assert row["error"].startswith("bad_parquet: ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"title": "A", "text": ', "broken_json"),
        (b'{"title": "A", "text": "\xff\xfe"}', "broken_json"),
        (b"[" * 5000, "broken_json"),
        (b'["A", "text"]', "bad_row"),
        (b'{"text": "no title"}', "no_title"),
        (b'{"title": 5, "text": "x"}', "no_title"),
        (b'{"title": "A", "text": 5}', "bad_row"),
        (b'{"title": "A", "text": "x", "page_id": true}', "bad_row"),
        (b'{"title": "A", "text": "x", "page_id": 99999999999999999999}', "bad_row"),
        (b'{"title": "A", "text": "x", "qid": "P31"}', "bad_qid"),
        (b'{"from": "A"}', "bad_row"),
    ],
)
def test_a_bad_line_is_one_error_row(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "pages.jsonl"
    good = json.dumps(ROWS[0]).encode()
    path.write_bytes(good + b"\n" + line + b"\n\n" + good)
    rows = rows_of(path)
    assert [(row["error"] or "").partition(":")[0] for row in rows] == ["", reason, ""]


def test_real_pages_and_redirects(shared_data: Path) -> None:
    folder = shared_data / "wikidata"
    source = PreparedPages([str(folder / "pages.jsonl.gz"), str(folder / "redirects.jsonl.gz")])
    rows = [row for part in source.parts() for table in source.read(part) for row in table.to_pylist()]
    assert sum(row["redirect"] is None for row in rows) == 33_694
    assert sum(row["redirect"] is not None for row in rows) == 102
    assert sum(row["error"] is not None for row in rows) == 0
    assert set(source.identity()) == {"pages.jsonl.gz", "redirects.jsonl.gz"}
    assert "CC BY-SA 4.0 (Wikipedia)" in source.licences()["prepared pages"]


def test_one_bad_byte_in_a_table_is_one_reject(tmp_path: Path) -> None:
    texts = pa.array([b"fine", b"caf\xe9", b"fine too"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"title": ["A", "B", "C"], "text": texts}), tmp_path / "pages.parquet")
    rows = rows_of(tmp_path / "pages.parquet")
    assert [row["title"] for row in rows] == ["A", None, "C"]
    assert rows[1]["error"] == "bad_encoding: text is not UTF-8 (unexpected end of data) | caf\ufffd"


CSV = """name,body,link,license,revid,timestamp,qid
A,Text of A.,https://my.org/a,CC0-1.0,7,2026-01-02,Q1
B,Text of B.,,,,,
"""


def test_csv_with_usual_names_tells_where_its_pages_come_from(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text(CSV, encoding="utf-8")
    assert summary(rows_of(path)) == [("A", "Q1", "Text of A.", None, None), ("B", None, "Text of B.", None, None)]
    origins = [tuple(row[name] for name in ("url", "licence", "revision", "date")) for row in rows_of(path)]
    assert origins == [(None, "CC0-1.0", "7", "2026-01-02"), (None,) * 4]
    mapped = ColumnNames({"link": "url"})
    assert [row["url"] for row in rows_of(path, columns=mapped)] == ["https://my.org/a", None]
    assert PreparedPages([str(path)]).licences() == {"prepared pages": "CC0-1.0"}


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv"])
def test_mapped_columns_in_every_form(tmp_path: Path, form: str) -> None:
    path, row = tmp_path / "pages", {"club": "A", "about": "Text of A.", "terms": "CC0-1.0"}
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist([row]), path)
    else:
        cells = ["club,about,terms", ",".join(row.values())]
        path.write_text(json.dumps(row) if form == "jsonl" else "\n".join([*cells, ""]), encoding="utf-8")
    columns = ColumnNames({"club": "title", "about": "text", "terms": "licence"})
    assert summary(rows_of(path, columns=columns)) == [("A", None, "Text of A.", None, None)]
    assert PreparedPages([str(path)], columns).licences() == {"prepared pages": "CC0-1.0"}


@pytest.mark.parametrize("url", ["javascript:alert(1)", "/wiki/A", "https://my.org/a b", "https://my.org/<b>", 7])
def test_what_is_no_address_is_refused(tmp_path: Path, url: object) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"title": "A", "text": "B", "url": url}), encoding="utf-8")
    [row] = rows_of(path)
    assert row["error"].startswith("bad_url: ")
