"""The rules by which hops are put into words, read from templates/composition/, strictly."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import templates
from stages.contract import StageError
from stages.relations import strict_yaml

FOLDER = Path(templates.__file__).resolve().parent / "composition"
SUBJECT, RELATION = "{x}", "{relation}"
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
)


@dataclass(frozen=True)
class Wording:
    """ask: the question for a relation's value; name: the value inside another question. Both hold "{x}"."""

    ask: str
    name: str


@dataclass(frozen=True)
class Fallback:
    """The wording of relations whose label ends in one of `ends`."""

    ends: tuple[str, ...]
    wording: Wording


@dataclass(frozen=True)
class Grammar:
    """relations: by label; otherwise: of others, the first that fits. verbs: base form to (past, third person).
    words: sets of words by name, as in questions.yaml; who: by entity type; where: what a place is called."""

    relations: Mapping[str, Wording]
    otherwise: tuple[Fallback, ...]
    verbs: Mapping[str, tuple[str, str]]
    words: Mapping[str, frozenset[str]]
    who: Mapping[str, str]
    where: str
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
        return any(word.lower() in forms for forms in self.verbs.values())


@cache
def load_grammar(folder: Path = FOLDER) -> Grammar:
    """The installed rules.

    Raises StageError: a file is missing, or not as expected; names file and key.
    """
    relations, questions = _read(folder / "relations.yaml"), _read(folder / "questions.yaml")
    return Grammar(
        relations={label: _wording(entry, label) for label, entry in relations["relations"].items()},
        otherwise=tuple(
            Fallback(tuple(entry["ends"]), _wording({key: entry[key] for key in ("ask", "name")}, "otherwise"))
            for entry in relations["otherwise"]
        ),
        verbs={base: (past, third) for base, past, third in (line.split() for line in questions["verbs"])},
        words={name: _words(questions[name]) for name in _WORDS},
        who=dict(questions["who"]),
        where=questions["where"],
        digests={name: _digest(folder / name) for name in ("questions.yaml", "relations.yaml")},
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        data = strict_yaml.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StageError(f"{path}: not a readable YAML file ({error}); install the package again") from error
    if not isinstance(data, dict):
        raise StageError(f"{path}: expected a mapping, found {type(data).__name__}")
    return data


def _wording(entry: Any, key: str) -> Wording:
    if not isinstance(entry, dict) or set(entry) != {"ask", "name"}:
        raise StageError(f"relations.yaml: {key}: expected ask and name, found {entry!r}")
    if any(entry[name].count(SUBJECT) != 1 for name in entry):
        raise StageError(f"relations.yaml: {key}: expected {SUBJECT} once in ask and once in name")
    return Wording(entry["ask"], entry["name"])


def _words(value: str | list[str]) -> frozenset[str]:
    return frozenset(value.split() if isinstance(value, str) else value)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
