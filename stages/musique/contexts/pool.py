"""Where paragraphs of contexts come from: what all hops say of them, and those of one split, ready to be searched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from stages.core.columns import values
from stages.core.contract import StageError
from stages.models.bm25 import Index
from stages.musique.contexts.likeness import copies, same_questions
from stages.musique.contexts.query import query
from stages.musique.contexts.rings import Ring
from stages.musique.contexts.spellings import AnswerSpellings
from stages.musique.spellings.mentions import searchable

# So many hits per paragraph shown leave enough that have not reached their limit and do not mention an answer.
HITS = 10
Row = Mapping[str, Any]


@dataclass(frozen=True)
class ContextParams:
    """seed: of every choice. size: paragraphs of a context, where the split has as many.
    retrieved: whether other paragraphs are those that BM25 finds; else they are drawn at random, for comparison.
    max_reuse: how often a paragraph may stand beside others, in multiples of its share were that in proportion to how
    often it supports; max_shown: the same as a share of the split's questions. Both give way in small splits.
    contrasts: whether each question gets a second context that does not answer it.
    """

    seed: int = 0
    size: int = 20
    retrieved: bool = True
    max_reuse: float = 1.25
    max_shown: float = 0.15
    contrasts: bool = True

    def __post_init__(self) -> None:
        if self.size < 5:
            raise StageError(f"size: expected 5 or more, as four paragraphs may be needed, got {self.size}")
        if not self.max_reuse > 0:
            raise StageError(f"max_reuse: expected more than 0, and 1 or more to be kept, got {self.max_reuse}")
        if not 0 < self.max_shown <= 1:
            raise StageError(f"max_shown: expected more than 0 and at most 1, got {self.max_shown}")


@dataclass(frozen=True)
class Pool:
    """What all splits share. relations: per hop its relation, if it asks one; asked: per relation its paragraphs;
    spellings: of answers; barred: per hop or paragraph what may not stand beside it."""

    titles: Mapping[str, str]
    texts: Mapping[str, str]
    relations: Mapping[str, str]
    asked: Mapping[str, set[str]]
    spellings: AnswerSpellings
    barred: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Corpus:
    """The paragraphs of one split. texts: as `searchable`; likes: per relation those from which it is asked."""

    names: Sequence[str]
    index: Index | None
    texts: Mapping[str, str]
    everything: Ring
    likes: Mapping[str, Ring]


def make_pool(
    rows: Iterable[Row], single_hops: pa.Table, gold_paragraphs: pa.Table, known_names: pa.Table | None
) -> Pool:
    """rows: composed questions; the tables are SINGLE_HOPS, GOLD_PARAGRAPHS and KNOWN_NAMES."""
    titles, texts = (dict(values(gold_paragraphs, "paragraph", column)) for column in ("title", "text"))
    relations, asked = {}, defaultdict[str, set[str]](set)
    for hop, relation, paragraph in values(single_hops, "hop", "relation", "paragraph"):
        if relation is not None:
            relations[hop] = relation
            asked[relation].add(paragraph)
    supports = {paragraph for row in rows for paragraph in row["paragraphs"]}
    barred = same_questions(single_hops) | copies(supports, titles, texts)
    return Pool(titles, texts, relations, asked, AnswerSpellings(single_hops, known_names), barred)


def make_corpus(names: Sequence[str], supports: Mapping[str, int], pool: Pool, params: ContextParams) -> Corpus:
    """names: the split's paragraphs; supports: how many of its questions each supports."""
    pairs = ((name, f"{pool.titles[name]} {pool.texts[name]}") for name in names)
    times = {name: supports.get(name, 0) or 1 for name in names}
    asked = (
        {relation: sorted(pool.asked[relation] & times.keys()) for relation in pool.asked} if params.retrieved else {}
    )
    return Corpus(
        names=names,
        index=Index.build(pairs) if params.retrieved else None,
        texts={name: searchable(f"{pool.titles[name]}\n{pool.texts[name]}") for name in names},
        everything=Ring(times, params.seed, "fill"),
        likes={
            relation: Ring({name: times[name] for name in likes & times.keys()}, params.seed, f"likes\x1f{relation}")
            for relation, likes in asked.items()
        },
    )


def barred(row: Row, pool: Pool) -> set[str]:
    """What may not stand beside the supporting paragraphs."""
    return set(row["paragraphs"]).union(
        *(pool.barred.get(name, frozenset()) for name in (*row["hops"], *row["paragraphs"]))
    )


def hits_of(rows: Sequence[Row], corpus: Corpus, pool: Pool, params: ContextParams) -> Iterator[list[str]]:
    """Per question what BM25 finds for it, the best first."""
    if corpus.index is None:
        yield from ([] for _ in rows)
        return
    queries = [query(row["question_steps"]) for row in rows]
    exclude = [barred(row, pool) for row in rows]
    for hits in corpus.index.search(queries, HITS * params.size, exclude=exclude):
        yield [hit.id for hit in hits]
