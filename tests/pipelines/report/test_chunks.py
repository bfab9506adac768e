"""Records as scripts: nothing ends a script early, and every item is in the chunk that its number says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.lineage import Quote, Trail, TrailStep
from pipelines.report.chunks import FOLDER, Chunks, pieces, script

_TAKE = re.compile(r'benchwright\.take\("([a-z]+)",(\d+),(.*)\);\n', re.DOTALL)


def read(path: Path) -> Any:
    """What a script hands over."""
    match = _TAKE.fullmatch(path.read_text(encoding="utf-8"))
    assert match is not None
    return json.loads(match[3])


def trail(number: int, text: str = "text", picture: str = "") -> Trail:
    step = TrailStep("step", ("stage",), (("a", "b"),), (Quote(text, marks=((0, 2),)),), picture)
    return Trail(
        f"k{number}",
        f"r{number}",
        f"Question {number}?",
        ("yes",),
        "train" if number % 2 else "dev",
        "kind",
        ("x", f"t{number % 3}"),
        number == 0,
        (step,),
    )


@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner)))
def test_a_script_holds_its_content_and_no_sign_that_could_end_it(content: Any) -> None:
    text = script("trails", 3, content)
    assert not set("<>&\u2028\u2029") & set(text)
    match = _TAKE.fullmatch(text)
    assert match is not None and (match[1], match[2]) == ("trails", "3")
    assert json.loads(match[3]) == content


@given(st.text(), st.lists(st.integers(0, 30)))
def test_pieces_are_the_text_again(text: str, ends: list[int]) -> None:
    inside = sorted({end for end in ends if end <= len(text)})
    marks = list(zip(inside[::2], inside[1::2], strict=False))
    found = pieces(text, marks)
    assert "".join(found) == text and len(found) == 2 * len(marks) + 1
    assert found[1::2] == [text[start:end] for start, end in marks]


def test_every_record_is_in_the_chunk_that_the_summary_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.report.chunks._INDEX_ROWS", 4)
    monkeypatch.setattr("pipelines.report.chunks._BYTES", 700)
    chunks = Chunks(tmp_path)
    for number in range(11):
        chunks.add(trail(number, "x" * 50 * number, picture=f"<svg>{number // 4}</svg>"))
    chunks.finish("topic")
    folder = tmp_path / FOLDER
    summary = read(folder / "summary.js")
    assert (summary["count"], summary["tagName"]) == (11, "topic")
    assert summary["splits"] == [["dev", 6], ["train", 5]] and summary["kinds"] == [["kind", 11]]
    assert summary["tags"] == [["x", 11], ["t0", 4], ["t1", 4], ["t2", 3]]
    for series in ("index", "trails", "pictures"):
        starts = summary["starts"][series]
        parts = [read(folder / f"{series}-{place}.js") for place in range(len(starts))]
        assert starts == [sum(map(len, parts[:place])) for place in range(len(parts))]
        items = [item for part in parts for item in part]
        if series == "index":
            assert starts == [0, 4, 8]
            assert items[3] == ["k3", "Question 3?", "yes", 1, 1, 0, [0, 1], 0]
        elif series == "trails":
            assert len(starts) > 1
            assert [item["record"] for item in items] == [f"r{number}" for number in range(11)]
            assert [item["steps"][0]["picture"] for item in items] == [number // 4 for number in range(11)]
            assert items[1]["steps"][0]["quotes"] == [{"text": ["", "xx", "x" * 48]}]
        else:
            assert items == [f"<svg>{number}</svg>" for number in range(3)]
    assert sorted(path.suffix for path in folder.iterdir()) == [".js"] * len(list(folder.iterdir()))
