"""spaCy models by name: what is missing is said, and only the parts asked for are loaded."""

from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.models.spacy_models import MODEL, load, versions


def test_what_is_missing_is_said_with_who_needs_it() -> None:
    with pytest.raises(StageError, match=r"this test needs no_such_model, which is not installed: pip install"):
        versions("no_such_model", "this test")
    with pytest.raises(StageError, match=r"no_such_model is not installed .*pip install"):
        load("no_such_model", ("ner",))


def test_a_model_with_other_parts_is_refused() -> None:
    pytest.importorskip(MODEL)
    assert load(MODEL, ("tok2vec", "ner")) is load(MODEL, ("tok2vec", "ner"))
    with pytest.raises(StageError, match="expected the pipes ner, tok2vec, found tok2vec, ner"):
        load(MODEL, ("ner", "tok2vec"))
