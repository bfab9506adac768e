from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from stages.core.contract import StageError
from stages.facts.calibration.labelled import Labelled, read_labelled

ROW: dict[str, Any] = {"subject": "S", "object": "O", "property": "P57", "premise": "One. Two.", "stated": 1}


def test_all_that_a_row_may_say_is_read(tmp_path: Path) -> None:
    row = Labelled("S", "O", "P57", "é. Two.", True, "Two.", "kind", "doc", ("S",), ("O", "Ö"))
    (tmp_path / "rows.jsonl").write_text(json.dumps(asdict(row), ensure_ascii=False), encoding="utf-8")
    assert read_labelled(tmp_path / "rows.jsonl") == [row]


def test_defaults(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n\n" + json.dumps(ROW | {"stated": 0}) + "\n")
    first, second = read_labelled(path)
    assert (first.sentence, first.kind, first.stated, second.stated) == ("One. Two.", "", True, False)
    assert first.group != second.group


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "expected an object"),
        (json.dumps(ROW | {"subject": ""}), "subject: expected a text"),
        (json.dumps(ROW | {"stated": "yes"}), "stated: expected 1 or 0, found 'yes'"),
        (json.dumps(ROW | {"object_names": "O"}), "object_names: expected a list of texts"),
    ],
)
def test_the_first_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + line + "\n")
    with pytest.raises(StageError, match=rf"rows\.jsonl:2: {message}"):
        read_labelled(path)
