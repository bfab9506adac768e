"""The relation templates once loaded: frozen, picklable, with every slot already parsed.

A template is text with named slots. It is cut into parts when it is loaded, so that
rendering only joins strings: labels from outside never pass through a format string.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from stages.core.contract import StageError

_SLOT = re.compile(r"\{([a-z_]*)\}")

# A slot's prefix says how the label is determined: {object}, {the_object}, {a_object}.
DETERMINERS = ("the", "a")


class TemplateError(StageError):
    """Templates that cannot be used; `problems` names file, entry, key and what was expected, one line each."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("relation templates are not usable:\n" + "\n".join(f"  {line}" for line in problems))

    def __reduce__(self) -> tuple[type[TemplateError], tuple[list[str]]]:
        return type(self), (list(self.problems),)


@dataclass(frozen=True)
class Slot:
    """A gap of a template. determiner: "the" or "a" where the label may need an article, "" where it never does."""

    name: str
    determiner: str = ""


@dataclass(frozen=True)
class Template:
    """Text cut at its slots."""

    text: str
    parts: tuple[str | Slot, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Cut `text` at every {slot}; whether the slots are the right ones is for the loader to judge."""
        pieces = _SLOT.split(text)
        parts = [_slot(piece) if index % 2 else piece for index, piece in enumerate(pieces)]
        return cls(text, tuple(part for part in parts if part != ""))

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots in order, without determiners."""
        return tuple(part.name for part in self.parts if isinstance(part, Slot))


def _slot(word: str) -> Slot:
    determiner, _, name = word.partition("_")
    return Slot(name, determiner) if name and determiner in DETERMINERS else Slot(word)


@dataclass(frozen=True)
class AnswerClass:
    """A kind of answer. wh: "who" and "what" stand alone, "which" takes the noun after it.

    breadth: 1 for a specific kind (film), 2 for a general one (creative work), 3 for a
    vague one (entity); where an answer is of two kinds, a question names the narrower.
    sorts: the sorts of thing that it is (`stages.wikidata.sorts`), none for a class of all sorts.
    """

    qid: str
    singular: str
    plural: str
    article: str
    wh: str
    breadth: int = 1
    sorts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Articles:
    """Which labels take an article in running text.

    exact, starts, ends, within: whole labels, first words, last words and words anywhere in labels that take "the".
    never: labels that take none though their first or last words say so.
    bare: head nouns that never take "a" (software, music).
    superlatives: first words of kinds of which there is one in each place at most (largest): nobody asks which are one.
    """

    exact: frozenset[str] = frozenset()
    starts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    never: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()
    superlatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Property:
    """What holds for a property in whatever role: its English label, family and declarative wording.

    hypotheses: the statement (subject, property, object) as sentences, one of which a text has to entail.
    alternative: a further wording of the same statement, or None; it judges nothing.
    value: kind of object that the wording is meant for: item, quantity, time or text.
    """

    pid: str
    label: str
    family: str
    value: str
    hypotheses: tuple[Template, ...]
    alternative: Template | None
    articles: Articles

    @property
    def hypothesis(self) -> Template:
        """The first, plainest one."""
        return self.hypotheses[0]


@dataclass(frozen=True)
class SimpleRelation:
    """A relation asked in one hop: its answers are the subjects of statements with the given object.

    classes: the answer classes of a typed relation, empty for an untyped one.
    noun: the class that names the answers where none is given.
    question: with {which} and {entity}; clause: a singular predicate with {entity}, to be joined
    with another; nested: a plural noun phrase with {nouns} and {entity}.
    extra: not in the paper's set of one-hop relations.
    stands_for: the property that the paper's set names where it means this one, or None.
    kinds: whether its objects say of what kind the subjects are; then nothing is asked of an object that is itself
        a class of answers (which creative work is a film?).
    """

    prop: Property
    classes: tuple[AnswerClass, ...]
    noun: AnswerClass
    question: Template
    clause: Template
    nested: Template
    extra: bool
    stands_for: str | None
    kinds: bool = False

    @property
    def pid(self) -> str:
        return self.prop.pid

    @property
    def family(self) -> str:
        return self.prop.family

    @property
    def typed(self) -> bool:
        return bool(self.classes)


@dataclass(frozen=True)
class CompositionRelation:
    """A relation asked of many subjects at once: its answers are the objects of their statements.

    plural: what the answers are called (screenwriters); question: with {phrase}, a plural noun
    phrase that carries its own article.
    of: the classes of subjects that it is asked of, none for all: people's kinds are nobody's question.
    """

    prop: Property
    plural: str
    question: Template
    of: tuple[AnswerClass, ...]
    extra: bool
    stands_for: str | None

    @property
    def pid(self) -> str:
        return self.prop.pid

    @property
    def family(self) -> str:
        return self.prop.family

    @property
    def value(self) -> str:
        return self.prop.value


@dataclass(frozen=True)
class Relations:
    """All templates. landmarks: sorts of further classes; digests: sha256 per file; families: name to description;
    versions: per file; roles: files of one's own over the role lexicon, by name.
    """

    properties: Mapping[str, Property]
    simple: Mapping[str, SimpleRelation]
    composition: Mapping[str, CompositionRelation]
    classes: Mapping[str, AnswerClass]
    landmarks: Mapping[str, tuple[str, ...]]
    families: Mapping[str, str]
    digests: Mapping[str, str]
    versions: Mapping[str, int]
    roles: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def target_classes(self) -> tuple[str, ...]:
        """Sorted QIDs of the answer classes of all typed relations."""
        return tuple(sorted({c.qid for relation in self.simple.values() for c in relation.classes}))

    @property
    def sorts(self) -> Mapping[str, tuple[str, ...]]:
        """The sorts of all classes that have one: landmarks and answer classes."""
        return {**self.landmarks, **{qid: found.sorts for qid, found in self.classes.items() if found.sorts}}
