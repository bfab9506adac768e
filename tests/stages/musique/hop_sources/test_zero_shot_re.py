from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.texts import Refused
from stages.io.detect import HOPS, kind_of
from stages.musique.hop_sources import zero_shot_re
from stages.musique.single_hops.stated import Stated
from tests.stages.musique.single_hops.files import ZERO_SHOT, read, write


def line(*cells: Any) -> Stated | Refused:
    (found,) = zero_shot_re.read({"tab_separated": list(cells)})
    return found


def test_zero_shot_lines(tmp_path: Path) -> None:
    negative = "spouse\tWho married XXX?\tImagine\tImagine was sung by John Lennon."
    path = write(tmp_path / "train.0", ZERO_SHOT, negative, "too\tfew", "\t\tx\ty\tz\n")
    found, reasons = read(path)
    assert reasons == {"unanswerable": 1, "bad_line": 2}
    assert [(row["question"], row["answer"], row["title"]) for row in found] == [
        ("Imagine >> performer", "John Lennon", "Imagine"),
        ("Imagine >> performer", "Lennon", "Imagine"),
    ]
    assert kind_of(str(path)) == HOPS


def test_what_a_line_says() -> None:
    # "Lennon" is a second value of the relation, not another spelling of the first.
    assert list(zero_shot_re.read({"tab_separated": ZERO_SHOT.split("\t")})) == [
        Stated(
            source="zero-shot-re",
            given_id=None,
            question="Imagine >> performer",
            answers=[answer],
            title="Imagine",
            text="Imagine was sung by John Lennon.",
        )
        for answer in ("John Lennon", "Lennon")
    ]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ((), "bad_line"),
        (("performer", "q", "Imagine"), "bad_line"),
        (("performer", "q", "Imagine", "text", 7), "bad_line"),
        (("performer", "q", "Imagine", None, "x"), "bad_line"),
        ((" ", "q", "Imagine", "text", "x"), "bad_line"),
        (("performer", "q", " ", "text", "x"), "bad_line"),
        (("performer", "q", "Imagine", "text"), "unanswerable"),
        (("performer", "q", "Imagine", "text", "", " "), "unanswerable"),
    ],
)
def test_bad_lines(cells: tuple[Any, ...], reason: str) -> None:
    found = line(*cells)
    assert isinstance(found, Refused) and found.reason == reason


@pytest.mark.parametrize("cells", [None, "a\tb\tc\td", {"a": 1}])
def test_cells_are_a_list(cells: Any) -> None:
    (found,) = zero_shot_re.read({"tab_separated": cells})
    assert isinstance(found, Refused) and found.reason == "bad_line"


def test_marks_at_the_ends_of_a_file_and_of_its_lines_are_none_of_the_cells(tmp_path: Path) -> None:
    path = tmp_path / "train.0"
    path.write_bytes(b"\xef\xbb\xbf" + ZERO_SHOT.replace("\tLennon", "").encode() + b"\r\n\r\n")
    found, reasons = read(path)
    assert reasons == {}
    assert [(row["question"], row["answer"]) for row in found] == [("Imagine >> performer", "John Lennon")]


@given(st.lists(st.text(alphabet="ab \r", max_size=4), max_size=7))
def test_every_answer_that_is_none_empty_is_a_value(cells: list[str]) -> None:
    found = list(zero_shot_re.read({"tab_separated": cells}))
    answers = [cell.strip() for cell in cells[4:] if cell.strip()]
    if len(cells) < 4 or not cells[0].strip() or not cells[2].strip():
        assert [fault.reason for fault in found if isinstance(fault, Refused)] == ["bad_line"]
    elif not answers:
        assert [fault.reason for fault in found if isinstance(fault, Refused)] == ["unanswerable"]
    else:
        assert [stated.answers for stated in found if isinstance(stated, Stated)] == [
            [a] for a in dict.fromkeys(answers)
        ]
