"""Stage wikipedia.segment: passages of whole sentences that lose no word."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.pages import PAGES, PagesParams, clean_pages
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.segment import SegmentParams, pack, segment

ARTICLES = pa.table({"title": ["A"], "qid": ["Q1"]})


def pages(**texts: str) -> pa.Table:
    return PAGES.table([{"title": title, "page_id": None, "qid": None, "text": text} for title, text in texts.items()])


def test_a_page_in_sentences_and_passages() -> None:
    output = segment(
        pages(A="One two three. Four five. Six.", B="Alone."), ARTICLES, params=SegmentParams(passage_words=3)
    )
    assert output.tables["sentences"].to_pylist() == [
        {"title": "A", "index": 0, "qid": "Q1", "passage": 0, "text": "One two three."},
        {"title": "A", "index": 1, "qid": "Q1", "passage": 1, "text": "Four five."},
        {"title": "A", "index": 2, "qid": "Q1", "passage": 1, "text": "Six."},
        {"title": "B", "index": 0, "qid": None, "passage": 0, "text": "Alone."},
    ]
    passages = output.tables["passages"].to_pylist()
    assert passages[1] == {
        "passage_id": "A#1",
        "title": "A",
        "qid": "Q1",
        "number": 1,
        "first": 1,
        "last": 2,
        "words": 3,
        "text": "Four five. Six.",
    }
    assert [row["passage_id"] for row in passages] == ["A#0", "A#1", "B#0"]
    assert output.metrics == {"words": 7.0, "with_hole": 0.0}


@pytest.mark.parametrize(
    ("counts", "words", "ranges"),
    [
        ([], 100, []),
        ([5], 100, [(0, 1)]),
        ([250], 100, [(0, 1)]),
        ([10, 250, 10], 100, [(0, 1), (1, 2), (2, 3)]),
        ([50, 50, 50, 50], 100, [(0, 2), (2, 4)]),
        ([149], 100, [(0, 1)]),
        ([30] * 5, 100, [(0, 2), (2, 5)]),
        ([40, 40, 40, 30], 100, [(0, 2), (2, 4)]),
    ],
)
def test_pack(counts: list[int], words: int, ranges: list[tuple[int, int]]) -> None:
    assert pack(counts, words) == ranges


@given(st.lists(st.integers(1, 400), max_size=60), st.integers(1, 150))
def test_pack_takes_every_sentence_once_and_in_order(counts: list[int], words: int) -> None:
    ranges = pack(counts, words)
    assert [index for start, stop in ranges for index in range(start, stop)] == list(range(len(counts)))
    assert all(start < stop for start, stop in ranges)
    # Two even cuts lie `words` apart (less than 1.5 times for few passages), and each moves by at most half a sentence.
    assert all(sum(counts[start:stop]) <= max(1.5 * words, 0) + max(counts) for start, stop in ranges)


@given(st.lists(st.text(alphabet="abAB .!?\n", max_size=60), max_size=4), st.integers(1, 12))
def test_no_word_is_lost(texts: list[str], words: int) -> None:
    named = {f"T{number}": text for number, text in enumerate(texts)}
    output = segment(pages(**named), ARTICLES, params=SegmentParams(passage_words=words))
    for name in ("sentences", "passages"):
        rows = output.tables[name].to_pylist()
        for title, text in named.items():
            assert " ".join(row["text"] for row in rows if row["title"] == title).split() == text.split()
    sentence_passage = [(row["title"], row["passage"]) for row in output.tables["sentences"].to_pylist()]
    by_passage = [
        (row["title"], row["number"])
        for row in output.tables["passages"].to_pylist()
        for _ in range(row["first"], row["last"] + 1)
    ]
    assert sentence_passage == by_passage


def test_passage_words_must_be_positive() -> None:
    with pytest.raises(ValueError, match="passage_words is at least 1"):
        SegmentParams(passage_words=0)


def test_real_pages_have_passages_of_a_hundred_words(shared_data: Path) -> None:
    """Over pages with text for three passages or more, of the first 2,000 of the extract."""
    source = PreparedPages([str(shared_data / "wikidata/pages.jsonl.gz")])
    raw = next(source.read(source.parts()[0]))
    output = segment(clean_pages(raw, params=PagesParams()).tables["pages"], ARTICLES, params=SegmentParams())
    passages = output.tables["passages"]
    sizes = passages.group_by("title").aggregate([("words", "count"), ("words", "sum")])
    long = sizes.filter(pc.greater_equal(sizes["words_count"], 3))
    mean = pc.sum(long["words_sum"]).as_py() / pc.sum(long["words_count"]).as_py()
    assert 97 < mean < 103
