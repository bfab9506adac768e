"""The rules by which hops are put into words, read from templates/composition/, strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.overlay import remembered
from stages.core.template_files import TemplateFile, read_template
from stages.facts.adjectives import digests, places

TEMPLATES = ("composition/*.yaml",)

FOLDER = "composition"
SUBJECT, RELATION = "{x}", "{relation}"
_FILES = ("relations.yaml", "questions.yaml", "names.yaml")
_WORDS = (
    "nouns",
    "participles",
    "no_participles",
    "prepositions",
    "adverbs",
    "auxiliaries",
    "after",
    "after_did",
    "before",
    "before_ends",
    "requests",
    "asking",
    "relative",
)


_TEXTS, _KINDS = ("ask", "long", "name"), ("asks", "names")


@dataclass(frozen=True)
class Wording:
    """ask: the question for a relation's value, long: where its subject is a long phrase; name: the value inside
    another question. asks: in place of ask and long by the subject's type, names: of name by the value's type.
    All hold "{x}"."""

    ask: str
    name: str
    long: str = ""
    asks: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def asked(self, subject_type: str, is_long: bool) -> str:
        return self.asks.get(subject_type) or (is_long and self.long) or self.ask

    def named(self, value_type: str) -> str:
        return self.names.get(value_type, self.name)


@dataclass(frozen=True)
class NameSpellings:
    """What names look like. places: by the adjective that stands for them; with_article: names behind "the", and by
    their last word (article_heads) or the word before "of" (article_of); common: names as spelt; small: no names."""

    places: Mapping[str, str]
    with_article: frozenset[str]
    article_heads: tuple[str, ...]
    article_of: tuple[str, ...]
    common: tuple[str, ...]
    small: frozenset[str]


@dataclass(frozen=True)
class Fallback:
    """The wording of relations whose label ends in one of `ends`."""

    ends: tuple[str, ...]
    wording: Wording


@dataclass(frozen=True)
class Grammar:
    """relations: by label; otherwise: of others, the first that fits. verbs: base form to (past, third person).
    words: sets of words by name, as in questions.yaml; who: by entity type; where: what a place is called;
    spellings: of names."""

    relations: Mapping[str, Wording]
    otherwise: tuple[Fallback, ...]
    verbs: Mapping[str, tuple[str, str]]
    words: Mapping[str, frozenset[str]]
    who: Mapping[str, str]
    where: str
    spellings: NameSpellings
    digests: Mapping[str, str]

    def wording(self, relation: str) -> Wording:
        """How a relation is put into words."""
        label = relation.strip()
        if label in self.relations:
            return self.relations[label]
        found = next(fallback.wording for fallback in self.otherwise if label.endswith(fallback.ends))
        return Wording(found.ask.replace(RELATION, label), found.name.replace(RELATION, label))

    def is_participle(self, word: str) -> bool:
        lowered = word.lower()
        return lowered in self.words["participles"] or (
            len(lowered) > 3 and lowered.endswith("ed") and lowered not in self.words["no_participles"]
        )

    def tensed(self, word: str) -> bool:
        """Whether a word is a verb of a clause whose subject it follows: past or third person."""
        return word.lower() in self._tensed

    @cached_property
    def _tensed(self) -> frozenset[str]:
        return frozenset(form for forms in self.verbs.values() for form in forms)


@remembered()
def load_grammar(folder: Path | None = None) -> Grammar:
    """The installed rules, or those of another folder.

    Raises StageError: a file is missing, or not as expected; names file and key.
    """
    relations, questions, names = (_read(folder, name) for name in _FILES)
    try:
        return Grammar(
            relations={label: _wording(entry, label) for label, entry in relations.data["relations"].items()},
            otherwise=tuple(
                Fallback(tuple(entry["ends"]), _wording({key: entry[key] for key in ("ask", "name")}, "otherwise"))
                for entry in relations.data["otherwise"]
            ),
            verbs=_verbs(questions),
            words={name: _words(questions.data[name]) for name in _WORDS},
            who=dict(questions.data["who"]),
            where=questions.data["where"],
            spellings=_spellings(names.data),
            digests=template_files.digests(*(f"{FOLDER}/{name}" for name in _FILES)) | digests(),
        )
    except KeyError as error:
        told = " and ".join(read.where for read in (relations, questions, names))
        raise StageError(f"{told}: expected {error}{names.hint}") from error


def _read(folder: Path | None, name: str) -> TemplateFile:
    return read_template(f"{FOLDER}/{name}", None if folder is None else folder / name)


def _verbs(questions: TemplateFile) -> dict[str, tuple[str, str]]:
    forms = [line.split() for line in questions.data["verbs"]]
    if odd := [" ".join(verb) for verb in forms if len(verb) != 3]:
        raise questions.fault(f"verbs: expected a verb, its past and its third person, found {odd[0]!r}")
    return {base: (past, third) for base, past, third in forms}


def _wording(entry: Any, key: str) -> Wording:
    if not isinstance(entry, dict) or not {"ask", "name"} <= set(entry) <= {*_TEXTS, *_KINDS}:
        raise StageError(f"relations.yaml: {key}: expected ask, name and perhaps long, asks, names, found {entry!r}")
    kinds = {name: entry.get(name, {}) for name in _KINDS}
    texts = [entry[name] for name in _TEXTS if name in entry]
    for text in (*texts, *kinds["asks"].values(), *kinds["names"].values()):
        if text.count(SUBJECT) != 1:
            raise StageError(f"relations.yaml: {key}: expected {SUBJECT} once in {text!r}")
    return Wording(entry["ask"], entry["name"], entry.get("long", ""), **kinds)


def _spellings(data: Mapping[str, Any]) -> NameSpellings:
    return NameSpellings(
        places=places(),
        with_article=_words(data["with_article"]),
        article_heads=tuple(data["article_heads"]),
        article_of=tuple(data["article_of"]),
        common=tuple(data["common"]),
        small=_words(data["small"]),
    )


def _words(value: str | list[str]) -> frozenset[str]:
    return frozenset(value.split() if isinstance(value, str) else value)
