"""BM25: against the formula worked out text by text, against bm25s itself, and against any cut into shards."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from pathlib import Path

import bm25s
import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from stages.models.bm25 import K1, B, Hit, Index

WORDS = ["rain", "raining", "rivers", "river", "stone", "the", "cloud", "clouds", "of", "sun"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=1, max_size=12)
QUERY = st.lists(st.sampled_from([*WORDS, "absent"]), max_size=5).map(" ".join)
STEMMER = Stemmer.Stemmer("porter")


def terms(text: str) -> list[str]:
    stop = {"the", "of"}
    return [STEMMER.stemWord(word) for word in re.findall(r"\w\w+", text.lower()) if word not in stop]


def oracle(texts: dict[str, str], query: str, k: int, exclude: set[str]) -> list[tuple[str, float]]:
    held = {name: Counter(terms(text)) for name, text in texts.items()}
    average = sum(sum(counts.values()) for counts in held.values()) / len(texts)
    scores = {}
    for name, counts in held.items():
        score = 0.0
        for term in terms(query):
            having = sum(1 for other in held.values() if term in other)
            if counts[term]:
                idf = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
                length = K1 * (1 - B + B * sum(counts.values()) / average)
                score += idf * counts[term] / (counts[term] + length)
        if score > 0 and name not in exclude:
            scores[name] = score
    return sorted(scores.items(), key=lambda item: (-round(item[1], 4), item[0]))[:k]


def rounded(hits: list[Hit] | list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Scores are kept in single precision, in which equal sums of other terms may differ in the last digit."""
    return sorted(((name, round(score, 4)) for name, score in hits), key=lambda hit: (-hit[1], hit[0]))


@given(TEXTS, QUERY, st.integers(1, 14), st.sets(st.integers(0, 11)), st.integers(1, 5))
def test_it_scores_as_the_formula_says_in_any_number_of_shards(
    texts: list[str], query: str, k: int, left_out: set[int], size: int
) -> None:
    named = {f"t{at:02}": text for at, text in enumerate(texts)}
    without = {f"t{at:02}" for at in left_out}
    index = Index.of(named, named.values(), shard_size=size)
    (found,) = index.search([query], k, exclude=[without])
    expected = oracle(named, query, k, without)
    assert [score for _, score in rounded(found)] == pytest.approx([score for _, score in expected], abs=2e-4)
    assert not {hit.id for hit in found} & without
    every = dict(oracle(named, query, len(named), without))
    assert all(hit.score == pytest.approx(every[hit.id], abs=1e-5) for hit in found)


@given(TEXTS, QUERY, st.integers(1, 14), st.integers(1, 5), st.randoms())
def test_neither_shards_nor_order_change_a_result(texts: list[str], query: str, k: int, size: int, chance) -> None:
    pairs = [(f"t{at:02}", text) for at, text in enumerate(texts)]
    whole = Index.build(pairs).search([query], k)
    chance.shuffle(pairs)
    assert Index.build(pairs, shard_size=size).search([query], k) == whole


def test_equal_texts_come_by_id() -> None:
    index = Index.of(["c", "a", "b", "d"], ["red stone"] * 3 + ["red stone in a wide river"])
    (hits,) = index.search(["a red stone"], 2)
    assert [hit.id for hit in hits] == ["a", "b"]
    # Four texts with both terms, 2, 2, 2 and 4 long: ln(1 + 0.5 / 4.5) * 1 / (1 + 0.9 * (0.6 + 0.4 * 2 / 2.5)), twice.
    assert hits[0].score == pytest.approx(2 * math.log(10 / 9) / (1 + 0.9 * 0.92))


def test_nothing_in_common_finds_nothing() -> None:
    index = Index.of(["a", "b"], ["red stone", "the"])
    assert index.search(["blue river", "", "the of"], 3) == [[], [], []]
    assert index.search(["stone"], 0) == [[]]
    assert Index.of([], []).search(["stone"], 3) == [[]]
    assert (len(index), len(Index.of([], []))) == (2, 0)


def test_an_id_names_one_text() -> None:
    with pytest.raises(ValueError, match="twice"):
        Index.of(["a", "a"], ["red", "blue"], shard_size=1)


def test_there_is_one_exclusion_per_query() -> None:
    with pytest.raises(ValueError, match="zip"):
        Index.of(["a"], ["red"]).search(["red", "blue"], 1, exclude=[["a"]])


def test_real_paragraphs_get_the_scores_that_bm25s_gives_them(shared_data: Path) -> None:
    with gzip.open(shared_data / "singlehop" / "pool.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(3000), strict=False)]
    texts = {row["paragraph"]: f"{row['title']} {row['paragraph']}" for row in rows}
    queries = [row["question"] for row in rows[::60]]
    settings = {"stopwords": "en", "stemmer": STEMMER, "show_progress": False, "return_ids": False}
    peer = bm25s.BM25(k1=K1, b=B, method="lucene")
    peer.index(bm25s.tokenize(list(texts.values()), **settings), show_progress=False)
    found = Index.of(texts, texts.values(), shard_size=100).search(queries, 10)
    assert len(texts) > 300
    for hits, query in zip(found, bm25s.tokenize(queries, **settings), strict=True):
        scores = sorted(peer.get_scores(query).tolist(), reverse=True)[:10] if query else []
        assert [hit.score for hit in hits] == pytest.approx([score for score in scores if score], rel=1e-5)
