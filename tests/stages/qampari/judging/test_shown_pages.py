"""The text that people judge by: whole pages, or the passages around the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.qampari.judging.shown_pages import SHOWN_PAGES, PageParams, excerpt, shown_pages, stage, window
from stages.qampari.judging.wrong_answers import SHOWN_ANSWERS
from stages.wikipedia.segment import PASSAGES
from tests.stages.qampari.people_world import reasons, rows

TEXTS = ["Lead of ten", "Life of ten", "Work of ten", "Late of ten"]


def shown(origin: str, title: str, *numbers: int, wrong: bool = False) -> dict[str, object]:
    place = {"page": 0, "pages": 1, "query": "q", "answer_text": "a"}
    return {"origin": origin, "wrong": wrong, "title": title, "passages": list(numbers)} | place


PAGE = PASSAGES.table(
    [
        {
            "passage_id": f"T#{number}",
            "title": "T",
            "qid": None,
            "number": number,
            "first": number,
            "last": number,
            "words": 3,
            "text": text,
        }
        for number, text in enumerate(TEXTS)
    ]
)


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (44, "Lead of ten\n\nLife of ten\n\nWork of ten\n\nLate of ten"),
        (43, "[...]\n\nLife of ten\n\nWork of ten\n\nLate of ten"),
        (22, "[...]\n\nLife of ten\n\nWork of ten\n\n[...]"),
        (1, "[...]\n\nWork of ten\n\n[...]"),
    ],
)
def test_a_page_is_cut_around_its_evidence(most: int, expected: str) -> None:
    output = shown_pages(SHOWN_ANSWERS.table([shown("o", "T", 2)]), PAGE, params=PageParams(most))
    (row,) = rows(output, SHOWN_PAGES)
    assert (row["text"], row["title"], row["answer_text"]) == (expected, "T", "a")


def test_evidence_in_two_places_is_shown_with_what_lies_between_left_out() -> None:
    output = shown_pages(SHOWN_ANSWERS.table([shown("o", "T", 0, 3)]), PAGE, params=PageParams(25))
    assert rows(output, SHOWN_PAGES)[0]["text"] == "Lead of ten\n\n[...]\n\nLate of ten"


def test_a_page_that_is_missing_is_told() -> None:
    asked = SHOWN_ANSWERS.table([shown("o", "T", 9), shown("p", "U", 0), shown("q", "T", 1, wrong=True)])
    output = shown_pages(asked, PAGE, params=PageParams())
    assert [row["origin"] for row in rows(output, SHOWN_PAGES)] == ["q"]
    assert reasons(output) == [("o", "no_page", "T"), ("p", "no_page", "U")]


LENGTHS = st.lists(st.integers(1, 30), min_size=1, max_size=12)


@given(LENGTHS, st.integers(1, 200), st.data())
def test_a_window_holds_what_is_needed_and_fits(lengths: list[int], most: int, data: st.DataObject) -> None:
    needed = data.draw(st.sets(st.integers(0, len(lengths) - 1), min_size=1, max_size=3))
    chosen = window(lengths, needed, most)
    size = sum(lengths[place] for place in chosen)
    assert needed <= set(chosen)
    assert size <= max(most, sum(lengths[place] for place in needed))
    assert (len(chosen) == len(lengths)) == (sum(lengths) <= most or set(chosen) == needed == set(range(len(lengths))))
    texts = [str(place) for place in range(len(lengths))]
    parts = excerpt(texts, chosen).split("\n\n")
    assert [part for part in parts if part != "[...]"] == [str(place) for place in chosen]


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="page_chars: expected at least 1, got 0"):
        PageParams(page_chars=0)
    assert stage().inputs == ("shown_answers", "passages")
