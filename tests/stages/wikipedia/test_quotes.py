"""Marks of bold and italic text."""

from __future__ import annotations

import pytest

from stages.wikipedia.quotes import strip_quotes


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("''Ulysses'' and '''Rome'''", "Ulysses and Rome"),
        ("''Ulysses'''s end", "Ulysses's end"),
        ("'''''both'''''", "both"),
        ("rock 'n' roll", "rock 'n' roll"),
        ("l'''Amour''", "l'Amour"),
    ],
)
def test_marks_are_gone_and_apostrophes_stay(line: str, text: str) -> None:
    assert strip_quotes(line) == text
