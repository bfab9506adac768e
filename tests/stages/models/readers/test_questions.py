"""The kinds of questions."""

from __future__ import annotations

import pytest

from stages.models.readers.questions import kinds, usual_shapes


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Imagine >> Performer", (">> performer", ">>", "")),
        ("X >> Y >> country", (">> country", ">>", "")),
        ("In what year was X born?", ("what year", "what", "")),
        ("How many points did they score?", ("how many", "how", "")),
        ("To whom was it given?", ("who", "")),
        ("Name the river.", ("",)),
        ("", ("",)),
    ],
)
def test_kinds_from_narrow_to_wide(question: str, expected: tuple[str, ...]) -> None:
    assert kinds(question) == expected


def test_usual_shapes() -> None:
    def likeliest(question: str) -> str:
        shapes = usual_shapes(question)
        return max(shapes, key=lambda shape: shapes[shape])

    assert likeliest("what year did it open") == "year"
    assert likeliest("how many were there") == "number"
    assert likeliest("who built it") == "names"
    assert likeliest("why did it close") == likeliest("Name one.")
