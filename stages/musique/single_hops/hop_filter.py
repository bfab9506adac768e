"""Stages `musique.hop_filter` and `musique.hop_filter_paragraphs`: the single hops that can be used (MuSiQue, step
1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.contract import Join, Output, Stage, StageError
from stages.core.rejects import Rejects
from stages.core.sql import sql
from stages.core.texts import Refused
from stages.musique.single_hops.forms import RELATION_SIGN, Words, answer_at, form, relation_sides, words_of
from stages.musique.single_hops.passages import PooledPassage
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS, READ_HOPS, SINGLE_HOPS

_AS_STATED = ("given_id", "source", "question", "answer", "answer_aliases", "title", "text")


@dataclass(frozen=True)
class FilterParams:
    """Fewest and most words of a paragraph (between white space), as the paper has them."""

    min_words: int = 20
    max_words: int = 300

    def __post_init__(self) -> None:
        if not 1 <= self.min_words <= self.max_words:
            raise StageError(f"min_words {self.min_words} and max_words {self.max_words}: expected 1 <= min <= max")


def filter_hops(read: pa.Table, *, params: FilterParams) -> Output:
    """SINGLE_HOPS from the rows of some contents.

    The same question, answer and paragraph are used once, under the smallest (source, given_id).
    Rejects, keyed "{source}:{given_id or content}": repeated_hop, bad_relation (a ">>" without two sides),
    too_few_words, too_many_words, answer_not_in_paragraph.
    """
    rejects, kept = Rejects(), []
    metrics: Counter[str] = Counter()
    seen: set[str] = set()
    for stated in sorted(read.to_pylist(), key=lambda row: (row["content"], row["source"], row["given_id"])):
        try:
            if stated["content"] in seen:
                raise Refused("repeated_hop", stated["question"])
            seen.add(stated["content"])
            hop = _hop(stated, params)
        except Refused as fault:
            rejects.add(f"{stated['source']}:{stated['given_id'] or stated['content']}", fault.reason, str(fault))
            continue
        kept.append(hop)
        metrics["relational"] += hop["relational"]
        metrics["misplaced_answers"] += stated["answer_start"] not in (None, hop["answer_start"])
    counts = {name: float(metrics[name]) for name in ("relational", "misplaced_answers")}
    return Output({SINGLE_HOPS.name: SINGLE_HOPS.table(kept)}, rejects.table(), counts | {"hops": float(len(kept))})


def _hop(stated: dict[str, Any], params: FilterParams) -> dict[str, Any]:
    text, question = stated["text"], stated["question"]
    sides = relation_sides(question)
    if sides is None and RELATION_SIGN in question:
        raise Refused("bad_relation", question)
    words = len(text.split())
    if words < params.min_words:
        raise Refused("too_few_words", f"{words}, the least is {params.min_words}")
    if words > params.max_words:
        raise Refused("too_many_words", f"{words}, the most is {params.max_words}")
    start = _answer_start(stated)
    return {
        **{name: stated[name] for name in _AS_STATED},
        "hop": f"{stated['source']}:{stated['content']}",
        "relational": sides is not None,
        "subject": sides[0] if sides else None,
        "relation": sides[1] if sides else None,
        "answer_start": start,
        "paragraph": PooledPassage(stated["title"], text).id,
        "words": words,
        "tokens": len(Words.of(question).words),
    }


def _answer_start(stated: dict[str, Any]) -> int:
    """Where the answer stands, by its words; by its characters if it has none ("%")."""
    answer, text = stated["answer"], stated["text"]
    words, wanted = words_of(text), form(answer)
    if wanted == " ":
        at = text.find(answer)
        if at >= 0:
            return at
    elif place := answer_at(words, [wanted], stated["answer_start"]):
        return words.span(*place)[0]
    raise Refused("answer_not_in_paragraph", f"{answer} | {stated['question']}")


def paragraphs(hops: pa.Table) -> Output:
    """GOLD_PARAGRAPHS from hops, over one text per paragraph (as `musique.copies` gives them), of some paragraphs."""
    found = sql("SELECT DISTINCT paragraph, title, text FROM hops", hops=hops).cast(GOLD_PARAGRAPHS.schema)
    return Output({GOLD_PARAGRAPHS.name: found}, metrics={"paragraphs": float(found.num_rows)})


def stage(params: FilterParams | None = None) -> Stage:
    params = params or FilterParams()
    return Stage(
        name="musique.hop_filter",
        shape=Join(on=(("content",),)),
        kernel=partial(filter_hops, params=params),
        inputs=(READ_HOPS.name,),
        outputs=(SINGLE_HOPS,),
        about="S1: hops whose answer is a span of a paragraph of 20 to 300 words.",
    )


def paragraphs_stage() -> Stage:
    """GOLD_PARAGRAPHS from SINGLE_HOPS."""
    return Stage(
        name="musique.hop_filter_paragraphs",
        shape=Join(on=(("paragraph",),)),
        kernel=paragraphs,
        inputs=(SINGLE_HOPS.name,),
        outputs=(GOLD_PARAGRAPHS,),
        about="S1: the distinct paragraphs of the hops.",
    )
