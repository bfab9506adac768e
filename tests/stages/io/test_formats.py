"""Formats of other packages; a package that has one is built in tests/examples."""

from __future__ import annotations

from importlib import metadata

import pytest

from stages.core.contract import StageError
from stages.io import formats as module
from stages.io.formats import ENTRY_POINTS, Format, formats


def test_nothing_is_registered_here() -> None:
    assert formats() == {}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("stages.io.formats:NOTHING", "registered as source 'sheet': module"),
        ("stages.io.formats:ENTRY_POINTS", "expected a Format of stages.io.formats, of the kind pages or wikidata"),
        ("nowhere:FORMAT", "No module named 'nowhere'"),
    ],
)
def test_what_is_registered_wrongly_is_named(monkeypatch: pytest.MonkeyPatch, value: str, message: str) -> None:
    point = metadata.EntryPoint("sheet", value, ENTRY_POINTS)
    monkeypatch.setattr(module.metadata, "entry_points", lambda group: [point])
    with pytest.raises(StageError, match=message):
        formats()


def test_a_format_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Format("pages", lambda head: True, lambda paths: None)  # type: ignore[arg-type, return-value]
    monkeypatch.setattr(module, "_load", lambda found: made)
    points = [metadata.EntryPoint(name, "x:y", ENTRY_POINTS) for name in ("b", "a")]
    monkeypatch.setattr(module.metadata, "entry_points", lambda group: points)
    assert list(formats()) == ["a", "b"]
