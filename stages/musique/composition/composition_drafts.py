"""Stage `musique.composition_drafts`: graphs that people check and put into words (section 5.1, human composition).

The bridges come first: a worker sees each with what both paragraphs say, and one that joins
two things of one name ends the task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from manifests.digest import canonical_json
from stages.annotation.tasks import MAX_REDUNDANCY
from stages.core.contract import Join, Output, Stage, StageError
from stages.core.splits import SPLITS
from stages.musique.composition.tables import ASKED_HOPS, COMPOSITION_DRAFTS
from stages.musique.contexts.tables import CONTEXTS, NO_HOP

# Of a paragraph's characters; longer ones are cut behind these.
_EXCERPT = 1200


@dataclass(frozen=True)
class CompositionParams:
    """splits: whose graphs are put before people; redundancy: workers per graph, 0 for the kind's own number.
    kind: of the tasks, a folder of templates/annotation; set by the stage."""

    splits: tuple[str, ...] = SPLITS
    redundancy: int = 0
    kind: str = ""

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.splits) - set(SPLITS)):
            raise StageError(f"splits: expected some of {', '.join(SPLITS)}, got {', '.join(unknown)}")
        if not 0 <= self.redundancy <= MAX_REDUNDANCY:
            raise StageError(f"redundancy: expected 0 to {MAX_REDUNDANCY}, got {self.redundancy}")


def drafts(asked_hops: pa.Table, contexts: pa.Table, *, params: CompositionParams) -> Output:
    """COMPOSITION_DRAFTS from one bucket of ASKED_HOPS by graph and of CONTEXTS by question; their origin the graph.

    Metrics: drafts.
    """
    wanted = pc.and_(contexts["answerable"], pc.is_in(contexts["split"], pa.array(params.splits, pa.string())))
    paragraphs = {row["question"]: _supports(row) for row in contexts.filter(wanted).to_pylist()}
    rows = []
    for row in asked_hops.to_pylist():
        if row["graph"] in paragraphs:
            shown = canonical_json(payload(row, paragraphs[row["graph"]]))
            unknown = {"wrong_payload": None, "wrong_gold": None, "gold": None}
            asked = {"origin": row["graph"], "kind": params.kind, "redundancy": params.redundancy}
            rows.append(asked | unknown | {"payload": shown})
    return Output({COMPOSITION_DRAFTS.name: COMPOSITION_DRAFTS.table(rows)}, metrics={"drafts": float(len(rows))})


def payload(graph: Mapping[str, Any], paragraphs: Mapping[int, Mapping[str, Any]]) -> dict[str, str]:
    """What a worker sees of a row of ASKED_HOPS. paragraphs: {title, text} of each hop by its number."""
    steps = zip(graph["question_steps"], graph["hop_answers"], strict=True)
    return {
        "steps": "\n".join(f"{number}. {step}\n   Answer: {answer}" for number, (step, answer) in enumerate(steps, 1)),
        "bridges": "\n\n".join(_bridge(graph, edge, paragraphs) for edge in graph["edges"]),
        "answer": graph["answer"],
    }


def _bridge(graph: Mapping[str, Any], edge: Mapping[str, int], paragraphs: Mapping[int, Mapping[str, Any]]) -> str:
    head, tail = edge["from"], edge["to"]
    lines = (
        f"#{head} = “{graph['hop_answers'][head - 1]}”, the answer of step {head}, which step {tail} asks about",
        f"Step {head} is answered in: {_excerpt(paragraphs[head])}",
        f"Step {tail} is answered in: {_excerpt(paragraphs[tail])}",
    )
    return "\n".join(lines)


def _excerpt(paragraph: Mapping[str, Any]) -> str:
    words = paragraph["text"]
    cut = words if len(words) <= _EXCERPT else f"{words[:_EXCERPT].rsplit(' ', 1)[0]} …"
    return f"{paragraph['title']}: {cut}"


def _supports(context: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    return {shown["supports"]: shown for shown in context["paragraphs"] if shown["supports"] != NO_HOP}


def stage(kind: str, params: CompositionParams | None = None) -> Stage:
    """kind: of the tasks, a folder of templates/annotation."""
    given = params or CompositionParams()
    params = CompositionParams(given.splits, given.redundancy, kind)
    return Stage(
        name="musique.composition_drafts",
        shape=Join(on=(("graph",), ("question",))),
        kernel=partial(drafts, params=params),
        inputs=(ASKED_HOPS.name, CONTEXTS.name),
        outputs=(COMPOSITION_DRAFTS,),
        about="Section 5.1: graphs whose bridges people check, and which they put into words.",
    )
