"""Titles out of files: lines, JSON lines, and what is neither."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from stages.normalise import normalise
from stages.normalise.title_files import read_titles


def reasons(path: Path) -> list[tuple[str, str]]:
    return [(row["key"], row["reason"]) for row in read_titles(str(path)).rejects.to_pylist()]


def test_a_title_a_line(tmp_path: Path) -> None:
    path = tmp_path / "titles.txt"
    path.write_text("\ufeffgolden_Gate Bridge\r\n\nMercury (planet)\nMercury (element)\n", encoding="utf-8")
    titles, rejects = read_titles(str(path))
    assert titles.pages == {"Golden Gate Bridge", "Mercury (planet)", "Mercury (element)"}
    assert rejects.num_rows == 0
    found = normalise("golden gate bridge", titles=titles)
    assert (str(found.kind), found.value) == ("entity", "Golden Gate Bridge")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_prepared_pages_and_redirects(tmp_path: Path, pack: type[bytes]) -> None:
    path = tmp_path / "pages.jsonl"
    rows = [
        {"title": "Golden Gate Bridge", "text": "It spans the strait."},
        {"from": "GG Bridge", "to": "Golden Gate Bridge"},
        {"title": "Mercury", "text": "Mercury may refer to:\n* Mercury (planet)"},
    ]
    path.write_bytes(pack("\n".join(map(json.dumps, rows)).encode()))
    titles, _ = read_titles(str(path))
    assert normalise("GG Bridge", titles=titles).value == "Golden Gate Bridge"
    assert normalise("Mercury", titles=titles).refusal == "disambiguation"


def test_what_is_no_title_is_rejected_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hostile"
    lines = [b"Ann", b"<script>", b"\xff\xfe", b"a\x00b", b"x" * 300, b"y" * 70_000, b"Bo"]
    path.write_bytes(b"\n".join(lines))
    assert read_titles(str(path)).titles.pages == {"Ann", "Bo"}
    assert reasons(path) == [
        ("line 2", "bad_title"),
        ("line 3", "bad_encoding"),
        ("line 4", "bad_title"),
        ("line 5", "bad_title"),
        ("line 6", "oversized_line"),
    ]


def test_hostile_json(tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    path.write_text('{"title": "Ann", "text": "She."}\n[1]\n{"title": 7}\n{"title": "Bo", "te')
    assert read_titles(str(path)).titles.pages == {"Ann"}
    assert sorted(reason for _, reason in reasons(path)) == ["bad_row", "no_title", "truncated_input"]


def test_an_empty_file_has_no_titles(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    titles, rejects = read_titles(str(tmp_path / "empty"))
    assert not titles.pages and rejects.num_rows == 0
