"""Step `distractors`: which paragraphs a question is shown with (section 5.1, contexts and contrasts).

A context has the paragraphs that support the question and others of its split: those that BM25 finds for its single
hops without the answers in between, and in turn with them, for each relation that is asked, paragraphs from which it is
asked too. Its contrast lacks every paragraph that mentions the answer of one hop; others take their places. The hop is
chosen at random among those whose answer is named by the paragraphs of the hops that ask about it: where one does not
name it, it would stay, and answer without it.

No paragraph stands beside others much more often than in proportion to how often it supports
(`stages.musique.contexts.turns`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, Whole
from stages.core.rejects import Rejects
from stages.core.seeds import rank, shuffled
from stages.core.splits import SPLITS
from stages.core.sql import sql
from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.contexts.corpora import corpora
from stages.musique.contexts.pool import ContextParams, Corpus, Pool, Row, barred, hits_of, make_corpus, make_pool
from stages.musique.contexts.tables import DRAWN_CONTEXTS, NO_HOP
from stages.musique.contexts.turns import Seat, deal, limits
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS, SINGLE_HOPS
from stages.musique.spellings.mentions import forms, mentions
from stages.musique.spellings.other_names import digests
from stages.musique.splits.splits import GRAPH_SPLITS


def draw(
    composed_hops: pa.Table,
    graph_splits: pa.Table,
    single_hops: pa.Table,
    gold_paragraphs: pa.Table,
    known_names: pa.Table | None = None,
    *,
    params: ContextParams,
) -> Output:
    """DRAWN_CONTEXTS from COMPOSED_HOPS, GRAPH_SPLITS, SINGLE_HOPS, GOLD_PARAGRAPHS and, if there is one, KNOWN_NAMES.

    Metrics: answerable, unanswerable, short (contexts of fewer than `size` paragraphs), over_reuse (paragraphs
    shown beyond their limit, as nothing else was left), and per split {split}_paragraphs and {split}_most_shown (the
    largest share of its questions that one paragraph stands beside).
    Rejects, keyed by graph: no_contrast (too few paragraphs without the answer; the question stays without one).
    """
    rows = _rows(composed_hops, graph_splits)
    pool = make_pool(rows, single_hops, gold_paragraphs, known_names)
    supports = ((row["split"], paragraph) for row in rows for paragraph in row["paragraphs"])
    shown = corpora(pool.texts, supports, Counter(row["split"] for row in rows), params.seed)
    rejects, metrics = Rejects(), Counter[str](over_reuse=0)
    drawn: list[dict[str, Any]] = []
    most: dict[str, float] = {}
    by_graph = {row["graph"]: row for row in rows}
    order = [by_graph[graph] for graph in shuffled(by_graph, params.seed, "turns")]
    for split in SPLITS:
        chosen = [row for row in order if row["split"] == split]
        contexts = list(_split(chosen, shown[split], pool, rejects, metrics, params))
        most[f"{split}_paragraphs"] = len(shown[split])
        most[f"{split}_most_shown"] = _most_shown(contexts)
        drawn += contexts
    metrics["short"] = sum(len(row["paragraphs"]) < params.size for row in drawn)
    metrics["answerable"] = sum(row["answerable"] for row in drawn)
    metrics["unanswerable"] = len(drawn) - metrics["answerable"]
    tables = {DRAWN_CONTEXTS.name: DRAWN_CONTEXTS.table(drawn)}
    return Output(tables, rejects.table(), {name: float(count) for name, count in (metrics | most).items()})


def _rows(composed_hops: pa.Table, graph_splits: pa.Table) -> list[dict[str, Any]]:
    columns = ["graph", "hops", "question_steps", "hop_answers", "hop_aliases", "paragraphs"]
    rows = sql("SELECT c.*, s.split FROM c JOIN s USING (graph)", c=composed_hops.select(columns), s=graph_splits)
    return rows.to_pylist()


def _split(
    rows: Sequence[Row],
    names: Sequence[str],
    pool: Pool,
    rejects: Rejects,
    metrics: Counter[str],
    params: ContextParams,
) -> Iterator[dict[str, Any]]:
    """The contexts of one split, whose rows take paragraphs in this order."""
    supports = Counter(paragraph for row in rows for paragraph in row["paragraphs"])
    corpus = make_corpus(names, supports, pool, params)
    found = hits_of(rows, corpus, pool, params)
    seats = [_seat(row, hits, corpus, pool, params) for row, hits in zip(rows, found, strict=True)]
    needed = sum(params.size - len(seat.whole) + seat.stand_ins for seat in seats)
    left = limits(names, supports, needed, most=params.max_shown * len(rows), reuse=params.max_reuse)
    deal(seats, left, [corpus.everything, *corpus.likes.values()], corpus.texts)
    for row, seat in zip(rows, seats, strict=True):
        metrics["over_reuse"] += _complete(seat, corpus, row["graph"], params.seed)
        yield from _contexts(row, seat, pool, rejects, params)


def _seat(row: Row, hits: Sequence[str], corpus: Corpus, pool: Pool, params: ContextParams) -> Seat:
    start = int.from_bytes(rank(params.seed, row["graph"], "fill")[:8])
    asked = (pool.relations[hop] for hop in row["hops"] if hop in pool.relations)
    likes = [corpus.likes[relation].walk(start) for relation in asked if relation in corpus.likes]
    found = iter(hits)
    seat = Seat(
        size=params.size,
        barred=barred(row, pool),
        sources=[source for like in likes for source in (found, like)] or [found],
        last=corpus.everything.walk(start),
        whole=list(row["paragraphs"]),
    )
    if params.contrasts:
        missing = seat.missing = _missing(row, corpus, pool, params.seed)
        seat.wanted = forms(_spelt(row, missing, pool))
        kept = (name for at, name in enumerate(row["paragraphs"], start=1) if at != missing)
        seat.contrast = [name for name in kept if not mentions(corpus.texts[name], seat.wanted)]
        seat.stand_ins = len(seat.whole) - len(seat.contrast)
    return seat


def _missing(row: Row, corpus: Corpus, pool: Pool, seed: int) -> int:
    """The hop whose answer the contrast lacks, from 1; the last one always may be."""
    fit = [hop for hop in range(1, len(row["hops"]) + 1) if _is_named(row, hop, corpus, pool)]
    return fit[int.from_bytes(rank(seed, row["graph"], "missing")[:8]) % len(fit)]


def _is_named(row: Row, hop: int, corpus: Corpus, pool: Pool) -> bool:
    """Whether the paragraphs of all hops that ask about a hop's answer name it."""
    asking = [text for step, text in zip(row["question_steps"], row["paragraphs"], strict=True) if f"#{hop}" in step]
    wanted = forms(_spelt(row, hop, pool))
    return all(mentions(corpus.texts[paragraph], wanted) for paragraph in asking)


