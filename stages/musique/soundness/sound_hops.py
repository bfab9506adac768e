"""Step `sound_hops` of `musique.hop_filter`: hops that a reader would take for true and clear (MuSiQue, step 1).

The paper had curated sources, and people who looked at every bridge. A build without people is
stricter: a hop stays where its answers are names of one thing, of the kind that is asked for, its
relation has one value by nature, and its question can be understood without its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.core.alive import alive
from stages.core.contract import Output, Stage, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.musique.bridges.kinds import PERSON, PLACE, Kinds, load_kinds
from stages.musique.single_hops.forms import bare, form
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.soundness import asked_kinds, plain_questions, relation_hops, relation_values
from stages.musique.soundness.asked_kinds import AskedKinds
from stages.musique.soundness.one_thing import one_thing
from stages.musique.soundness.relation_hops import RelationRules
from stages.musique.spellings import answer_forms
from stages.wikipedia.title_lookup import base

SOUND_HOPS = replace(SINGLE_HOPS, name="sound_hops")
"""The rows of SINGLE_HOPS that no check speaks against."""


@dataclass(frozen=True)
class SoundnessParams:
    """answer_words: most words of an answer."""

    answer_words: int = 8

    def __post_init__(self) -> None:
        at_least(self, 1, "answer_words")


@dataclass(frozen=True)
class SoundnessRules:
    """What the templates tell; see `asked_kinds`, `relation_values` and `stages.musique.bridges.kinds`."""

    asked: AskedKinds
    refused: Mapping[str, str]
    kinds: Kinds


def sound_hops(hops: pa.Table, *, params: SoundnessParams, rules: SoundnessRules) -> Output:
    """SOUND_HOPS from all SINGLE_HOPS.

    Rejects, keyed by hop. Of all: contradicting_answers, long_answer, other_kind_of_answer. Of relations:
    relation_of_several, relation_of_levels, relation_of_changes, relation_of_vague, adjective_for_name, part_of_name,
    country_of_country, not_in_one_sentence. Of plain questions: unreadable, no_question_word, yes_or_no,
    open_question, two_questions, answer_in_own_question, speaks_of_its_text, answer_of_a_day, dangling_reference,
    names_nothing, one_of_many, not_in_paragraph.
    Metrics: hops, and of them relational.
    """
    rejects, kept = Rejects(), []
    ordered = hops.sort_by("hop")
    places = frozenset(label for label, sides in rules.kinds.objects.items() if sides == (PLACE,))
    people = frozenset(label for label, sides in rules.kinds.subjects.items() if sides == (PERSON,))
    relations = RelationRules(rules.refused, places, people, _known(ordered))
    counts = Counter[str]()
    for row in ordered.to_pylist():
        alive()
        found = _fault(row, relations, rules.asked, params.answer_words)
        kept.append(found is None)
        if found is None:
            counts["relational"] += row["relational"]
        else:
            reason, shown = found
            rejects.add(row["hop"], reason, f"{row['question']} | {row['answer']}: {shown}")
    table = ordered.filter(pa.array(kept, pa.bool_()))
    metrics = {"hops": float(table.num_rows), "relational": float(counts["relational"])}
    return Output({SOUND_HOPS.name: table}, rejects.table(), metrics)


def _known(hops: pa.Table) -> frozenset[str]:
    """What the pool calls things by: titles, and values of relations."""
    values = hops.filter(hops["relational"])["answer"].unique().to_pylist()
    titles = hops["title"].unique().to_pylist()
    return frozenset(bare(form(name)) for name in (*values, *map(base, titles)))


def _fault(
    row: Mapping[str, Any], relations: RelationRules, asked: AskedKinds, most_words: int
) -> tuple[str, str] | None:
    if row["relational"]:
        # Other spellings of a relation's value are names of one entity, by the source that tells them.
        return relation_hops.fault(row, relations, asked, most_words)
    if not one_thing([row["answer"], *row["answer_aliases"]]):
        return "contradicting_answers", " | ".join(row["answer_aliases"])
    return plain_questions.fault(row, asked, most_words)


def load_rules() -> SoundnessRules:
    """Raises StageError: a file of the templates cannot be used."""
    return SoundnessRules(asked_kinds.load_asked_kinds(), relation_values.refused(), load_kinds())


def _digests() -> dict[str, str]:
    return asked_kinds.digests() | relation_values.digests() | answer_forms.digests()


def stage(params: SoundnessParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    """hops: name of a table of SINGLE_HOPS. Raises StageError: a file of the templates cannot be used."""
    params, rules = params or SoundnessParams(), load_rules()
    return Stage(
        name="musique.sound_hops",
        shape=Whole(),
        kernel=partial(sound_hops, params=params, rules=rules),
        inputs=(hops,),
        outputs=(SOUND_HOPS,),
        templates={
            **asked_kinds.digests(),
            **relation_values.digests(),
            **rules.kinds.digests,
            **answer_forms.digests(),
        },
        about="S1: hops that are true and clear as far as rules can tell.",
    )
