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


@pytest.mark.parametrize("text", ["!!bool x", "!!timestamp x", "a: !!bool 1", "!!python/name:os.system", "!other 1"])
def test_a_tag_that_does_not_fit_or_is_unknown_is_no_yaml_of_ours(text: str) -> None:
    with pytest.raises(ValueError, match="a value is not what its tag says|could not determine a constructor"):
        parse(text)


@pytest.mark.parametrize("text", ["[" * 101 + "]" * 101, "[" * 900 + "]" * 900, "&a [*a]"])
def test_what_is_nested_without_end_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="nested more than 100 deep"):
        parse(text)


def test_what_aliases_name_again_and_again_is_looked_into_once() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60))]
    assert parse("\n".join(lines))["a1"] == [["x"]] * 9
    assert parse("[" * 100 + "]" * 100) is not None
