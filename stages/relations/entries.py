"""Reads single entries of the template files: their keys, kinds of value and slots.

Every reader notes what it finds wrong in a shared list of problems and goes on, so that
one run shows all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stages.relations.model import (
    AnswerClass,
    Articles,
    CompositionRelation,
    Property,
    SimpleRelation,
    Slot,
    Template,
)

VALUES = ("item", "quantity", "time", "text")
WH_WORDS = ("who", "which", "what")

CLASS_KEYS = {"singular": True, "plural": True, "article": True, "wh": True, "breadth": False}
ARTICLE_KEYS = {"exact": True, "starts": True, "ends": True, "bare": True}
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
SIMPLE_KEYS = {"clause": True, "nested": True, "question": False, "classes": False, "noun": False, "extra": False}
COMPOSITION_KEYS = {"plural": True, "question": True, "extra": False}

_QID = re.compile(r"Q[1-9]\d*")
_PID = re.compile(r"P[1-9]\d*")
_SPACING = re.compile(r"^\s|\s$|\s\s|[\n\t]")
_LITERAL_ARTICLE = re.compile(r"\b(?:a|an)\s$", re.IGNORECASE)


@dataclass(frozen=True)
class Form:
    """What a template of some key must look like.

    slots: those that stand exactly once; loose: those that may stand any number of times.
    determined: slots that may carry a determiner. end: the last character, "" for a word.
    start: the text it must begin with.
    """

    slots: tuple[str, ...]
    determined: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    end: str = ""
    start: str = ""


HYPOTHESIS = Form(("subject", "object"), determined=("subject", "object"), end=".")
QUESTION = Form(("which", "entity"), determined=("entity",), end="?")
CLAUSE = Form(("entity",), determined=("entity",))
NESTED = Form(("nouns", "entity"), determined=("entity",), loose=("that",), start="{nouns} ")
COMPOSED = Form(("phrase",), end="?")


class Entry:
    """One mapping of a file with its known keys, and the place to note problems.

    keys: known keys, True for those that must be there.
    """

    def __init__(self, file: str, name: str, fields: Any, keys: Mapping[str, bool], problems: list[str]) -> None:
        self.file, self.name, self._problems = file, name, problems
        self.fields: dict[str, Any] = fields if isinstance(fields, dict) else {}
        if not isinstance(fields, dict):
            self.problem("", f"expected a mapping with {', '.join(keys)}, found {fields!r}")
            return
        for key in self.fields:
            if key not in keys:
                self.problem(str(key), f"unknown key; expected one of {', '.join(keys)}")
        for key, needed in keys.items():
            if needed and key not in self.fields:
                self.problem(key, "missing")

    def problem(self, key: str, text: str) -> None:
        self._problems.append(f"{self.file}: {self.name}: {f'{key}: ' if key else ''}{text}")

    def text(self, key: str) -> str:
        """The non-empty, evenly spaced string under `key`; "" with a problem noted where it is none."""
        value = self.fields.get(key)
        if key not in self.fields:
            return ""
        if not isinstance(value, str) or not value or _SPACING.search(value):
            self.problem(key, f"expected one line of text without stray spaces, found {value!r}")
            return ""
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.fields.get(key, default)
        if value not in allowed:
            self.problem(key, f"expected one of {', '.join(allowed)}, found {value!r}")
            return default
        return value

    def flag(self, key: str) -> bool:
        value = self.fields.get(key, False)
        if not isinstance(value, bool):
            self.problem(key, f"expected true or false, found {value!r}")
        return value is True

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.fields.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.problem(key, f"expected a list of texts, found {value!r}")
            return ()
        repeated = sorted({item for item in value if value.count(item) > 1})
        if repeated:
            self.problem(key, f"expected each text once, found more of {', '.join(repeated)}")
        return tuple(value)

    def template(self, key: str, form: Form, default: str = "") -> Template:
        """The template under `key`, checked against `form`."""
        template = Template.parse(self.text(key) if key in self.fields else default)
        if key in self.fields and template.text:
            for text in _faults(template, form):
                self.problem(key, text)
        return template


def _faults(template: Template, form: Form) -> list[str]:
    """What keeps a template from having its form."""
    faults = []
    known = (*form.slots, *form.loose)
    for part in template.parts:
        if isinstance(part, str):
            if "{" in part or "}" in part:
                faults.append(f"expected braces only around slot names, found {part!r}")
        elif part.name not in known or (part.determiner and part.name not in form.determined):
            shown = f"{part.determiner}_{part.name}" if part.determiner else part.name
            faults.append(f"unknown slot {{{shown}}}; expected {_shown(form)}")
    for slot in form.slots:
        count = template.slots.count(slot)
        if count != 1:
            faults.append(f"expected the slot {{{slot}}} once, found it {count} times")
    return faults + _text_faults(template, form)


def _text_faults(template: Template, form: Form) -> list[str]:
    faults = []
    if form.end and not template.text.endswith(form.end):
        faults.append(f"expected it to end in {form.end!r}, found {template.text[-1]!r}")
    if sum(template.text.count(mark) for mark in ".?!") != len(form.end):
        faults.append(f"expected no mark of a sentence's end but {form.end or 'none'!r}, found {template.text!r}")
    if not template.text.startswith(form.start):
        faults.append(f"expected it to begin with {form.start!r}, found {template.text!r}")
    for before, after in zip(template.parts, template.parts[1:], strict=False):
        if isinstance(after, Slot) and isinstance(before, str) and _LITERAL_ARTICLE.search(before):
            faults.append(f"expected {{a_{after.name}}} in place of a written article, found {before!r}")
    return faults


def _shown(form: Form) -> str:
    plain = [*form.slots, *form.loose]
    determined = [f"{word}_{slot}" for slot in form.determined for word in ("the", "a")]
    return ", ".join(f"{{{slot}}}" for slot in plain + determined)


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
    )


def read_articles(entry: Entry) -> Articles:
    """The lists of labels and words that decide about articles."""
    return Articles(
        exact=frozenset(entry.texts("exact")),
        starts=entry.texts("starts"),
        ends=entry.texts("ends"),
        bare=frozenset(entry.texts("bare")),
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
        composition = _composition(entry, prop, stands_for, problems)
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
        hypothesis=entry.template("hypothesis", HYPOTHESIS),
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
    for qid in named:
        if qid and qid not in classes:
            entry.problem("classes" if qids else "noun", f"unknown class {qid!r}; expected a QID of classes.yaml")
    found = tuple(classes[qid] for qid in named if qid in classes)
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
    )


def _composition(outer: Entry, prop: Property, stands_for: str | None, problems: list[str]) -> CompositionRelation:
    entry = Entry(outer.file, f"{outer.name}: composition", outer.fields["composition"], COMPOSITION_KEYS, problems)
    return CompositionRelation(
        prop=prop,
        plural=entry.text("plural"),
        question=entry.template("question", COMPOSED),
        extra=entry.flag("extra"),
        stands_for=stands_for,
    )
