from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stages.io.detect import HOPS, kind_of
from stages.musique.hop_sources import neutral
from stages.musique.single_hops.stated import Stated
from tests.stages.musique.single_hops.files import NEUTRAL, read, write


def test_the_neutral_shape(tmp_path: Path) -> None:
    path = write(tmp_path / "n.jsonl", NEUTRAL, NEUTRAL | {"answers": ["Lennon", "J. Lennon", " J. Lennon"]})
    found, reasons = read(path)
    assert reasons == {}
    assert [(row["source"], row["answer_aliases"]) for row in found] == [("my-set", []), ("my-set", ["J. Lennon"])]
    assert found[0]["content"] == found[1]["content"]
    assert kind_of(str(path)) == HOPS


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("{broken", "broken_json"),
        ([1], "not_an_object"),
        ({"a": 1}, "unknown_record"),
        (NEUTRAL | {"answers": "Lennon"}, "bad_answers"),
        (NEUTRAL | {"answer": None}, "no_answer"),
        (NEUTRAL | {"answer": 5}, "not_text"),
        (NEUTRAL | {"answers": ["x"] * 99}, "too_many_answers"),
        (NEUTRAL | {"source": "<b>"}, "bad_source"),
        (NEUTRAL | {"source": 5}, "bad_source"),
        (NEUTRAL | {"id": True}, "bad_id"),
        (NEUTRAL | {"id": "x" * 200}, "bad_id"),
        (NEUTRAL | {"paragraph": None}, "no_text"),
        ({name: value for name, value in NEUTRAL.items() if name != "paragraph"}, "no_text"),
        (NEUTRAL | {"paragraph": "x" * 30_000}, "too_long"),
        (NEUTRAL | {"paragraph": "a\u0000b"}, "control_characters"),
    ],
)
def test_bad_neutral_records(tmp_path: Path, record: Any, reason: str) -> None:
    found, reasons = read(write(tmp_path / "n.jsonl", NEUTRAL, record))
    assert len(found) == 1
    assert reasons == {reason: 1}


def test_what_a_record_says() -> None:
    (found,) = neutral.read(NEUTRAL | {"answers": ["J. Lennon"], "title": "Imagine", "answer_start": 3})
    assert found == Stated(
        source="My Set",
        given_id="n1",
        question="Imagine >> performer",
        answers=["Lennon", "J. Lennon"],
        title="Imagine",
        text="By Lennon.",
        start=3,
    )


def test_what_is_null_is_left_out(tmp_path: Path) -> None:
    bare = {name: NEUTRAL[name] for name in ("question", "answer", "paragraph")}
    nulls = bare | dict.fromkeys(("id", "source", "title", "answers", "answer_start"))
    one, two = (read(write(tmp_path / "n.jsonl", record)) for record in (bare, nulls))
    assert one == two
    assert [(row["source"], row["given_id"], row["title"], row["answer_start"]) for row in one[0]] == [
        ("neutral", "", "", None)
    ]


def test_answers_alone_are_enough(tmp_path: Path) -> None:
    record = {"question": "Who?", "paragraph": "By Lennon.", "answers": ["Lennon", "John"]}
    found, _ = read(write(tmp_path / "n.jsonl", record))
    assert [(row["answer"], row["answer_aliases"]) for row in found] == [("Lennon", ["John"])]


@pytest.mark.parametrize("start", ["3", True, -1, 10, 3.0, None])
def test_a_place_that_can_be_none_is_none(tmp_path: Path, start: Any) -> None:
    # "By Lennon." has 10 characters.
    found, reasons = read(write(tmp_path / "n.jsonl", NEUTRAL | {"answer_start": start}))
    assert reasons == {} and [row["answer_start"] for row in found] == [None]
