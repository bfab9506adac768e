"""Tests of stages.core.strict_yaml."""

from __future__ import annotations

import pytest

from stages.core.strict_yaml import parse


def test_plain_documents_are_read() -> None:
    assert parse("a: 1\nb: {c: [x, 'y']}\n") == {"a": 1, "b": {"c": ["x", "y"]}}
    assert parse("") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: 'a' stands twice \\(first on line 1\\)"),
        ("x:\n  a: 1\n  a: 1\n", "line 3: 'a' stands twice \\(first on line 2\\)"),
        ("a: !!python/object/apply:os.getcwd []\n", "line 1: could not determine a constructor"),
        ("a: [1\n", "line 2: "),
        ("a: 1\n---\nb: 2\n", "line 2: "),
        ("? [a]\n: 1\n", "line 1: a key is plain text or a number, not list"),
    ],
)
def test_anything_else_is_an_error_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(text)
