"""Stage `ifqa.passages`: pages cut into disjoint passages of equally many words (IfQA, section 3.1).

The last passage of a page is filled up with words from the page's start, so every passage
is equally long and every word of a page stands in one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice

import pyarrow as pa

from stages.core.alive import alive
from stages.core.columns import flag, number, text
from stages.core.contract import Map, Output, Stage, StageError, TableSpec
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.wikipedia.holes import HOLE
from stages.wikipedia.pages import PAGES
from stages.wikipedia.sentences import whole_sentences

WORD_PASSAGES = TableSpec(
    name="word_passages",
    schema=pa.schema([text("passage"), text("title"), number("number"), flag("wrapped"), text("text")]),
    key=("passage",),
    bucket_by=("title",),
)
"""One row per passage.

passage: "{title}#{number}"; number: place in its page, from 0.
wrapped: the page's end stands in it, followed by the page's start.
text: exactly `words` words with single spaces between them.
"""


@dataclass(frozen=True)
class PassagesParams:
    """words: of a passage; the paper's are 100.
    min_words: of a page. Below half a passage, its only passage would say the same thing more than twice.
    max_chars: of a passage; more is no prose.
    """

    words: int = 100
    min_words: int = 50
    max_chars: int = 4000

    def __post_init__(self) -> None:
        at_least(self, 1, "words", "min_words", "max_chars")
        if self.max_chars < 2 * self.words:
            raise StageError(f"max_chars: {self.words} words need at least {2 * self.words}, got {self.max_chars}")


def passages(pages: pa.Table, *, params: PassagesParams) -> Output:
    """WORD_PASSAGES from PAGES.

    Rejects: too_short (a page, keyed by its title), too_long (a passage, keyed by its id; the others of its page stay).
    Metrics: words (of all pages), passages, wrapped, with_hole (sentences in which something is missing, left out).
    """
    rows, rejects, count, with_hole = [], Rejects(), 0, 0
    for title, content in zip(pages["title"].to_pylist(), pages["text"].to_pylist(), strict=True):
        alive()
        if HOLE in content:
            sentences, holes = whole_sentences(content)
            content, with_hole = " ".join(sentences), with_hole + holes
        words = content.split()
        count += len(words)
        if len(words) < params.min_words:
            rejects.add(title, "too_short", f"{len(words)} words, expected {params.min_words} (min_words)")
            continue
        for place, (passage, refilled) in enumerate(cut(words, params.words)):
            key = f"{title}#{place}"
            if len(passage) > params.max_chars:
                rejects.add(key, "too_long", f"{len(passage)} characters, expected {params.max_chars} (max_chars)")
            else:
                rows.append({"passage": key, "title": title, "number": place, "wrapped": refilled, "text": passage})
    wrapped = sum(row["wrapped"] for row in rows)
    metrics = {"words": count, "passages": len(rows), "wrapped": wrapped, "with_hole": with_hole}
    return Output(
        {WORD_PASSAGES.name: WORD_PASSAGES.table(rows)},
        rejects.table(),
        {name: float(value) for name, value in metrics.items()},
    )


def cut(words: list[str], size: int) -> Iterator[tuple[str, bool]]:
    """(text, wrapped) of each passage of a page's words; a page shorter than a passage is repeated in it."""
    for start in range(0, len(words), size):
        part = words[start : start + size]
        missing = size - len(part)
        yield " ".join([*part, *islice(cycle(words), missing)]), missing > 0


def stage(params: PassagesParams | None = None) -> Stage:
    params = params or PassagesParams()
    return Stage(
        name="ifqa.passages",
        shape=Map(),
        kernel=partial(passages, params=params),
        inputs=(PAGES.name,),
        outputs=(WORD_PASSAGES,),
        about="Section 3.1: every page as disjoint passages of equally many words.",
    )
