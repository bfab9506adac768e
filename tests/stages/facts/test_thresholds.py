from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.facts.relations.templates import load_relations
from stages.facts.thresholds import load_thresholds


def test_installed_thresholds_name_families_that_exist() -> None:
    found = load_thresholds()
    assert set(found.families) <= set(load_relations().families)
    assert all(0 < value < 1 for value in (found.default, *found.families.values()))
    assert found.of("no such family") == found.of(None) == found.default


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not YAML"),
        ("[]", "a mapping with version: 1"),
        ("version: 2", "a mapping with version: 1"),
        ("version: 1\ndefault: 0.5", "expected model"),
        ("version: 1\nmodel: m\ndefault: 2", "default: expected a number from 0 to 1, found 2"),
        ("version: 1\nmodel: m\ndefault: 0.5\nfamilies: {time: much}", r"families\.time: .*'much'"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "thresholds.yaml"
    path.write_text(content)
    with pytest.raises(StageError, match=message):
        load_thresholds(str(path))
