"""Step `shown_pages` of `qampari.answer_drafts`: the text of the pages that are shown with an answer.

A page is shown whole up to a length; of a longer one, whole passages around its evidence are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rejects import Rejects
from stages.qampari.judging.wrong_answers import SHOWN_ANSWERS

CUT = "[...]"
_BETWEEN = "\n\n"

SHOWN_PAGES = TableSpec(
    name="shown_pages",
    schema=pa.schema([*(column for column in SHOWN_ANSWERS.schema if column.name != "passages"), text("text")]),
    key=SHOWN_ANSWERS.key,
    bucket_by=("query",),
)
"""As SHOWN_ANSWERS, with the text that is shown in place of its passages."""


@dataclass(frozen=True)
class PageParams:
    """page_chars: a page up to this length is shown whole; the passages with the evidence are shown at any length."""

    page_chars: int = 8000

    def __post_init__(self) -> None:
        if self.page_chars < 1:
            raise StageError(f"page_chars: expected at least 1, got {self.page_chars}")


def shown_pages(answers: pa.Table, passages: pa.Table, *, params: PageParams) -> Output:
    """SHOWN_PAGES from one bucket of SHOWN_ANSWERS and of passages by title.

    Rejects, keyed by origin: no_page (the detail names it).
    """
    wanted = set(answers["title"].to_pylist())
    texts: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for row in passages.select(["title", "number", "text"]).to_pylist():
        if row["title"] in wanted:
            texts[row["title"]][row["number"]] = row["text"]
    rejects, rows = Rejects(), []
    for row in answers.to_pylist():
        page = texts.get(row["title"], {})
        if not set(row["passages"]) <= page.keys():
            rejects.add(row["origin"], "no_page", row["title"])
            continue
        numbers = sorted(page)
        chosen = window([len(page[place]) for place in numbers], map(numbers.index, row["passages"]), params.page_chars)
        kept = {name: row[name] for name in SHOWN_PAGES.schema.names if name in row}
        rows.append(kept | {"text": excerpt([page[place] for place in numbers], chosen)})
    return Output({SHOWN_PAGES.name: SHOWN_PAGES.table(rows)}, rejects.table())


def window(lengths: Sequence[int], needed: Iterable[int], most: int) -> list[int]:
    """The passages to show, sorted: the needed ones and as many next to them as fit into `most` characters.

    lengths: of all passages of the page, in order. They are taken in rings around the needed ones, the earlier
    passage before the later, until one does not fit.
    """
    wanted = set(needed)
    chosen = set(wanted)
    total = sum(lengths[place] for place in chosen)
    order = sorted(
        (place for place in range(len(lengths)) if place not in chosen),
        key=lambda place: (min(abs(place - other) for other in wanted), place),
    )
    for place in order:
        total += lengths[place]
        if total > most:
            break
        chosen.add(place)
    return sorted(chosen)


def excerpt(texts: Sequence[str], chosen: Sequence[int]) -> str:
    """Some passages of a page, with a mark wherever others are left out."""
    parts, last = [], -1
    for place in chosen:
        parts += [CUT] * (place > last + 1) + [texts[place]]
        last = place
    return _BETWEEN.join([*parts, *[CUT] * (last < len(texts) - 1)])


def stage(params: PageParams | None = None) -> Stage:
    params = params or PageParams()
    return Stage(
        name="qampari.shown_pages",
        shape=Join(on=(("title",), ("title",))),
        kernel=partial(shown_pages, params=params),
        inputs=(SHOWN_ANSWERS.name, "passages"),
        outputs=(SHOWN_PAGES,),
        about="Step 11: the pages that people judge answers by.",
    )
