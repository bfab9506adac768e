"""Passages of equal length: cutting, wrapping, and pages that are too short or no prose."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.ifqa.passages import WORD_PASSAGES, PassagesParams, cut, passages, stage
from stages.wikipedia.pages import PAGES

SMALL = PassagesParams(words=3, min_words=2, max_chars=40)


def run(texts: dict[str, str], params: PassagesParams = SMALL):
    rows = [{"title": title, "page_id": None, "qid": None, "text": text} for title, text in texts.items()]
    return passages(PAGES.table(rows), params=params)


def rows(texts: dict[str, str], params: PassagesParams = SMALL) -> list[dict]:
    return run(texts, params).tables[WORD_PASSAGES.name].to_pylist()


def rejects(texts: dict[str, str], params: PassagesParams = SMALL) -> list[tuple[str, str]]:
    return [(row["key"], row["reason"]) for row in run(texts, params).rejects.to_pylist()]


def test_the_last_passage_is_filled_from_the_start() -> None:
    assert rows({"Rivers": "one two\nthree  four five"}) == [
        {"passage": "Rivers#0", "title": "Rivers", "number": 0, "wrapped": False, "text": "one two three"},
        {"passage": "Rivers#1", "title": "Rivers", "number": 1, "wrapped": True, "text": "four five one"},
    ]


def test_a_page_that_fits_exactly_is_not_wrapped() -> None:
    assert [(row["text"], row["wrapped"]) for row in rows({"A": "a b c d e f"})] == [("a b c", False), ("d e f", False)]


def test_a_page_of_less_than_a_passage_is_repeated_in_it() -> None:
    assert [row["text"] for row in rows({"A": "a b"})] == ["a b a"]
    assert list(cut(["x"], 4)) == [("x x x x", True)]


def test_short_and_empty_pages_are_rejected() -> None:
    assert rejects({"A": "word", "B": "", "C": " \u00a0\n\u2003"}) == [
        ("A", "too_short"),
        ("B", "too_short"),
        ("C", "too_short"),
    ]


def test_a_passage_that_is_no_prose_goes_and_the_others_keep_their_numbers() -> None:
    page = {"A": f"a b c {'x' * 50} d e f g h"}
    assert [row["passage"] for row in rows(page)] == ["A#0", "A#2"]
    assert rejects(page) == [("A#1", "too_long")]


def test_a_word_of_a_megabyte_and_other_scripts_do_no_harm() -> None:
    hostile = {
        "Long": "z" * 1_000_000 + " a b",
        "Right": "\u202eabc \u05d0\u05d1 \u0661\u0662",
        "Nul": "a\x00b c\ufeff d",
    }
    assert rejects(hostile) == [("Long#0", "too_long")]
    assert [row["text"] for row in rows(hostile)] == ["\u202eabc \u05d0\u05d1 \u0661\u0662", "a\x00b c\ufeff d"]


def test_metrics_count_words_and_wrapped_passages() -> None:
    assert run({"A": "a b c d", "B": "x"}).metrics == {
        "words": 5.0,
        "passages": 2.0,
        "wrapped": 1.0,
        "with_hole": 0.0,
    }


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])), max_size=40), st.integers(1, 7))
def test_every_word_stands_in_a_passage_and_all_are_equally_long(pieces: list[str], size: int) -> None:
    words = " ".join(pieces).split()
    found = list(cut(words, size))
    assert all(len(text.split(" ")) == size for text, _ in found)
    together = [word for text, _ in found for word in text.split(" ")]
    # The passages side by side are the page, and then its start again.
    assert together[: len(words)] == words
    added = len(together) - len(words)
    assert 0 <= added < size
    assert not words or together == (words * (size + 1))[: len(together)]
    assert [wrapped for _, wrapped in found] == [False] * (len(found) - 1) + [added > 0] if found else not words


@given(st.dictionaries(st.sampled_from("ABCDEF"), st.lists(st.sampled_from(["a", "bb", "ccc"]), max_size=9)))
def test_the_order_and_grouping_of_pages_do_not_matter(pages: dict[str, list[str]]) -> None:
    texts = {title: " ".join(words) for title, words in pages.items()}
    together = rows(texts)
    apart = [row for title, text in sorted(texts.items(), reverse=True) for row in rows({title: text})]
    assert Counter(map(str, together)) == Counter(map(str, apart))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"words": 0}, "words: expected 1 or more, got 0"),
        ({"min_words": 0}, "min_words: expected 1 or more"),
        ({"words": 100, "max_chars": 150}, "max_chars: 100 words need at least 200, got 150"),
    ],
)
def test_params_are_checked(params: dict[str, int], message: str) -> None:
    with pytest.raises(StageError, match=message):
        PassagesParams(**params)


def test_the_stage_cuts_by_the_papers_numbers() -> None:
    assert (stage().name, stage().bound["params"].words, stage().outputs) == ("ifqa.passages", 100, (WORD_PASSAGES,))
