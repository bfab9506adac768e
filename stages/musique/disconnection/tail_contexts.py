"""Step `tail_contexts`: masked tails between their own paragraph and likely others (MuSiQue, step 3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.contract import Output, Stage, Whole
from stages.core.limits import at_least
from stages.core.seeds import rank, shuffled
from stages.core.sql import sql
from stages.models.bm25 import Index
from stages.models.readers.interface import MASK, ReaderPassage
from stages.musique.bridges.tables import BRIDGES
from stages.musique.disconnection.panel import passages
from stages.musique.disconnection.tables import MASKED_TAILS
from stages.musique.single_hops.forms import RELATION_SIGN
from stages.musique.single_hops.tables import SINGLE_HOPS


@dataclass(frozen=True)
class TailContextParams:
    """distractors: paragraphs beside the own one, as many as there are; seed: of their order, and of those that fill up
    where too few share a word with the question."""

    distractors: int = 9
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(self, 0, "distractors")


def contexts(bridges: pa.Table, hops: pa.Table, *, params: TailContextParams) -> Output:
    """MASKED_TAILS from BRIDGES and SINGLE_HOPS.

    Metrics: masked_tails; found: their distractors that BM25 found, filled_up: the other ones.
    """
    tails = (
        sql(_TAILS, bridges=bridges, hops=hops).sort_by([("tail", "ascending"), ("masked", "ascending")]).to_pylist()
    )
    texts = passages(hops)
    found = _search([row["masked"] for row in tails], texts, params.distractors + 1)
    spare = shuffled(texts, params.seed, "fill")
    rows, hits = [], 0
    for row in tails:
        others = [paragraph for paragraph in found[row["masked"]] if paragraph != row["answered_by"]]
        others = others[: params.distractors]
        hits += len(others)
        filled = _filled([row["answered_by"], *others], spare, params, f"{row['tail']} {row['masked']}")
        rows.append(row | {"paragraphs": filled})
    total = sum(len(row["paragraphs"]) - 1 for row in rows)
    metrics = {"masked_tails": float(len(rows)), "found": float(hits), "filled_up": float(total - hits)}
    return Output({MASKED_TAILS.name: MASKED_TAILS.table(rows)}, metrics=metrics)


def query(masked: str) -> str:
    """What is searched for: the words of a masked question."""
    return masked.replace(MASK, " ").replace(RELATION_SIGN, " ").strip()


def _search(masked: list[str], texts: dict[str, ReaderPassage], count: int) -> dict[str, list[str]]:
    """The ids of the best paragraphs per masked question; equal questions are searched once."""
    ids = sorted(texts)
    index = Index.of(ids, (f"{texts[name].title} {texts[name].text}" for name in ids))
    queries = sorted({query(question) for question in masked})
    hits = dict(zip(queries, index.search(queries, count), strict=True))
    return {question: [hit.id for hit in hits[query(question)]] for question in masked}


def _filled(paragraphs: list[str], spare: list[str], params: TailContextParams, key: str) -> list[str]:
    """The paragraphs with as many others as are missing, in the order of the seed."""
    missing = params.distractors + 1 - len(paragraphs)
    if missing > 0:
        start = int.from_bytes(rank(params.seed, key, "start")[:8], "big") % len(spare)
        turned = (spare[(start + step) % len(spare)] for step in range(len(spare)))
        fresh = (paragraph for paragraph in turned if paragraph not in paragraphs)
        paragraphs = [*paragraphs, *(paragraph for paragraph, _ in zip(fresh, range(missing), strict=False))]
    return shuffled(paragraphs, params.seed, key)


_TAILS = """
    SELECT DISTINCT b.tail, b.masked, h.paragraph AS answered_by
    FROM bridges b
    JOIN hops h ON h.hop = b.tail
"""


def stage(params: TailContextParams | None = None, bridges: str = BRIDGES.name) -> Stage:
    params = params or TailContextParams()
    return Stage(
        name="musique.tail_contexts",
        shape=Whole(),
        kernel=partial(contexts, params=params),
        inputs=(bridges, SINGLE_HOPS.name),
        outputs=(MASKED_TAILS,),
        about="S3: tails with their bridge masked, each among paragraphs that its words lead to.",
    )
