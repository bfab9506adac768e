"""Stages `musique.mechanical_composition` and `musique.mechanical_composition_distinct`: questions in words by rules,
each once (section 5.1).

In the paper people write every question. Rules stand in until they have, and where nobody does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.alive import alive
from stages.core.contract import Map, Output, Stage, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.core.short_answers import normalise
from stages.musique.composition.grammar import Grammar, load_grammar
from stages.musique.composition.tables import ASKED_HOPS, MECHANICAL_QUESTIONS
from stages.musique.composition.words import FORMS, PHRASE, Known, compose
from stages.musique.disconnection.tables import KEPT_BRIDGES
from stages.musique.graphs.shapes import BY_NAME
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from stages.musique.spellings.mentions import forms, mentions, searchable
from stages.musique.spellings.other_names import digests

# Hops from which on a question may be told in several sentences.
_LEAST_APART = 4
_ANSWERS = ["hop_answers", "hop_aliases", "answer", "answer_aliases"]
_READ = ["graph", "hops", "edges", "question_steps", "paragraphs", *_ANSWERS]


def mechanical(composed_hops: pa.Table, bridges: pa.Table, paragraphs: pa.Table, *, grammar: Grammar) -> Output:
    """MECHANICAL_QUESTIONS from a shard of COMPOSED_HOPS.

    bridges: all, for the types of their entities; paragraphs: GOLD_PARAGRAPHS, all, for the spelling of names.

    Rejects, keyed by graph: too_slow. Metrics: questions, and per form its number.
    """
    columns = (bridges[name].to_pylist() for name in ("head", "tail", "entity_type"))
    types = {(head, tail): kind for head, tail, kind in zip(*columns, strict=True)}
    shown = _shown(composed_hops, paragraphs)
    rejects, rows, counts = Rejects(), [], Counter(dict.fromkeys(FORMS, 0))
    for row in composed_hops.select(_READ).to_pylist():
        alive()
        with rejects.catch(row["graph"]):
            composed = compose(row["question_steps"], _known(row, types, shown), grammar)
            counts[composed.form] += 1
            rows.append({"graph": row["graph"], "question": composed.question, "form": composed.form})
    metrics = {"questions": len(rows), **counts}
    return Output(
        {MECHANICAL_QUESTIONS.name: MECHANICAL_QUESTIONS.table(rows)},
        rejects.table(),
        {name: float(count) for name, count in metrics.items()},
    )


def _shown(composed_hops: pa.Table, paragraphs: pa.Table) -> dict[str, tuple[str, str]]:
    wanted = pc.is_in(paragraphs["paragraph"], pc.list_flatten(composed_hops["paragraphs"]).combine_chunks())
    rows = paragraphs.filter(wanted).to_pylist()
    return {row["paragraph"]: (row["title"], row["text"]) for row in rows}


def _known(row: Mapping[str, Any], types: Mapping[tuple[str, str], str], shown: Mapping[str, tuple[str, str]]) -> Known:
    hops = row["hops"]
    kinds = {edge["from"]: types.get((hops[edge["from"] - 1], hops[edge["to"] - 1]), "") for edge in row["edges"]}
    texts = {number: shown.get(paragraph, ()) for number, paragraph in enumerate(row["paragraphs"], start=1)}
    return Known(kinds, texts)


def _answers(row: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The forms of every hop's answer, the last one's at the end."""
    spelt = zip(row["hop_answers"], row["hop_aliases"], strict=True)
    return [*(forms([answer, *others]) for answer, others in spelt), forms([row["answer"], *row["answer_aliases"]])]


@dataclass(frozen=True)
class DistinctParams:
    """seed: of the choice between graphs that ask the same.
    max_words: most words of a question. nested: whether a question of two or three hops has to be one sentence.
    """

    seed: int = 0
    max_words: int = 45
    nested: bool = True

    def __post_init__(self) -> None:
        at_least(self, 1, "max_words")


def distinct(composed_hops: pa.Table, questions: pa.Table, *, params: DistinctParams) -> Output:
    """ASKED_HOPS from COMPOSED_HOPS and MECHANICAL_QUESTIONS.

    Hops of one wording ("Rome >> part of") may have several answers, so that two graphs ask the same: one of them
    stays, chosen at random. No question holds the answer of a step. Rejects, keyed by graph: same_question;
    answer_in_question, step_in_question (the words around it hold it, or another step's own words do); too_long,
    several_sentences.
    """
    rejects, worded = Rejects(), {}
    for row in questions.to_pylist():
        if reason := _clumsy(row, params):
            rejects.add(row["graph"], reason, row["question"])
        else:
            worded[row["graph"]] = row["question"]
    answers = {row["graph"]: _answers(row) for row in composed_hops.select(["graph", *_ANSWERS]).to_pylist()}
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for graph, question in worded.items():
        text = searchable(question)
        *steps, last = (mentions(text, spelt) for spelt in answers[graph])
        if last or any(steps):
            rejects.add(graph, "answer_in_question" if last else "step_in_question", question)
        else:
            groups[normalise(question)].append(graph)
    kept = []
    for graphs in groups.values():
        first, *others = sorted(graphs, key=lambda graph: rank(params.seed, graph, "distinct"))
        kept.append(first)
        for graph in others:
            rejects.add(graph, "same_question", worded[graph])
    asked = composed_hops.filter(pc.is_in(composed_hops["graph"], pa.array(kept, pa.string())))
    return Output({ASKED_HOPS.name: asked}, rejects.table(), {"questions": float(asked.num_rows)})


def _clumsy(row: Mapping[str, Any], params: DistinctParams) -> str | None:
    """Why a question in words is left out for the way it reads."""
    if len(row["question"].split()) > params.max_words:
        return "too_long"
    few = BY_NAME[row["graph"].partition("__")[0]].level < _LEAST_APART
    return "several_sentences" if params.nested and few and row["form"] != PHRASE else None


def mechanical_stage(bridges: str = KEPT_BRIDGES.name) -> Stage:
    """bridges: the name of the table of BRIDGES that the graphs are made of."""
    grammar = load_grammar()
    return Stage(
        name="musique.mechanical_composition",
        shape=Map(),
        kernel=partial(mechanical, grammar=grammar),
        inputs=(COMPOSED_HOPS.name,),
        side=(bridges, GOLD_PARAGRAPHS.name),
        outputs=(MECHANICAL_QUESTIONS,),
        templates=grammar.digests,
        about="Section 5.1: each graph as one question, worded by rules.",
    )


def distinct_stage(params: DistinctParams | None = None) -> Stage:
    params = params or DistinctParams()
    return Stage(
        name="musique.mechanical_composition_distinct",
        shape=Whole(),
        kernel=partial(distinct, params=params),
        inputs=(COMPOSED_HOPS.name, MECHANICAL_QUESTIONS.name),
        outputs=(ASKED_HOPS,),
        templates=digests(),
        about="Section 5.1: graphs that ask the same in words, once.",
    )
