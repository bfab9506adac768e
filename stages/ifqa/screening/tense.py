"""How much of a text is told in the past tense, by the tags that a tagger gives to its verbs.

    past tense      VBD, and the modals could, might and would
    finite verbs    these, VBZ, VBP and all other modals (MD)

The tagger stands behind a small interface: it can be described, compared by what it is and
sent to a worker, and is loaded only there. `spacy_tagger` gives spaCy's small English model
with its tagger alone, without parser, lemmatiser and entities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from manifests.digest import canonical_json, sha256
from stages.core.contract import StageError
from stages.models.spacy_models import MODEL, load, versions

_PIPES = ["tok2vec", "tagger"]
_PAST, _PRESENT, _MODAL = "VBD", ("VBZ", "VBP"), "MD"
_PAST_MODALS = frozenset({"could", "might", "would"})
# Texts that are tagged together; their tags are those that each gets alone.
_BATCH = 64

Tagged = Sequence[tuple[str, str]]
"""The tokens of a text, each with its Penn Treebank tag."""

Tag = Callable[[Sequence[str]], Iterator[Tagged]]


class VerbTagger(Protocol):
    """A part-of-speech tagger of English: picklable until loaded."""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str:
        """Digest of the model and of the library that runs it."""

    def load(self) -> Tag:
        """The function that tags texts; what it says of one does not depend on the others."""


def past_share(tokens: Iterable[tuple[str, str]]) -> float:
    """The share of finite verbs that are in the past tense; 0 for a text without any."""
    past = finite = 0
    for word, tag in tokens:
        is_past = tag == _PAST or (tag == _MODAL and word.lower() in _PAST_MODALS)
        past += is_past
        finite += is_past or tag == _MODAL or tag in _PRESENT
    return past / finite if finite else 0.0


@dataclass(frozen=True)
class SpacyVerbTagger:
    """spaCy's tagger of one installed model package; name: of that package."""

    name: str
    identity: str

    def load(self) -> Tag:
        """Raises StageError where this machine has other versions than the build was planned with."""
        if _identity(self.name) != self.identity:
            raise StageError(f"{self.name}: not the versions that the build was planned with ({_versions(self.name)})")
        return _loaded(self.name)


def spacy_tagger(model: str = MODEL) -> SpacyVerbTagger:
    """Raises StageError where spaCy or the model is not installed; neither is loaded yet."""
    return SpacyVerbTagger(model, _identity(model))


def _identity(model: str) -> str:
    return sha256(canonical_json({"model": model, "pipes": _PIPES, "versions": _versions(model)}).encode())


def _versions(model: str) -> dict[str, str]:
    return versions(model, "the tense of verbs")


@lru_cache(maxsize=1)
def _loaded(model: str) -> Tag:
    nlp = load(model, tuple(_PIPES))
    # The limit guards parser and entities, which need memory by the text's length.
    nlp.max_length = 2**31

    def tag(texts: Sequence[str]) -> Iterator[Tagged]:
        for start in range(0, len(texts), _BATCH):
            yield from _tagged(nlp, texts[start : start + _BATCH])

    return tag


def _tagged(nlp: Any, texts: Sequence[str]) -> list[Tagged]:
    # Words that a text brings are forgotten after it, or a long run would keep them all.
    with nlp.memory_zone():
        return [[(token.text, token.tag_) for token in doc] for doc in nlp.pipe(texts, batch_size=_BATCH)]
