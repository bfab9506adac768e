"""The share of past tense: by hand from tags, and with the real model."""

from __future__ import annotations

import json
import pickle
import sys
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.ifqa.screening.tense import SpacyVerbTagger, past_share, spacy_tagger
from stages.models import spacy_models
from stages.models.spacy_models import MODEL

TAGS = st.sampled_from(["VBD", "VBZ", "VBP", "VBN", "VBG", "VB", "NN", "MD", "."])
WORDS = st.sampled_from(["would", "Could", "can", "was", "ran"])


@pytest.mark.parametrize(
    ("tokens", "share"),
    [
        ([], 0.0),
        ([("trees", "NNS"), ("planted", "VBN")], 0.0),
        ([("was", "VBD")], 1.0),
        ([("was", "VBD"), ("is", "VBZ"), ("are", "VBP")], 1 / 3),
        ([("Would", "MD"), ("be", "VB"), ("will", "MD")], 0.5),
        ([("had", "VBD"), ("been", "VBN"), ("could", "MD"), ("must", "MD")], 2 / 3),
    ],
)
def test_the_share_counts_finite_verbs_alone(tokens: list[tuple[str, str]], share: float) -> None:
    assert past_share(tokens) == share


@given(st.lists(st.tuples(WORDS, TAGS)))
def test_a_share_lies_between_0_and_1_whatever_the_order(tokens: list[tuple[str, str]]) -> None:
    assert 0 <= past_share(tokens) <= 1
    assert past_share(tokens) == past_share(sorted(tokens))


def test_sentences_of_the_real_model() -> None:
    tag = spacy_tagger().load()
    told, said, mixed = tag(
        [
            "The race was postponed because a storm came, and nobody complained.",
            "The river flows north and has three bridges.",
            "The town is small. It was burnt down in 1904.",
        ]
    )
    assert (past_share(told), past_share(said), past_share(mixed)) == (1.0, 0.0, 0.5)


def test_what_a_text_gets_does_not_depend_on_its_neighbours(shared_data: Path) -> None:
    rows = json.loads((shared_data / "ifqa" / "full_dev.json").read_text(encoding="utf-8"))[:90]
    texts = [passage for row in rows for passage in row["context"]]
    tag = spacy_tagger().load()
    together = list(tag(texts))
    assert list(tag(texts[::-1]))[::-1] == together
    assert [next(tag([text])) for text in texts[::3]] == together[::3]


def test_odd_texts_are_tagged_too() -> None:
    odd = ["", "   ", "\u202eabc \u05d0\u05d1", "a\x00b", "\U0001f600" * 40, "x" * 100_000, "\u0661\u0662 was"]
    tag = spacy_tagger().load()
    assert all(0 <= past_share(tokens) <= 1 for tokens in tag(odd))
    assert list(tag([])) == []


def test_a_tagger_is_what_its_versions_are() -> None:
    tagger = spacy_tagger()
    assert tagger == spacy_tagger() == pickle.loads(pickle.dumps(tagger))  # noqa: S301 -- our own
    assert (tagger.name, len(tagger.identity)) == (MODEL, 64)
    with pytest.raises(StageError, match="not the versions that the build was planned with"):
        SpacyVerbTagger(MODEL, "0" * 64).load()


def test_another_version_is_another_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    before = spacy_tagger().identity
    monkeypatch.setattr(spacy_models, "version", lambda package: "0.1")
    assert spacy_tagger().identity != before


def test_what_is_missing_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(spacy_models, "version", missing)
    with pytest.raises(StageError, match=r"needs spacy, which is not installed: pip install 'benchwright\[text\]'"):
        spacy_tagger()


def test_to_describe_a_tagger_loads_nothing() -> None:
    import subprocess

    code = (
        "import sys; from stages.ifqa.screening.tense import spacy_tagger; "
        "spacy_tagger(); print('spacy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert said.stdout == "False\n"
