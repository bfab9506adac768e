"""Suggested commands can be pasted into a shell."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.cli.hints import command


@pytest.mark.parametrize(
    ("root", "text"),
    [
        ("out", "`benchwright show qampari`"),
        (None, "`benchwright show qampari`"),
        ("s3://bucket/x", "`benchwright show qampari --root s3://bucket/x`"),
        ("my builds", "`benchwright show qampari --root 'my builds'`"),
        ("it's; rm", """`benchwright show qampari --root 'it'"'"'s; rm'`"""),
    ],
)
def test_a_root_is_named_where_it_is_not_the_default(root: str | None, text: str) -> None:
    assert command("show", "qampari", root=root) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_a_shell_reads_back_what_was_meant(root: str) -> None:
    words = shlex.split(command("show", "qampari", root=root)[1:-1])
    assert words == ["benchwright", "show", "qampari", *(["--root", root] if root != "out" else [])]
