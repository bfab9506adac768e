"""Reads the kinds of entries that template files have: answer classes, landmarks, articles, relations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from stages.facts.relations.entry import Entry, EntryForm
from stages.facts.relations.model import AnswerClass, Articles, CompositionRelation, Property, SimpleRelation

VALUES = ("item", "quantity", "time", "text")
WH_WORDS = ("who", "which", "what")

CLASS_KEYS = {"singular": True, "plural": True, "article": True, "wh": True, "breadth": False, "sort": False}
LANDMARK_KEYS = {"label": True, "sort": True}
ARTICLE_KEYS = {
    "exact": True,
    "starts": True,
    "ends": True,
    "within": True,
    "never": True,
    "bare": True,
    "superlatives": True,
}
RELATION_KEYS = {
    "label": True,
    "family": True,
    "hypothesis": True,
    "alternative": False,
    "value": False,
    "stands_for": False,
    "simple": False,
    "composition": False,
}
SIMPLE_KEYS = {
    "clause": True,
    "nested": True,
    "question": False,
    "classes": False,
    "noun": False,
    "kinds": False,
    "extra": False,
}
COMPOSITION_KEYS = {"plural": True, "question": True, "of": False, "extra": False}

_QID = re.compile(r"Q[1-9]\d*")
_PID = re.compile(r"P[1-9]\d*")
_SORT = re.compile(r"[a-z]+(/[a-z]+)*")

HYPOTHESIS = EntryForm(("subject", "object"), determined=("subject", "object"), end=".")
QUESTION = EntryForm(("which", "entity"), determined=("entity",), end="?")
CLAUSE = EntryForm(("entity",), determined=("entity",))
NESTED = EntryForm(("nouns", "entity"), determined=("entity",), loose=("that",), start="{nouns} ")
COMPOSED = EntryForm(("phrase",), end="?")


def read_class(entry: Entry) -> AnswerClass | None:
    """An answer class; None with problems noted where its QID is none."""
    if not _QID.fullmatch(entry.name):
        entry.problem("", "expected a QID such as Q11424 as its key")
        return None
    breadth = entry.fields.get("breadth", 1)
    if breadth not in (1, 2, 3) or isinstance(breadth, bool):
        entry.problem("breadth", f"expected 1, 2 or 3, found {breadth!r}")
    return AnswerClass(
        qid=entry.name,
        singular=entry.text("singular"),
        plural=entry.text("plural"),
        article=entry.choice("article", ("a", "an"), "a"),
        wh=entry.choice("wh", WH_WORDS, "which"),
        breadth=breadth,
        sorts=_sorts(entry),
    )


def read_landmark(entry: Entry) -> tuple[str, ...]:
    """The sorts of a class that no question asks for; none, with problems noted, where it is no class."""
    if not _QID.fullmatch(entry.name):
        entry.problem("", "expected a QID such as Q483394 as its key")
        return ()
    entry.text("label")
    return _sorts(entry)


def _sorts(entry: Entry) -> tuple[str, ...]:
    sorts = entry.texts("sort")
    for sort in sorts:
        if not _SORT.fullmatch(sort):
            entry.problem("sort", f"expected words with / between them such as place/area, found {sort!r}")
    return sorts


def read_articles(entry: Entry) -> Articles:
    """The lists of labels and words that decide about articles."""
    return Articles(
        exact=frozenset(entry.texts("exact")),
        starts=entry.texts("starts"),
        ends=entry.texts("ends"),
        within=entry.texts("within"),
        never=frozenset(entry.texts("never")),
        bare=frozenset(entry.texts("bare")),
        superlatives=entry.texts("superlatives"),
    )


def read_relation(
    file: str,
    pid: str,
    fields: Any,
    classes: Mapping[str, AnswerClass],
    families: Mapping[str, str],
    articles: Articles,
    problems: list[str],
) -> tuple[Property, SimpleRelation | None, CompositionRelation | None] | None:
    """The property of one entry and the roles it has; None where its key is no property id."""
    entry = Entry(file, pid, fields, RELATION_KEYS, problems)
    if not _PID.fullmatch(pid):
        entry.problem("", "expected a property id such as P57 as its key")
        return None
    if not ({"simple", "composition"} & set(entry.fields)):
        entry.problem("", "expected simple, composition or both")
    prop = _property(entry, pid, families, articles)
    stands_for = _stands_for(entry)
    simple = composition = None
    if "simple" in entry.fields:
        simple = _simple(entry, prop, classes, stands_for, problems)
    if "composition" in entry.fields:
        composition = _composition(entry, prop, classes, stands_for, problems)
    return prop, simple, composition


def _property(entry: Entry, pid: str, families: Mapping[str, str], articles: Articles) -> Property:
    family = entry.text("family")
    if family and family not in families:
        entry.problem("family", f"unknown family {family!r}; expected one of {', '.join(families)}")
    return Property(
        pid=pid,
        label=entry.text("label"),
        family=family,
        value=entry.choice("value", VALUES, "item"),
        hypotheses=entry.templates("hypothesis", HYPOTHESIS),
        alternative=entry.template("alternative", HYPOTHESIS) if "alternative" in entry.fields else None,
        articles=articles,
    )


def _stands_for(entry: Entry) -> str | None:
    value = entry.fields.get("stands_for")
    if value is not None and not (isinstance(value, str) and _PID.fullmatch(value)):
        entry.problem("stands_for", f"expected a property id, found {value!r}")
    return value


def _simple(
    outer: Entry,
    prop: Property,
    classes: Mapping[str, AnswerClass],
    stands_for: str | None,
    problems: list[str],
) -> SimpleRelation | None:
    entry = Entry(outer.file, f"{outer.name}: simple", outer.fields["simple"], SIMPLE_KEYS, problems)
    qids = entry.texts("classes")
    if ("classes" in entry.fields) == ("noun" in entry.fields):
        entry.problem("", "expected either classes (a typed relation) or noun (an untyped one)")
    named = qids or ((entry.text("noun"),) if "noun" in entry.fields else ())
    found = _named(entry, "classes" if qids else "noun", named, classes)
    clause = entry.template("clause", CLAUSE)
    if not found:
        return None
    return SimpleRelation(
        prop=prop,
        classes=found if qids else (),
        noun=found[0],
        question=entry.template("question", QUESTION, default=f"{{which}} {clause.text}?"),
        clause=clause,
        nested=entry.template("nested", NESTED),
        extra=entry.flag("extra"),
        stands_for=stands_for,
        kinds=entry.flag("kinds"),
    )


def _named(entry: Entry, key: str, named: Sequence[str], classes: Mapping[str, AnswerClass]) -> tuple[AnswerClass, ...]:
    """The answer classes of some QIDs, a problem noted for each that is none."""
    for qid in named:
        if qid and qid not in classes:
            entry.problem(key, f"unknown class {qid!r}; expected a QID of classes.yaml")
    return tuple(classes[qid] for qid in named if qid in classes)


def _composition(
    outer: Entry, prop: Property, classes: Mapping[str, AnswerClass], stands_for: str | None, problems: list[str]
) -> CompositionRelation:
    entry = Entry(outer.file, f"{outer.name}: composition", outer.fields["composition"], COMPOSITION_KEYS, problems)
    return CompositionRelation(
        prop=prop,
        plural=entry.text("plural"),
        question=entry.template("question", COMPOSED),
        of=_named(entry, "of", entry.texts("of"), classes),
        extra=entry.flag("extra"),
        stands_for=stands_for,
    )
