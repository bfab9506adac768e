"""Taggers: the named entities of texts, with their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

from stages.models.spacy_models import MODEL, load, versions

_USER = "the entity tagger of bridges"
_PIPES = ("tok2vec", "ner")
_BATCH = 256


class Entity(NamedTuple):
    """An entity of a text: characters start to end, and its type as OntoNotes names it ("PERSON", "GPE")."""

    start: int
    end: int
    type: str


Tag = Callable[[Sequence[str]], list[list[Entity]]]


class EntityTagger(Protocol):
    """A model that finds entities: picklable until loaded."""

    @property
    def identity(self) -> str:
        """Names model and version; part of the stage's fingerprint."""

    def load(self) -> Tag:
        """The function that gives the entities of each text.

        Raises StageError: the model is not installed.
        """


@dataclass(frozen=True)
class SpacyEntityTagger:
    """A spaCy pipeline that is installed as a package; only its entity recogniser runs."""

    model: str = MODEL

    @property
    def identity(self) -> str:
        """Raises StageError: the model is not installed."""
        spacy, model = versions(self.model, _USER).values()
        return f"{self.model} {model} spacy {spacy}"

    def load(self) -> Tag:
        """Raises StageError: the model is not installed."""
        return _loaded(self.model)


@cache
def _loaded(model: str) -> Tag:
    language = load(model, _PIPES)

    def tag(texts: Sequence[str]) -> list[list[Entity]]:
        # Texts of like length fill a batch evenly.
        order = sorted(range(len(texts)), key=lambda number: (len(texts[number]), texts[number]))
        found: list[list[Entity]] = [[] for _ in texts]
        for start in range(0, len(order), _BATCH):
            part = order[start : start + _BATCH]
            for number, entities in zip(part, _found(language, [texts[number] for number in part]), strict=True):
                found[number] = entities
        return found

    return tag


def _found(language: Any, texts: Sequence[str]) -> list[list[Entity]]:
    # Words that a text brings are forgotten after it, or a long run would keep them all.
    with language.memory_zone():
        documents = language.pipe(texts, batch_size=_BATCH)
        return [[Entity(ent.start_char, ent.end_char, ent.label_) for ent in document.ents] for document in documents]
