"""Stage `musique.contexts`: contexts with the texts of their paragraphs, each held against its promise."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.columns import values
from stages.core.contract import Map, Output, Stage, StageError
from stages.musique.contexts.tables import CONTEXTS, DRAWN_CONTEXTS, NO_HOP, SHOWN
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from stages.musique.spellings.mentions import forms, mentions, searchable
from stages.musique.spellings.other_names import digests


def fill(drawn_contexts: pa.Table, gold_paragraphs: pa.Table) -> Output:
    """CONTEXTS from a shard of DRAWN_CONTEXTS and all GOLD_PARAGRAPHS.

    Metrics: contexts, paragraphs, supporting (paragraphs).
    Raises StageError where a contrast mentions the answer that it is to lack, or a context is unsound otherwise.
    """
    at = pc.index_in(pc.list_flatten(drawn_contexts["paragraphs"]), gold_paragraphs["paragraph"])
    if at.null_count:
        raise StageError("musique.contexts: a context shows a paragraph that no single hop has")
    shown = gold_paragraphs.take(at).combine_chunks()
    hops = pc.list_flatten(drawn_contexts["supports"])
    contexts = _lists(drawn_contexts, shown.append_column("supports", hops))
    texts = [searchable(f"{title}\n{text}") for title, text in values(shown, "title", "text")]
    end = 0
    for row in drawn_contexts.to_pylist():
        start, end = end, end + len(row["paragraphs"])
        _check(row, texts[start:end])
    counts = {
        "contexts": contexts.num_rows,
        "paragraphs": shown.num_rows,
        "supporting": pc.sum(pc.not_equal(hops, NO_HOP)).as_py() or 0,
    }
    return Output({CONTEXTS.name: contexts}, metrics={name: float(count) for name, count in counts.items()})


def _lists(drawn_contexts: pa.Table, shown: pa.Table) -> pa.Table:
    """CONTEXTS from contexts and the paragraphs of all of them, one after the other."""
    columns = [shown[field.name].combine_chunks() for field in SHOWN]
    sizes = pc.list_value_length(drawn_contexts["paragraphs"]).to_pylist()
    offsets = pa.array(list(accumulate(sizes, initial=0)), pa.int32())
    lists = pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(columns, fields=list(SHOWN)))
    kept = drawn_contexts.select(["question", "answerable", "split", "missing"])
    return pa.Table.from_arrays([*kept.columns, lists], schema=CONTEXTS.schema)


def _check(row: Mapping[str, Any], texts: list[str]) -> None:
    """Holds a context against its promise; texts: its paragraphs as `searchable`."""
    where = f"musique.contexts: {row['question']}"
    if len(set(row["paragraphs"])) < len(row["paragraphs"]):
        raise StageError(f"{where} shows a paragraph twice")
    hops = sorted(hop for hop in row["supports"] if hop != NO_HOP)
    if row["answerable"] and hops != list(range(1, len(hops) + 1)):
        raise StageError(f"{where} is answerable, and its paragraphs support the hops {hops}")
    wanted = forms(row["missing_answers"])
    for paragraph, text in zip(row["paragraphs"], texts, strict=True):
        if mentions(text, wanted):
            raise StageError(f"{where} must not be answerable, and {paragraph} mentions {row['missing_answers']}")


def stage() -> Stage:
    return Stage(
        name="musique.contexts",
        shape=Map(),
        kernel=fill,
        inputs=(DRAWN_CONTEXTS.name,),
        side=(GOLD_PARAGRAPHS.name,),
        outputs=(CONTEXTS,),
        templates=digests(),
        about="Section 5.1: the texts of contexts, checked.",
    )
