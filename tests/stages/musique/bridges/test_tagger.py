from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from stages.core.contract import StageError
from stages.models.spacy_models import MODEL
from stages.musique.bridges.tagger import Entity, SpacyEntityTagger

MISSING = r"no_such_model.* not installed.*pip install 'benchwright\[text\]'"


class Upper:
    """A spaCy pipeline to all appearance: every word in capitals is an organisation."""

    pipe_names: ClassVar = ["tok2vec", "ner"]

    def __init__(self) -> None:
        self.seen: list[str] = []

    def memory_zone(self) -> AbstractContextManager[None]:
        return nullcontext()

    def pipe(self, texts: Iterable[str], batch_size: int) -> Iterator[Any]:
        assert batch_size > 0
        for text in texts:
            self.seen.append(text)
            ends = [
                SimpleNamespace(start_char=text.index(word), end_char=text.index(word) + len(word), label_="ORG")
                for word in text.split()
                if word.isupper()
            ]
            yield SimpleNamespace(ents=ends)


def test_entities_come_in_the_order_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    language = Upper()
    loaded: dict[str, Any] = {}

    def load(**options: Any) -> Upper:
        loaded.update(options)
        return language

    module = ModuleType("made_up_model")
    module.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "made_up_model", module)
    tag = SpacyEntityTagger("made_up_model").load()
    assert tag(["the long text of NATO", "no", "UN", "UN"]) == [
        [Entity(17, 21, "ORG")],
        [],
        [Entity(0, 2, "ORG")],
        [Entity(0, 2, "ORG")],
    ]
    # Batches are filled with texts of like length, whatever order they are given in.
    assert language.seen == ["UN", "UN", "no", "the long text of NATO"]
    # What finds no entities is not run.
    assert "ner" not in loaded["exclude"] and "parser" in loaded["exclude"]
    assert tag([]) == []
    # One model is loaded once.
    assert SpacyEntityTagger("made_up_model").load() is tag


def test_a_missing_model_names_the_extra() -> None:
    with pytest.raises(StageError, match=MISSING):
        SpacyEntityTagger("no_such_model").load()
    with pytest.raises(StageError, match=MISSING):
        _ = SpacyEntityTagger("no_such_model").identity


def test_an_identity_names_model_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"made-up-model": "1.2", "spacy": "3.8"}
    monkeypatch.setattr("stages.models.spacy_models.version", versions.__getitem__)
    assert SpacyEntityTagger("made_up_model").identity == "made_up_model 1.2 spacy 3.8"


def test_the_real_model() -> None:
    pytest.importorskip(MODEL)
    tag = SpacyEntityTagger().load()
    text, found = "John Lennon was born in Liverpool.", [Entity(0, 11, "PERSON"), Entity(24, 33, "GPE")]
    assert tag([text, "", text]) == [found, [], found]
