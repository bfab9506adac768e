"""Stage wikipedia.segment: pages cut into sentences, and sentences packed into passages.

A passage is a run of consecutive whole sentences of about 100 words, as in the paper's
retrieval corpus. A page of n words is cut into about n / 100 passages of even length,
at the sentence ends nearest to the even cuts: no short rest is left over and no word
is lost, however long a sentence is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import pyarrow as pa

from stages.core.alive import alive
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.wikipedia.pages import PAGES
from stages.wikipedia.sentences import whole_sentences

# `passage` is the number of the passage that holds the sentence; qid is the page's linked entity.
SENTENCES = TableSpec(
    name="sentences",
    schema=pa.schema(
        [
            pa.field("title", pa.string(), nullable=False),
            pa.field("index", pa.int32(), nullable=False),
            pa.field("qid", pa.string()),
            pa.field("passage", pa.int32(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
        ]
    ),
    key=("title", "index"),
    bucket_by=("title",),
)
# passage_id is "{title}#{number}"; no title holds a "#". first and last are sentence indexes.
PASSAGES = TableSpec(
    name="passages",
    schema=pa.schema(
        [
            pa.field("passage_id", pa.string(), nullable=False),
            pa.field("title", pa.string(), nullable=False),
            pa.field("qid", pa.string()),
            pa.field("number", pa.int32(), nullable=False),
            pa.field("first", pa.int32(), nullable=False),
            pa.field("last", pa.int32(), nullable=False),
            pa.field("words", pa.int32(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
        ]
    ),
    key=("passage_id",),
    bucket_by=("title",),
)


@dataclass(frozen=True)
class SegmentParams:
    """passage_words: the length that passages have on average, in words between spaces."""

    passage_words: int = 100

    def __post_init__(self) -> None:
        if self.passage_words < 1:
            raise ValueError(f"passage_words is at least 1, not {self.passage_words}")


def stage(params: SegmentParams | None = None) -> Stage:
    params = params or SegmentParams()
    return Stage(
        name="wikipedia.segment",
        shape=Join(on=(("title",), ("title",))),
        kernel=partial(segment, params=params),
        inputs=(PAGES.name, "articles"),
        outputs=(SENTENCES, PASSAGES),
        about="sentences, and passages of about 100 words of whole sentences",
    )


def segment(pages: pa.Table, articles: pa.Table, *, params: SegmentParams) -> Output:
    """Sentences and passages of every page; articles give the page's entity, where it has one.

    Sentences in which something is missing are left out of both. Metrics: words; with_hole, such sentences.
    """
    entity = dict(zip(articles["title"].to_pylist(), articles["qid"].to_pylist(), strict=True))
    sentences, passages = _Columns(SENTENCES), _Columns(PASSAGES)
    with_hole = 0
    for title, text in zip(pages["title"].to_pylist(), pages["text"].to_pylist(), strict=True):
        alive()
        with_hole += _segment_page(title, entity.get(title), text, params.passage_words, sentences, passages)
    metrics = {"words": float(sum(passages.columns["words"])), "with_hole": float(with_hole)}
    return Output({SENTENCES.name: sentences.table(), PASSAGES.name: passages.table()}, metrics=metrics)


class _Columns:
    def __init__(self, spec: TableSpec) -> None:
        self._spec = spec
        self.columns: dict[str, list[Any]] = {name: [] for name in spec.schema.names}

    def add(self, *values: Any) -> None:
        for column, value in zip(self.columns.values(), values, strict=True):
            column.append(value)

    def table(self) -> pa.Table:
        return pa.table(self.columns, schema=self._spec.schema)


def _segment_page(
    title: str, qid: str | None, text: str, passage_words: int, sentences: _Columns, passages: _Columns
) -> int:
    """Adds the rows of one page; the number of its sentences with a hole."""
    texts, with_hole = whole_sentences(text)
    counts = [len(sentence.split()) for sentence in texts]
    for number, (start, stop) in enumerate(pack(counts, passage_words)):
        for index in range(start, stop):
            sentences.add(title, index, qid, number, texts[index])
        joined = " ".join(texts[start:stop])
        passages.add(f"{title}#{number}", title, qid, number, start, stop - 1, sum(counts[start:stop]), joined)
    return with_hole


def pack(counts: Sequence[int], passage_words: int) -> list[tuple[int, int]]:
    """Ranges (start, stop) of sentences per passage, which together are all sentences in order.

    counts: words per sentence. Where a sentence is longer than a passage there are fewer
    passages than even cuts; no passage is empty.
    """
    if not counts:
        return []
    ends = list(accumulate(counts))
    wanted = max(1, round(ends[-1] / passage_words))
    cuts = {_nearest(ends, ends[-1] * number / wanted) for number in range(1, wanted)}
    return list(pairwise(sorted({0, *cuts, len(counts)})))


def _nearest(ends: Sequence[int], words: float) -> int:
    """How many sentences come closest to that many words; the fewer where two do."""
    at = bisect_left(ends, words)
    before = ends[at - 1] if at else 0
    return at if words - before <= ends[at] - words else at + 1
