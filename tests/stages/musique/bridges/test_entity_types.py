from __future__ import annotations

from typing import Any

import pytest

from stages.core.contract import StageError
from stages.models.spacy_models import MODEL
from stages.musique.bridges.entity_types import stage, tag
from stages.musique.bridges.tables import TAG_REQUESTS
from stages.musique.bridges.tagger import EntityTagger, SpacyEntityTagger
from tests.stages.musique.bridges.world import ListedTagger

TYPES = {"the United States": "GPE", "New Hampshire": "GPE", "Paris's": "GPE", "Barack": "PERSON"}


def tags(tagger: EntityTagger, *names: tuple[str, str]) -> list[tuple[str, bool]]:
    """(type, longer) of names in texts."""
    requests: list[dict[str, Any]] = [
        {"request": str(number), "text": text, "start": text.index(name), "end": text.index(name) + len(name)}
        for number, (name, text) in enumerate(names)
    ]
    rows = tag(TAG_REQUESTS.table(requests), tagger=tagger).tables["tags"].to_pylist()
    return [(row["type"], row["longer"]) for row in rows]


def test_an_entity_may_take_in_an_article_or_a_possessive() -> None:
    assert tags(
        ListedTagger(TYPES),
        ("United States", "of the United States ."),
        ("Paris", "in Paris's south"),
        ("Hampshire", "in New Hampshire ."),
        ("Barack Obama", "Barack Obama"),
        ("Rome", "in Rome"),
    ) == [("GPE", False), ("GPE", False), ("GPE", True), ("", False), ("", False)]


def test_no_request_needs_no_model() -> None:
    assert tag(TAG_REQUESTS.empty(), tagger=SpacyEntityTagger("no_such_model")).tables["tags"].num_rows == 0


def test_a_missing_model_names_the_extra() -> None:
    message = r"no_such_model.* not installed.*pip install 'benchwright\[text\]'"
    with pytest.raises(StageError, match=message):
        stage(SpacyEntityTagger("no_such_model"))


def test_the_real_tagger() -> None:
    pytest.importorskip(MODEL)
    assert tags(
        SpacyEntityTagger(),
        ("Liverpool", "John Lennon was born in Liverpool."),
        ("John Lennon", "John Lennon was born in Liverpool."),
        ("Hampshire", "He lives in New Hampshire with his wife."),
        ("1940", "John Lennon was born in 1940."),
    ) == [("GPE", False), ("PERSON", False), ("GPE", True), ("DATE", False)]
    assert stage().bound["tagger"].identity.startswith(f"{MODEL} ")
