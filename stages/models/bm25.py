"""BM25 over any number of texts, scored as Lucene does, with the same result in one shard or in many.

Terms are lower-case words of two or more characters without English stop words, cut by
Porter's stemmer. A text's score for a query is the sum, over the query's terms with
their repetitions, of

    ln(1 + (N - n + 0.5) / (n + 0.5)) * f / (f + k1 * (1 - b + b * l / a))

where n of N texts hold the term, f times in this one, which has l terms where texts
have a on average. N, n and a are those of the whole collection, whatever shard a text
is in. A shard keeps eight bytes per distinct term of a text.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bm25s import BM25
    from bm25s.tokenization import Tokenizer

K1 = 0.9
B = 0.4
SHARD_SIZE = 20_000


class Hit(NamedTuple):
    """A text that was found, and its score (more than 0)."""

    id: str
    score: float


@dataclass
class _Counts:
    """One shard before the collection is known: how often which text has which term.

    ids: sorted; terms, texts, times: one entry per distinct term of a text, by term and then text; lengths: per text.
    """

    ids: list[str]
    terms: np.ndarray
    texts: np.ndarray
    times: np.ndarray
    lengths: np.ndarray


@dataclass
class _Shard:
    """One shard, ready to be searched. ids: sorted, so that the lower place is the lower id."""

    ids: list[str]
    places: dict[str, int]
    scorer: BM25


class Index:
    """Texts that can be searched. Built by `of` or, where the texts are not all in memory, by `build`."""

    def __init__(self, tokenizer: Tokenizer, shards: Sequence[_Shard]) -> None:
        self._tokenizer = tokenizer
        self._shards = shards

    @classmethod
    def of(cls, ids: Iterable[str], texts: Iterable[str], *, shard_size: int = SHARD_SIZE) -> Index:
        """An index of texts by their ids, which may come in any order."""
        return cls.build(zip(ids, texts, strict=True), shard_size=shard_size)

    @classmethod
    def build(
        cls, pairs: Iterable[tuple[str, str]], *, k1: float = K1, b: float = B, shard_size: int = SHARD_SIZE
    ) -> Index:
        """An index of (id, text) pairs, of which `shard_size` are held in memory at a time.

        Raises ValueError where an id occurs twice.
        """
        # Kernels import this module to describe a build, most of which may be there already.
        import Stemmer
        from bm25s.tokenization import Tokenizer

        tokenizer = Tokenizer(stopwords="english", stemmer=Stemmer.Stemmer("porter"))
        counts = [_count(part, tokenizer) for part in _parts(pairs, shard_size)]
        total = sum(len(part.ids) for part in counts)
        if len({name for part in counts for name in part.ids}) < total:
            raise ValueError("an id occurs twice among the texts of one index")
        weights = _weights(counts, total, len(tokenizer.stem_to_sid))
        average = sum(int(part.lengths.sum()) for part in counts) / max(total, 1)
        return cls(tokenizer, [_shard(part, weights, average, k1, b) for part in counts])

    def __len__(self) -> int:
        return sum(len(shard.ids) for shard in self._shards)

    def search(
        self, queries: Sequence[str], k: int, *, exclude: Sequence[Collection[str]] | None = None
    ) -> list[list[Hit]]:
        """Per query the `k` best texts, best first and equal scores by id; fewer where fewer share a term with it.

        exclude: per query the ids that it shall not find (ids that the index does not hold do no harm).
        """
        terms = self._tokenizer.streaming_tokenize(queries, update_vocab=False, allow_empty=False)
        unwanted = exclude if exclude is not None else [()] * len(queries)
        return [self._best(found, k, ids) for found, ids in zip(terms, unwanted, strict=True)]

    def _best(self, terms: list[int], k: int, unwanted: Collection[str]) -> list[Hit]:
        if not terms or k < 1:
            return []
        found = [hit for shard in self._shards for hit in _search(shard, terms, k, unwanted)]
        return nsmallest(k, found, key=lambda hit: (-hit.score, hit.id))


def _parts(pairs: Iterable[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    rest = iter(pairs)
    while part := sorted(islice(rest, size)):
        yield part


def _count(part: list[tuple[str, str]], tokenizer: Tokenizer) -> _Counts:
    lengths = np.zeros(len(part), dtype=np.int64)
    chunks = [np.empty(0, dtype=np.int64)]
    texts = (text for _, text in part)
    for at, terms in enumerate(tokenizer.streaming_tokenize(texts, update_vocab=True, allow_empty=False)):
        lengths[at] = len(terms)
        chunks.append((np.asarray(terms, dtype=np.int64) << 32) | at)
    # Term in the upper half and text in the lower: one sort groups by term, then text.
    both, times = np.unique(np.concatenate(chunks), return_counts=True)
    return _Counts(
        ids=[name for name, _ in part],
        terms=(both >> 32).astype(np.int32),
        texts=(both & 0xFFFFFFFF).astype(np.int32),
        times=times.astype(np.int32),
        lengths=lengths,
    )


def _weights(counts: Sequence[_Counts], total: int, words: int) -> np.ndarray:
    """The logarithm in the score, per term."""
    holders = np.zeros(words, dtype=np.int64)
    for part in counts:
        holders += np.bincount(part.terms, minlength=words)
    return np.array([math.log(1 + (total - held + 0.5) / (held + 0.5)) for held in holders.tolist()])


def _shard(part: _Counts, weights: np.ndarray, average: float, k1: float, b: float) -> _Shard:
    from bm25s import BM25

    scorer = BM25(k1=k1, b=b, method="lucene", backend="numpy")
    damped = k1 * (1 - b + b * part.lengths / max(average, 1e-9))
    scores = weights[part.terms] * part.times / (damped[part.texts] + part.times)
    # bm25s weighs terms by the texts that it is given; these scores are of the whole collection.
    scorer.scores = {
        "data": scores.astype(np.float32),
        "indices": part.texts,
        "indptr": np.searchsorted(part.terms, np.arange(len(weights) + 1)),
        "num_docs": len(part.ids),
    }
    scorer.nonoccurrence_array = None
    return _Shard(part.ids, {name: at for at, name in enumerate(part.ids)}, scorer)


def _search(shard: _Shard, terms: list[int], k: int, unwanted: Collection[str]) -> Iterator[Hit]:
    """The best `k` of one shard and all that equal the last of them."""
    scores = shard.scorer.get_scores_from_ids(terms)
    scores[[shard.places[name] for name in unwanted if name in shard.places]] = 0
    least = np.partition(scores, -k)[-k] if k < len(scores) else 0
    places = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores)
    for at in places.tolist():
        yield Hit(shard.ids[at], float(scores[at]))