def _spelt(row: Row, missing: int, pool: Pool) -> list[str]:
    """All spellings of the answer that the contrast lacks."""
    return pool.spellings.of([row["hop_answers"][missing - 1], *row["hop_aliases"][missing - 1]])


def _complete(seat: Seat, corpus: Corpus, key: str, seed: int) -> int:
    """Fills contexts that limits left short, without regard to them; returns how many paragraphs that took."""
    if seat.full:
        return 0
    added = 0
    order = shuffled((name for name in corpus.names if name not in seat.barred), seed, f"rest\x1f{key}")
    for name in order:
        if len(seat.whole) < seat.size and name not in seat.whole:
            seat.whole.append(name)
            added += 1
        contrast = seat.contrast
        if contrast is None or len(contrast) >= seat.size or name in contrast:
            continue
        if not mentions(corpus.texts[name], seat.wanted):
            contrast.append(name)
            added += 1
    return added


def _contexts(row: Row, seat: Seat, pool: Pool, rejects: Rejects, params: ContextParams) -> Iterator[dict[str, Any]]:
    """The question's context, and its contrast if it gets one."""
    supports = {paragraph: number for number, paragraph in enumerate(row["paragraphs"], start=1)}
    yield _context(row, seat.whole, supports, 0, [], params.seed)
    if seat.contrast is None:
        return
    if len(seat.contrast) < len(seat.whole):
        rejects.add(row["graph"], "no_contrast", f"{len(seat.contrast)} of {len(seat.whole)} paragraphs")
        return
    spelt = _spelt(row, seat.missing, pool)
    yield _context(row, seat.contrast[: len(seat.whole)], supports, seat.missing, spelt, params.seed)


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


def _most_shown(contexts: Sequence[Mapping[str, Any]]) -> float:
    beside: Counter[str] = Counter()
    whole = [row for row in contexts if row["answerable"]]
    for row in whole:
        beside.update(name for name, hop in zip(row["paragraphs"], row["supports"], strict=True) if hop == NO_HOP)
    return max(beside.values(), default=0) / max(len(whole), 1)


def stage(params: ContextParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = params or ContextParams()
    return Stage(
        name="musique.distractors",
        shape=Whole(),
        kernel=partial(draw, params=params),
        inputs=(COMPOSED_HOPS.name, GRAPH_SPLITS.name, hops, GOLD_PARAGRAPHS.name, KNOWN_NAMES.name),
        outputs=(DRAWN_CONTEXTS,),
        templates=digests(),
        about="Section 5.1: paragraphs that support a question and others like them, and the same without an answer.",
    )
