"""Stage `wiqa.explanations`: why a question has its answer (WIQA, section 3.5).

The path itself explains an answer of more or less: the texts from the change to the
effect. For both ends it points to a sentence of the paragraph and says which way that
sentence's event goes: the sentence that most of the people point to who gave the answer,
or else the one that shares most words, where it shares enough. No effect needs no reason, and a question that
people have taken out has no explanation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from math import log
from typing import Any

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.wiqa.graph import LESS, MORE, NO_EFFECT
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.polarity import PolarityLexicon, load_lexicon, words
from stages.wiqa.tables import CHOSEN_QUESTIONS

EXPLANATIONS = TableSpec(
    name="explanations",
    schema=pa.schema(
        [
            text("question"),
            text("para_id"),
            text("split"),
            text("label"),
            texts("path"),
            texts("texts"),
            pa.field("change_sentence", pa.int32()),
            pa.field("change_direction", pa.string()),
            pa.field("effect_sentence", pa.int32()),
            pa.field("effect_direction", pa.string()),
            text("change_by"),
            text("effect_by"),
        ]
    ),
    key=("question",),
    bucket_by=("para_id",),
)
"""One row per question with the answer more or less.

path, texts: the nodes of the path and a text of each; the first is the change, the last the effect.
change_sentence, effect_sentence: index of the sentence that people point to, or of the one nearest in words; null
    where none is near enough.
change_by, effect_by: who found it: people, words, or "" where there is none.
change_direction: whether the change speaks of more or less; effect_direction: the same of the effect as it comes
    about, so a question answered "less" turns round what the effect's text says. Null where the lexicon cannot tell.
"""

PEOPLE, WORDS = "people", "words"
_TOLD = ("change_sentences", "effect_sentences", "change_directions", "effect_directions")
_STOP = frozenset(
    words(
        "a an the of to in on at by for from with and or is are be been was were will would there it its this that "
        "these those they them as into than then so very some any all more less many few much not no during happens"
    )
)
_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST = 3


def explanations(questions: pa.Table, graphs: pa.Table, *, lexicon: PolarityLexicon) -> Output:
    """EXPLANATIONS from one bucket of CHOSEN_QUESTIONS, or of VERIFIED_QUESTIONS, and of GRAPHS, both by para_id.

    Metrics: explanations, change_sentences, effect_sentences; change_directions, effect_directions: those that the
    lexicon can tell; by_people: ends of which people found the sentence.
    Rejects, keyed by question: no_such_sentence (people point beyond the paragraph; words decide instead).
    """
    of_graph = {(row["para_id"], row["graph_id"]): row for row in graphs.to_pylist()}
    finders: dict[str, SentenceFinder] = {}
    rejects, rows = Rejects(), []
    counts = Counter(explanations=0, by_people=0, **dict.fromkeys(_TOLD, 0))
    for question in questions.to_pylist():
        if question["label"] == NO_EFFECT:
            continue
        graph = of_graph[question["para_id"], question["graph_id"]]
        finder = finders.setdefault(question["para_id"], SentenceFinder(graph["sentences"]))
        row = explain(question, graph, finder, lexicon, rejects)
        rows.append(row)
        counts["explanations"] += 1
        for name in _TOLD:
            counts[name] += row[name.removesuffix("s")] is not None
        counts["by_people"] += (row["change_by"] == PEOPLE) + (row["effect_by"] == PEOPLE)
    metrics = {name: float(count) for name, count in counts.items()}
    return Output({EXPLANATIONS.name: EXPLANATIONS.table(rows)}, rejects.table(), metrics)


def explain(
    question: Mapping[str, Any],
    graph: Mapping[str, Any],
    finder: SentenceFinder,
    lexicon: PolarityLexicon,
    rejects: Rejects,
) -> dict[str, Any]:
    """The row of EXPLANATIONS for one question with a path; a node between its ends speaks by its first text."""
    middle = [graph[node][0] for node in question["path"][1:-1]]
    said = lexicon.direction(question["effect"])
    return {name: question[name] for name in ("question", "para_id", "split", "label", "path")} | {
        "texts": [question["change"], *middle, question["effect"]],
        **_place("change", question, finder, rejects),
        "change_direction": lexicon.direction(question["change"]),
        **_place("effect", question, finder, rejects),
        "effect_direction": turned(said) if said and question["label"] == LESS else said,
    }


def _place(
    end: str, question: Mapping[str, Any], finder: SentenceFinder, rejects: Rejects
) -> dict[str, int | str | None]:
    """The sentence of one end of a question's path, and who found it."""
    pointed = question.get(f"{end}_sentence")
    if pointed is not None and 0 <= pointed < finder.count:
        return {f"{end}_sentence": pointed, f"{end}_by": PEOPLE}
    if pointed is not None:
        rejects.add(question["question"], "no_such_sentence", f"{end}: {pointed + 1} of {finder.count}")
    found = finder.find(question[end])
    return {f"{end}_sentence": found, f"{end}_by": "" if found is None else WORDS}


def turned(direction: str) -> str:
    return LESS if direction == MORE else MORE


class SentenceFinder:
    """Finds the sentence of a paragraph that a text is about, by their common words.

    A word counts for more, the fewer sentences have it. One word that both have says too little, unless the text has
    no other.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = [stems(sentence) for sentence in sentences]
        self._having = Counter(stem for own in self._sentences for stem in own)
        self._found: dict[str, int | None] = {}

    @property
    def count(self) -> int:
        return len(self._sentences)

    def find(self, phrase: str) -> int | None:
        """Index of the sentence with most of the phrase's words; of equals the shortest, then the first."""
        if phrase not in self._found:
            wanted = stems(phrase)
            ranked = [(self._weight(wanted & own), -len(own), -at) for at, own in enumerate(self._sentences)]
            at = -max(ranked, default=(0.0, 0, 0))[2]
            shared = len(wanted & self._sentences[at]) if self._sentences else 0
            self._found[phrase] = at if shared >= 2 or 2 * shared > len(wanted) else None
        return self._found[phrase]

    def _weight(self, shared: Collection[str]) -> float:
        return sum(log((self.count + 1) / self._having[stem]) for stem in sorted(shared))


def stems(phrase: str) -> frozenset[str]:
    """The content words of a text without common endings."""
    return frozenset(_stem(word) for word in words(phrase) if word not in _STOP and len(word) >= _SHORTEST)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word


def stage(questions: str = CHOSEN_QUESTIONS.name, lexicon: PolarityLexicon | None = None) -> Stage:
    """questions: the name of a table of CHOSEN_QUESTIONS."""
    lexicon = lexicon or load_lexicon()
    return Stage(
        name="wiqa.explanations",
        shape=Join(on=(("para_id",), ("para_id",))),
        kernel=partial(explanations, lexicon=lexicon),
        inputs=(questions, GRAPHS.name),
        outputs=(EXPLANATIONS,),
        templates=lexicon.digests,
        about="Section 3.5: the path as explanation, with the sentences it starts and ends at.",
    )
