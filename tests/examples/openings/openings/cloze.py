"""Stage `openings.cloze`: the opening line of a page, with the page's name left out, as a question for that name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.contract import Map, Output, Stage, TableSpec
from stages.core.rejects import Rejects

BLANK = "____"
CLOZE = TableSpec(
    name="cloze",
    schema=pa.schema([pa.field(name, pa.string(), nullable=False) for name in ("title", "question")]),
    key=("title",),
)


@dataclass(frozen=True)
class ClozeParams:
    """min_words: of an opening."""

    min_words: int = 5


def cloze(pages: pa.Table, *, params: ClozeParams) -> Output:
    """CLOZE from a shard of pages. Rejects, keyed by title: unnamed, short."""
    rows, rejects = [], Rejects()
    for row in pages.select(["title", "text"]).to_pylist():
        opening = row["text"].partition("\n")[0]
        if row["title"] not in opening:
            rejects.add(row["title"], "unnamed", opening)
        elif len(opening.split()) < params.min_words:
            rejects.add(row["title"], "short", opening)
        else:
            rows.append({"title": row["title"], "question": opening.replace(row["title"], BLANK)})
    return Output({CLOZE.name: CLOZE.table(rows)}, rejects.table(), {"questions": float(len(rows))})


def stage(params: ClozeParams) -> Stage:
    return Stage(
        name="openings.cloze",
        shape=Map(),
        kernel=partial(cloze, params=params),
        inputs=("pages",),
        outputs=(CLOZE,),
        about="Each page's opening line with a blank for its name.",
    )
