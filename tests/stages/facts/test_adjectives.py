"""Adjectives of places."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.facts.adjectives import FILE, digests, of_another_state, places


def test_an_adjective_has_one_place() -> None:
    assert (places()["American"], places()["Danish"]) == ("the United States", "Denmark")
    assert set(digests()) == {FILE}


@pytest.mark.parametrize(
    "text", ["[]", "version: 2\nplaces: {}", "version: 1\nplaces: [a]", "version: 1\nplaces: {A: 1}"]
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "adjectives.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(StageError, match=r"adjectives\.yaml: expected version 1"):
        places(tmp_path / "adjectives.yaml")


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("Germany", "Weimar Republic", True),
        ("Italy", "Kingdom of Italy", True),
        ("India", "British India", True),
        ("China", "Republic of China (1912–1949)", True),
        ("China", "People's Republic of China", False),
        ("Ireland", "Republic of Ireland", False),
        ("United States", "United States of America", False),
        ("Germany", "Germany", False),
        ("Germany", "Germany men's national football team", False),
        ("GDR", "German Democratic Republic", False),
    ],
)
def test_a_state_of_today_is_no_other_that_bore_its_name(name: str, label: str, expected: bool) -> None:
    assert of_another_state(name, label) is expected
