"""Stage `contexts.draw`: which paragraphs a question is shown with (section 5.1, contexts and contrasts).

A context has the paragraphs that support the question and others that BM25 finds for
its single hops without the answers in between. Its contrast lacks every paragraph that
mentions the answer of one hop, chosen at random; others take their places.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa

from stages.columns import values
from stages.contexts.corpora import corpora
from stages.contexts.mentions import forms, mentions, searchable
from stages.contexts.tables import DRAWN_CONTEXTS, NO_HOP
from stages.contract import Output, Stage, StageError, Whole
from stages.graphs.tables import COMPOSED_HOPS
from stages.hops.forms import form
from stages.hops.tables import GOLD_PARAGRAPHS, SINGLE_HOPS
from stages.questions.order import rank, shuffled
from stages.rejects import Rejects
from stages.retrieval.bm25 import Index
from stages.splits.relations import SPLITS
from stages.splits.separated import GRAPH_SPLITS
from stages.sql import sql

# So many hits per paragraph shown leave enough that do not mention an answer, save for very common ones.
HITS = 3
_PLACEHOLDER = re.compile(r"#\d+")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class ContextParams:
    """seed: of every choice. size: paragraphs of a context, where the split has as many.
    retrieved: whether other paragraphs are those that BM25 finds; else they are drawn at random, for comparison.
    contrasts: whether each question gets a second context that does not answer it.
    """

    seed: int = 0
    size: int = 20
    retrieved: bool = True
    contrasts: bool = True

    def __post_init__(self) -> None:
        if self.size < 5:
            raise StageError(f"size: expected 5 or more, as four paragraphs may be needed, got {self.size}")


@dataclass(frozen=True)
class _Corpus:
    """The paragraphs of one split. order: all of them at random; texts: as `searchable`."""

    order: list[str]
    index: Index | None
    texts: Mapping[str, str]


def draw(
    composed_hops: pa.Table,
    graph_splits: pa.Table,
    single_hops: pa.Table,
    gold_paragraphs: pa.Table,
    *,
    params: ContextParams,
) -> Output:
    """DRAWN_CONTEXTS from COMPOSED_HOPS, GRAPH_SPLITS, SINGLE_HOPS and GOLD_PARAGRAPHS.

    Metrics: answerable, unanswerable, short (contexts of fewer than `size` paragraphs), filled (paragraphs that BM25
    did not find), and {split}_paragraphs.
    Rejects, keyed by graph: no_contrast (too few paragraphs without the answer; the question stays without one).
    """
    rows = _rows(composed_hops, graph_splits)
    texts = dict(values(gold_paragraphs, "paragraph", "text"))
    titles = dict(values(gold_paragraphs, "paragraph", "title"))
    supports = ((row["split"], paragraph) for row in rows for paragraph in row["paragraphs"])
    shown = corpora(texts, supports, Counter(row["split"] for row in rows), params.seed)
    same = _same_questions(single_hops)
    rejects, metrics = Rejects(), Counter[str]()
    drawn: list[dict[str, Any]] = []
    for split in SPLITS:
        corpus = _corpus(shown[split], titles, texts, params)
        metrics[f"{split}_paragraphs"] = len(shown[split])
        chosen = [row for row in rows if row["split"] == split]
        for row, hits in zip(chosen, _hits(chosen, corpus, same, params), strict=True):
            drawn += _contexts(row, hits, corpus, same, rejects, metrics, params)
    metrics["short"] = sum(len(row["paragraphs"]) < params.size for row in drawn)
    metrics["answerable"] = sum(row["answerable"] for row in drawn)
    metrics["unanswerable"] = len(drawn) - metrics["answerable"]
    tables = {DRAWN_CONTEXTS.name: DRAWN_CONTEXTS.table(drawn)}
    return Output(tables, rejects.table(), {name: float(count) for name, count in metrics.items()})


def query(steps: Iterable[str]) -> str:
    """All steps of a question, without the places that ask about other steps."""
    return " ".join(_PLACEHOLDER.sub(" ", step) for step in steps)


def _rows(composed_hops: pa.Table, graph_splits: pa.Table) -> list[dict[str, Any]]:
    columns = ["graph", "hops", "question_steps", "hop_answers", "hop_aliases", "paragraphs"]
    rows = sql("SELECT c.*, s.split FROM c JOIN s USING (graph)", c=composed_hops.select(columns), s=graph_splits)
    return sorted(rows.to_pylist(), key=lambda row: row["graph"])


def _same_questions(single_hops: pa.Table) -> dict[str, frozenset[str]]:
    """Per hop the paragraphs of all hops that ask the same: whatever else they say, they may support it."""
    asked: defaultdict[str, set[str]] = defaultdict(set)
    columns = values(single_hops, "hop", "question", "paragraph")
    rows = [(hop, form(question), paragraph) for hop, question, paragraph in columns]
    for _, question, paragraph in rows:
        asked[question].add(paragraph)
    several = {question: frozenset(places) for question, places in asked.items() if len(places) > 1}
    return {hop: several[question] for hop, question, _ in rows if question in several}


def _corpus(
    names: Sequence[str], titles: Mapping[str, str], texts: Mapping[str, str], params: ContextParams
) -> _Corpus:
    pairs = ((name, f"{titles[name]} {texts[name]}") for name in names)
    return _Corpus(
        order=shuffled(names, params.seed, "fill"),
        index=Index.build(pairs) if params.retrieved else None,
        texts={name: searchable(f"{titles[name]}\n{texts[name]}") for name in names},
    )


def _barred(row: Row, same: Mapping[str, frozenset[str]]) -> set[str]:
    """What may not stand beside the supporting paragraphs."""
    return set(row["paragraphs"]).union(*(same.get(hop, frozenset()) for hop in row["hops"]))


def _hits(
    rows: Sequence[Row], corpus: _Corpus, same: Mapping[str, frozenset[str]], params: ContextParams
) -> Iterator[list[str]]:
    """Per question what BM25 finds for it, the best first."""
    if corpus.index is None:
        yield from ([] for _ in rows)
        return
    queries = [query(row["question_steps"]) for row in rows]
    exclude = [_barred(row, same) for row in rows]
    for hits in corpus.index.search(queries, HITS * params.size, exclude=exclude):
        yield [hit.id for hit in hits]


def _contexts(
    row: Row,
    hits: Sequence[str],
    corpus: _Corpus,
    same: Mapping[str, frozenset[str]],
    rejects: Rejects,
    metrics: Counter[str],
    params: ContextParams,
) -> Iterator[dict[str, Any]]:
    """The question's context, and its contrast if it gets one."""
    supports = {paragraph: number for number, paragraph in enumerate(row["paragraphs"], start=1)}
    barred, found = _barred(row, same), {*hits, *supports}
    whole = _first(supports, _others(row, hits, corpus, barred, params.seed), params.size)
    metrics["filled"] += len(set(whole) - found)
    yield _context(row, whole, supports, 0, [], params.seed)
    if not params.contrasts:
        return
    missing = 1 + int.from_bytes(rank(params.seed, row["graph"], "missing")[:8]) % len(row["hops"])
    spelt = [row["hop_answers"][missing - 1], *row["hop_aliases"][missing - 1]]
    wanted = forms(spelt)
    kept = [name for name, hop in supports.items() if hop != missing and not mentions(corpus.texts[name], wanted)]
    others = _others(row, hits, corpus, barred, params.seed)
    contrast = _first(kept, (name for name in others if not mentions(corpus.texts[name], wanted)), len(whole))
    if len(contrast) < len(whole):
        rejects.add(row["graph"], "no_contrast", f"{len(contrast)} of {len(whole)} paragraphs")
        return
    metrics["filled"] += len(set(contrast) - found)
    yield _context(row, contrast, supports, missing, spelt, params.seed)


