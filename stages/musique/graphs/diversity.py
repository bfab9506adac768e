"""How much alike the questions of one shape are: which of them share what would make them one exercise.

Two questions are alike in their last hop; in a bridge entity; in a page that supports them; in
their final answer, in any spelling; and in their template, which is what each hop asks for: its relation, or the
first two words of its question ("who wrote").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stages.musique.graphs.shapes import SHAPES
from stages.musique.single_hops.forms import Words, form
from stages.musique.spellings.answer_forms import forms

LAST_HOP, TEMPLATE, ENTITY, ANSWER, PAGE = KINDS = ("last_hop", "template", "entity", "answer", "page")

Trait = tuple[str, object]


def traits(row: Mapping[str, Any], hops: Sequence[Mapping[str, Any]]) -> set[Trait]:
    """(kind, value) of all in which others may be like a graph; hops: rows of SINGLE_HOPS, in its order."""
    last = hops[-1]
    found: set[Trait] = {(LAST_HOP, last["hop"]), (TEMPLATE, tuple(map(pattern, hops)))}
    found |= {(ENTITY, entity) for entity in row["entities"]}
    found |= {(PAGE, title) for hop in hops if (title := form(hop["title"])) != " "}
    return found | {(ANSWER, form) for text in (last["answer"], *last["answer_aliases"]) for form in forms(text)}


def pattern(hop: Mapping[str, Any]) -> str:
    """What a hop asks for."""
    if hop["relation"] is not None:
        return str(hop["relation"])
    return " ".join(Words.of(hop["question"]).words[:2])


def diversity(chosen: Iterable[tuple[str, Iterable[Trait]]]) -> dict[str, float]:
    """Metrics per shape, of (shape, traits) of each question.

    {shape}_{last_hops, templates, entities, answers, pages}: distinct ones (an answer has several forms);
    {shape}_commonest_{last_hop, template, entity, answer, page}: the share of the questions that the commonest is in.
    """
    counts = {shape.name: {kind: Counter[object]() for kind in KINDS} for shape in SHAPES}
    sizes: Counter[str] = Counter()
    for shape, listed in chosen:
        sizes[shape] += 1
        for kind, value in listed:
            counts[shape][kind][value] += 1
    plural = {ENTITY: "entities"}
    metrics = {}
    for shape, kinds in counts.items():
        for kind, values in kinds.items():
            metrics[f"{shape}_{plural.get(kind, kind + 's')}"] = float(len(values))
            metrics[f"{shape}_commonest_{kind}"] = max(values.values(), default=0) / max(sizes[shape], 1)
    return metrics
