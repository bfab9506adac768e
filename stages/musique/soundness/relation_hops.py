"""Why a relation of a subject and its value make no step: it has many values, or its text does not state this one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from stages.musique.bridges.whole import fault as mention_fault
from stages.musique.single_hops.forms import bare, form, words_of
from stages.musique.soundness.asked_kinds import CONTINENT, COUNTRY, AskedKinds
from stages.wikipedia.sentences import split_sentences
from stages.wikipedia.title_lookup import base

Row = Mapping[str, Any]


@dataclass(frozen=True)
class RelationRules:
    """refused: relations that are not asked for, with why; places, people: those whose value is a place, and those
    whose subject is a person, by label;
    known: joined forms of names by which the pool calls things elsewhere: titles without qualifiers, and values of
    relations."""

    refused: Mapping[str, str]
    places: Collection[str]
    people: Collection[str]
    known: Collection[str]


def fault(row: Row, rules: RelationRules, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    """(reason, what shows it) of a relational hop; None where nothing speaks against it."""
    subject, relation, answer = row["subject"], row["relation"], row["answer"]
    if why := rules.refused.get(relation):
        return f"relation_of_{why}", relation
    if len(answer.split()) > most_words:
        return "long_answer", f"{len(answer.split())} words, the most is {most_words}"
    if asked.is_adjective(subject):
        return "adjective_for_name", subject
    if asked.is_adjective(answer) and (relation in rules.places or relation in asked.relations):
        return "adjective_for_name", answer
    kind = asked.relations.get(relation)
    if kind is not None and not asked.can_be(kind, answer):
        return "other_kind_of_answer", f"{kind}: {answer}"
    if kind == COUNTRY and bare(form(subject)) in asked.countries:
        # England is a country, and in another.
        return "country_of_country", subject
    if kind == CONTINENT and asked.on_other_continent(subject, answer):
        return "other_kind_of_answer", f"{subject} lies elsewhere: {answer}"
    if kind is None and answer == answer.lower():
        return "other_kind_of_answer", f"name: {answer}"
    if not _is_known(row, rules, asked):
        return "part_of_name", subject
    if not _stated_together(row):
        return "not_in_one_sentence", f"{subject} | {answer}"
    return None


def _is_known(row: Row, rules: RelationRules, asked: AskedKinds) -> bool:
    """Whether a subject is called by its whole name, and by one that tells who or what it is without its text."""
    subject, name = row["subject"], bare(form(row["subject"]))
    if not subject[:1].isupper() and not subject[:1].isdigit() and not subject.lower().startswith("the "):
        return False
    if name == bare(form(base(row["title"]))):
        return True
    if name.count(" ") == 2 and name not in asked.countries | asked.continents and name not in rules.known:
        # One word, which nothing else in the pool is called by.
        return False
    if name.count(" ") == 2 and row["relation"] in rules.people:
        # One of a person's names.
        return False
    return _stands_whole(row["text"], name) is not False and _stands_whole(row["title"], name) is not False


def _stands_whole(text: str, name: str) -> bool | None:
    """Whether a text has a name anywhere as no part of a longer one; None where it does not have it at all."""
    words = words_of(text)
    places = words.find(name)
    if not places:
        return None
    return any(mention_fault(text, words, *place, text[slice(*words.span(*place))]) is None for place in places)


def _stated_together(row: Row) -> bool:
    """Whether a sentence names both sides, or the page is about the subject."""
    subject, answer = bare(form(row["subject"])), bare(form(row["answer"]))
    if subject == bare(form(base(row["title"]))):
        return True
    return any(subject in found and answer in found for found in _sentences(row["text"]))


@lru_cache(maxsize=8192)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(form(sentence) for sentence in split_sentences(text))
