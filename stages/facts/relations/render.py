"""Questions and hypotheses from relation templates: pure functions of templates and labels.

QAMPARI, section 3: simple questions, intersections ("Which film had X as director and
was produced by Y?") and compositions ("What are the heights of the buildings in Dubai?"),
and the declarative sentence that the entailment model reads. Labels stand as they are,
whatever characters they hold; runs of white space become one space, and in questions a
label that ends in "?" or "!" is put in quotation marks.
"""

from __future__ import annotations

from collections.abc import Mapping

from stages.facts.relations.grammar import (
    capitalised,
    joined,
    quoted_if_exclaimed,
    squeeze,
    with_definite,
    with_indefinite,
)
from stages.facts.relations.model import (
    AnswerClass,
    Articles,
    CompositionRelation,
    Relations,
    SimpleRelation,
    Slot,
    Template,
)


def question(relation: SimpleRelation, entity_label: str, answer_class: AnswerClass | None = None) -> str:
    """One-hop question; `answer_class` defaults to the relation's own noun."""
    kind = answer_class or relation.noun
    slots = {"which": which(kind), "entity": _asked(entity_label)}
    return capitalised(_fill(relation.question, slots, relation.prop.articles))


def intersection(
    first: SimpleRelation,
    first_entity: str,
    second: SimpleRelation,
    second_entity: str,
    answer_class: AnswerClass | None = None,
) -> str:
    """One question for the answers of both; `answer_class` defaults to the narrower of the two nouns."""
    kind = answer_class or narrower(first.noun, second.noun)
    clauses = [
        _fill(relation.clause, {"entity": _asked(entity)}, relation.prop.articles)
        for relation, entity in ((first, first_entity), (second, second_entity))
    ]
    return capitalised(f"{which(kind)} {clauses[0]} and {clauses[1]}?")


def composition(
    outer: CompositionRelation,
    inner: SimpleRelation,
    entity_label: str,
    answer_class: AnswerClass | None = None,
) -> str:
    """`outer` asked of the answers of `inner`; `answer_class` is the kind of those inner answers."""
    phrase = noun_phrase(inner, entity_label, answer_class)
    return capitalised(_fill(outer.question, {"phrase": phrase}, outer.prop.articles))


def noun_phrase(relation: SimpleRelation, entity_label: str, answer_class: AnswerClass | None = None) -> str:
    """The answers as a plural noun phrase with its article: "the films directed by X", "the studio albums"."""
    kind = answer_class or relation.noun
    label = squeeze(entity_label)
    if relation.kinds and label.endswith(f" {kind.singular}"):
        return f"the {label.removesuffix(kind.singular)}{kind.plural}"
    slots = {"nouns": kind.plural, "that": "who" if kind.wh == "who" else "that", "entity": _asked(entity_label)}
    return f"the {_fill(relation.nested, slots, relation.prop.articles)}"


def hypotheses(relations: Relations, pid: str, subject: str, object_: str) -> list[str]:
    """The statement (subject, pid, object) as sentences; KeyError names a property that has no template.

    object_: a label, or a value as it would be written in a text ("1969", "8,848 metres").
    """
    prop = relations.properties[pid]
    return [_stated(template, subject, object_, prop.articles) for template in prop.hypotheses]


def hypothesis(relations: Relations, pid: str, subject: str, object_: str, alternative: bool = False) -> str:
    """The first of the hypotheses.

    alternative: a second wording, or the first where the property has only one.
    """
    prop = relations.properties[pid]
    template = (prop.alternative if alternative else None) or prop.hypothesis
    return _stated(template, subject, object_, prop.articles)


def _stated(template: Template, subject: str, object_: str, articles: Articles) -> str:
    slots = {"subject": _plain(subject), "object": _plain(object_)}
    text = _fill(template, slots, articles)
    text = text[:-1] if text.endswith("..") else text
    first = template.parts[0]
    opens_with_label = isinstance(first, Slot) and text.startswith(slots[first.name])
    return text if opens_with_label else capitalised(text)


def which(kind: AnswerClass) -> str:
    """How a question for this kind of answer opens."""
    return f"which {kind.singular}" if kind.wh == "which" else kind.wh


def narrower(first: AnswerClass, second: AnswerClass) -> AnswerClass:
    """The more telling of two kinds that an answer has; the first where neither is."""
    return second if second.breadth < first.breadth else first


def _asked(label: str) -> str:
    return quoted_if_exclaimed(_plain(label))


def _plain(label: str) -> str:
    text = squeeze(label)
    if not text:
        raise ValueError(
            f"an empty label cannot be asked about or stated: {label!r}; reject the record before rendering"
        )
    return text


def _fill(template: Template, slots: Mapping[str, str], articles: Articles) -> str:
    return joined(
        [part if isinstance(part, str) else _label(part, slots[part.name], articles) for part in template.parts]
    )


def _label(slot: Slot, text: str, articles: Articles) -> str:
    if slot.determiner == "the":
        return with_definite(text, articles)
    return with_indefinite(text, articles) if slot.determiner == "a" else text
