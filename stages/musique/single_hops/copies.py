"""Step `copies` of `musique.hop_filter`: one text for every passage, however often the pool holds it (MuSiQue, step 1).

A passage that two data sets hold, or that one holds in two versions, would be two paragraphs:
train and dev could share it, and it could stand beside itself as one that does not answer.
Each hop is given the text that was chosen for its passage, if that answers it as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Output, Stage, StageError, Whole
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.musique.single_hops.forms import form, words_of
from stages.musique.single_hops.passages import PooledPassage, about_one, copies
from stages.musique.single_hops.stated import content
from stages.musique.single_hops.tables import SINGLE_HOPS

MERGED_HOPS = replace(SINGLE_HOPS, name="merged_hops")
"""The rows of SINGLE_HOPS over one text per passage: rows with one `paragraph` have one `title` and `text`."""

Row = Mapping[str, Any]
# Words on either side of an answer that must stand around it in a copy as well.
_AROUND = 2


@dataclass(frozen=True)
class CopyParams:
    """copies: share of the shorter passage's runs of five words that make two passages one, above 0 and at most 1."""

    copies: float = 0.8

    def __post_init__(self) -> None:
        if not 0 < self.copies <= 1:
            raise StageError(f"copies: expected above 0 and at most 1, got {self.copies}")


def merge(hops: pa.Table, *, params: CopyParams) -> Output:
    """MERGED_HOPS from all SINGLE_HOPS.

    Of a passage's ways of typing it takes the best, and of its versions the one that most hops are asked of.
    Rejects, keyed by hop: not_in_copy (the text that was chosen does not say the same around the answer),
    repeated_hop (over that text it is the same hop as another).
    Metrics: hops, paragraphs, copies (texts in whose place another is used), retyped (hops over another text).
    """
    rows = hops.sort_by("hop").to_pylist()
    chosen = _chosen(rows, params.copies)
    rejects, kept = Rejects(), []
    seen: set[str] = set()
    # Those that are asked of the chosen words come first, so that of equal hops one of them is kept.
    own = {passage for passage, choice in chosen.items() if passage.words == choice.words}
    for row in sorted(rows, key=lambda row: _passage(row) not in own):
        try:
            kept.append(_moved(row, chosen[_passage(row)], seen))
        except Refused as fault:
            rejects.add(row["hop"], fault.reason, str(fault))
    metrics = {
        "hops": len(kept),
        "paragraphs": len({row["paragraph"] for row in kept}),
        "copies": sum(passage != choice for passage, choice in chosen.items()),
        "retyped": sum(_passage(row) != chosen[_passage(row)] for row in rows),
    }
    counts = {name: float(count) for name, count in metrics.items()}
    return Output({MERGED_HOPS.name: MERGED_HOPS.table(kept)}, rejects.table(), counts)


def _passage(row: Row) -> PooledPassage:
    return PooledPassage(row["title"], row["text"])


def _chosen(rows: Iterable[Row], share: float) -> dict[PooledPassage, PooledPassage]:
    """The passage that stands for each."""
    asked = Counter(map(_passage, rows))
    typed: defaultdict[tuple[str, str], list[PooledPassage]] = defaultdict(list)
    for passage in sorted(asked):
        typed[passage.words].append(passage)
    best = [min(same, key=lambda passage: passage.untidy) for _, same in sorted(typed.items())]
    hops = {words: sum(asked[passage] for passage in same) for words, same in typed.items()}
    found: dict[PooledPassage, PooledPassage] = {}
    for group in copies(best, share):
        versions = [best[number] for number in group]
        choice = min(versions, key=lambda one: (-hops[one.words], -len(one.words[1]), one.words))
        found |= {passage: choice for version in versions for passage in typed[version.words]}
    return found


def _moved(row: dict[str, Any], passage: PooledPassage, seen: set[str]) -> dict[str, Any]:
    """The hop over the passage that was chosen."""
    start = _start(row, passage) if about_one(_passage(row), passage) else None
    if start is None:
        raise Refused("not_in_copy", f"{row['question']} | {row['answer']} | {passage.title}")
    same = content(row["question"], row["answer"], passage.id)
    if same in seen:
        raise Refused("repeated_hop", row["question"])
    seen.add(same)
    return {
        **row,
        "title": passage.title,
        "text": passage.text,
        "answer_start": start,
        "paragraph": passage.id,
        "words": len(passage.text.split()),
    }


def _start(row: Row, passage: PooledPassage) -> int | None:
    """Where the hop's answer stands in another text of its passage; None where it does not, or among other words."""
    answer, text = form(row["answer"]), passage.text
    if text == row["text"]:
        return row["answer_start"]
    if answer == " ":
        at = text.find(row["answer"])
        return at if at >= 0 else None
    own, other = words_of(row["text"]), words_of(text)
    first = bisect_left(own.spans, (row["answer_start"], 0))
    if own.words == other.words:
        return other.spans[first][0]
    begin, end = max(0, first - _AROUND), first + answer.count(" ") - 1 + _AROUND
    places = other.find(f" {' '.join(own.words[begin:end])} ")
    return other.spans[places[0][0] + first - begin][0] if places else None


def stage(params: CopyParams | None = None) -> Stage:
    params = params or CopyParams()
    return Stage(
        name="musique.copies",
        shape=Whole(),
        kernel=partial(merge, params=params),
        inputs=(SINGLE_HOPS.name,),
        outputs=(MERGED_HOPS,),
        about="S1: one text for every passage, however it is typed, cut or edited.",
    )
