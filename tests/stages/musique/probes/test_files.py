"""Reading released multi-hop files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.musique.probes.files import ProbeError, read_file
from tests.stages.musique.probes.samples import PARAGRAPHS, cited, marked

QUESTION = "Where was the singer of Imagine born?"


def written(folder: Path, *records: Any, lines: bool = False) -> Path:
    path = folder / "records.json"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records), encoding="utf-8")
    return path


@pytest.mark.parametrize("lines", [False, True])
def test_both_shapes_say_the_same(tmp_path: Path, lines: bool) -> None:
    records = (marked("1", QUESTION, "Bergen", *PARAGRAPHS), cited("2", QUESTION, "Bergen", *PARAGRAPHS))
    found = read_file(written(tmp_path, *records, lines=lines))
    assert found.ids == ("1", "2")
    first, second = found.examples
    assert first == second
    assert first.support == (0, 2) and first.answers == ("Bergen",) and first.context[2].title == "Singer"


def test_aliases_count_and_unanswerable_records_are_left_out(tmp_path: Path) -> None:
    known = marked("1", QUESTION, "Bergen", *PARAGRAPHS, answer_aliases=["Bjørgvin", "Bergen"], answerable=True)
    found = read_file(written(tmp_path, known, known | {"answerable": False}))
    assert (found.unanswerable, found.examples[0].answers) == (1, ("Bergen", "Bjørgvin"))


def test_single_hops_have_one_paragraph(tmp_path: Path) -> None:
    found = read_file(
        written(tmp_path, {"id": 7, "question": "who", "answers": ["Bo", "Bob"], "paragraph": "Bo.", "title": None})
    )
    assert found.ids == ("7",)
    assert found.examples[0].answers == ("Bo", "Bob") and found.examples[0].support == (0,)


GOOD = marked("1", QUESTION, "Bergen", *PARAGRAPHS)
PARAGRAPH = GOOD["paragraphs"][0]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({**GOOD, "question": None}, "entry 1: Expected `str`, got `null` - at `$.question`"),
        ({**GOOD, "answer": 3}, "Expected `str`, got `int` - at `$.answer`"),
        ({**GOOD, "answer_aliases": "x"}, "Expected `array`, got `str` - at `$.answer_aliases`"),
        ({**GOOD, "paragraphs": {}}, "Expected `array`, got `object` - at `$.paragraphs`"),
        ({**GOOD, "paragraphs": [{"title": "a", "paragraph_text": "b"}]}, "`is_supporting` - at `$.paragraphs[0]`"),
        ({**GOOD, "paragraphs": [{"title": "a", "is_supporting": True}]}, "`paragraph_text` - at `$.paragraphs[0]`"),
        (
            {**GOOD, "paragraphs": [PARAGRAPH | {"is_supporting": 1}]},
            "Expected `bool`, got `int` - at `$.paragraphs[0]",
        ),
        (marked("1", QUESTION, "x", ("a", "b", False)), "no paragraph is marked as supporting"),
        ({**cited("1", "q", "x", *PARAGRAPHS), "context": [["a", "b"]]}, "Expected `array`, got `str` - at `$.context"),
        ({**cited("1", "q", "x", *PARAGRAPHS), "supporting_facts": ["a"]}, "at `$.supporting_facts[0]`"),
        ({key: GOOD[key] for key in ("id", "question", "paragraphs")}, "expected a text under 'answer', or a list"),
        ({**GOOD, "id": None}, "expected an id or _id"),
    ],
)
def test_other_shapes_are_refused_where_they_are(tmp_path: Path, record: dict[str, Any], said: str) -> None:
    with pytest.raises(ProbeError) as error:
        read_file(written(tmp_path, record))
    assert said in str(error.value) and "records.json" in str(error.value)


def test_repeated_ids_and_empty_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ProbeError, match="appears twice"):
        read_file(written(tmp_path, GOOD, GOOD))
    with pytest.raises(ProbeError, match="no answerable question"):
        read_file(written(tmp_path, {**GOOD, "answerable": False}))