def _others(row: Row, hits: Sequence[str], corpus: _Corpus, barred: set[str], seed: int) -> Iterator[str]:
    """What may fill a context: what was found, then the rest of the corpus from a place of the question's own."""
    yield from hits
    found, count = set(hits), len(corpus.order)
    start = int.from_bytes(rank(seed, row["graph"], "fill")[:8]) % count if count else 0
    for at in range(start, start + count):
        name = corpus.order[at % count]
        if name not in found and name not in barred:
            yield name


def _first(sure: Iterable[str], others: Iterator[str], size: int) -> list[str]:
    chosen = list(sure)
    return [*chosen, *islice(others, size - len(chosen))]


def _context(
    row: Row, names: Sequence[str], supports: Mapping[str, int], missing: int, spelt: Sequence[str], seed: int
) -> dict[str, Any]:
    purpose = f"order\x1f{row['graph']}\x1f{missing}"
    order = shuffled(names, seed, purpose)
    return {
        "question": row["graph"],
        "answerable": not missing,
        "split": row["split"],
        "paragraphs": order,
        "supports": [supports.get(name, NO_HOP) for name in order],
        "missing": missing,
        "missing_answers": list(spelt),
    }


def stage(params: ContextParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = params or ContextParams()
    return Stage(
        name="contexts.draw",
        version=1,
        shape=Whole(),
        kernel=partial(draw, params=params),
        inputs=(COMPOSED_HOPS.name, GRAPH_SPLITS.name, hops, GOLD_PARAGRAPHS.name),
        outputs=(DRAWN_CONTEXTS,),
        params=params,
        about="Section 5.1: paragraphs that support a question and others like them, and the same without an answer.",
    )
