"""Step `completeness` of `facts.statements`: is the Wikipedia we read complete enough to look for every answer?

A part of Wikipedia holds evidence for a part of the answers only, and over all answers
of Wikidata hardly any query would reach the share that the query filter asks for. There
the answers are limited to entities that own a page in the corpus. No bucket can see how
large the corpus is, so one small stage decides it for the whole build.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.columns import flag
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole

CORPUS = TableSpec(
    name="corpus",
    schema=pa.schema([pa.field("articles", pa.int64(), nullable=False), flag("partial"), flag("own_page")]),
    key=("articles",),
    buckets=1,
)

CHOICES = ("all", "own_page", "auto")


@dataclass(frozen=True)
class CorpusParams:
    """answers: "all" takes every answer, "own_page" those with a page in the corpus, "auto" the latter where
        the corpus is partial.
    complete_corpus_pages: linked pages from which on a corpus counts as complete.
    """

    answers: str = "auto"
    complete_corpus_pages: int = 5_000_000

    def __post_init__(self) -> None:
        if self.answers not in CHOICES:
            raise StageError(f"answers is {self.answers!r}, but has to be one of {', '.join(CHOICES)}")


def corpus(articles: pa.Table, *, params: CorpusParams) -> Output:
    """The one row of CORPUS; the metrics repeat it, so that the manifest tells what was decided."""
    is_partial = articles.num_rows < params.complete_corpus_pages
    own_page = params.answers == "own_page" or (params.answers == "auto" and is_partial)
    row = {"articles": articles.num_rows, "partial": is_partial, "own_page": own_page}
    return Output({CORPUS.name: CORPUS.table([row])}, metrics={name: float(value) for name, value in row.items()})


def stage(params: CorpusParams | None = None) -> Stage:
    params = params or CorpusParams()
    return Stage(
        name="facts.completeness",
        shape=Whole(),
        kernel=partial(corpus, params=params),
        inputs=("articles",),
        outputs=(CORPUS,),
        about="Decides whether answers are limited to entities that own a page (a partial corpus).",
    )
