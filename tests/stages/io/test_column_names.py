"""Columns of simple files by their usual names, and by those that a user has mapped."""

from __future__ import annotations

import pytest

from stages.io.column_names import PAGE, TRIPLE, USUAL, ColumnNames


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["title", "text"], {"title": "title", "text": "text"}),
        (["\ufeffName", "Page Text", "URI"], {"title": "\ufeffName", "text": "Page Text", "url": "URI"}),
        (["title", "name", "body"], {"title": "title", "text": "body"}),
        (["license", "licence"], {"licence": "licence"}),
        (["subject", "object"], {}),
    ],
)
def test_usual_names(names: list[str], found: dict[str, str]) -> None:
    assert USUAL.find(names, PAGE) == found


def test_what_is_mapped_wins() -> None:
    columns = ColumnNames({"club": "subject", "what": "property", "text": "object"})
    assert columns.find(["what", "text", "club", "value"], TRIPLE) == {
        "subject": "club",
        "property": "what",
        "object": "text",
    }
    assert ColumnNames({"summary": "text"}).find(["title", "text", "summary"], PAGE)["text"] == "summary"
