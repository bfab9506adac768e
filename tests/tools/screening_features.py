"""What a fitted screen may weigh of a passage: cues chosen by hand, terms found in the passages, past tense.

A term is one word or two words in a row, none of them a number or mostly tagged as a noun, a
name or an adjective, so that a passage counts for how it tells and not for what it is about. Shares of tags,
pairs of tags, three words in a row and scores per sentence were tried as well: on passages
not seen they add less than a hundredth to the area under the curve once the terms are there.
Marks of punctuation add three hundredths, and are left out: they differ by who prepared a text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_matrix, hstack

from stages.ifqa.screening.lexicon import CueLexicon, plain
from stages.ifqa.screening.tense import Tagged, past_share, spacy_tagger

LEAST_PASSAGES = 10
_TOPIC = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "FW"})
_JOINT = re.compile("['-]")
_MARK = re.compile(r" [.,;:!?()–—](?= )")


@dataclass(frozen=True)
class Read:
    """texts: passages; tags: of each, its tokens with their tags."""

    texts: Sequence[str]
    tags: Sequence[Tagged]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Read:
        return cls(texts, list(spacy_tagger().load()(texts)))

    @cached_property
    def grams(self) -> list[frozenset[str]]:
        """Of each text, the words and the pairs of words that no mark parts."""
        return [frozenset(_grams(text)) for text in self.texts]

    @cached_property
    def past(self) -> np.ndarray:
        return np.array([past_share(tokens) for tokens in self.tags])

    def __add__(self, other: Read) -> Read:
        return Read([*self.texts, *other.texts], [*self.tags, *other.tags])


def _grams(text: str) -> Iterator[str]:
    for run in _MARK.split(plain(text)):
        words = run.split()
        yield from words
        yield from map(" ".join, pairwise(words))


def terms(read: Read, lexicon: CueLexicon) -> list[str]:
    """Sorted; those in at least LEAST_PASSAGES that are no cues and name no topic."""
    tokens, topics = Counter[str](), Counter[str]()
    for tagged in read.tags:
        for word, tag in tagged:
            lower = word.lower().replace("’", "'")
            tokens[lower] += 1
            topics[lower] += tag in _TOPIC

    def tells(word: str) -> bool:
        # The tagger parts "season's" and "French-born". Of what is left, what it never gives alone ("didn") is no noun.
        parts = _JOINT.split(word)
        return not any(map(str.isdigit, word)) and all(2 * topics[part] < max(tokens[part], 1) for part in parts)

    count = Counter(gram for grams in read.grams for gram in grams)
    cues = {cue.words for cue in lexicon.cues}
    return sorted(
        gram
        for gram, number in count.items()
        if number >= LEAST_PASSAGES and gram not in cues and all(map(tells, gram.split()))
    )


def table(read: Read, lexicon: CueLexicon, listed: Sequence[str]) -> csr_matrix:
    """One row per text: 1 for each cue and for each listed term in it, and its share of past tense."""
    column = {term: len(lexicon.cues) + place for place, term in enumerate(listed)}
    place = {cue.words: number for number, cue in enumerate(lexicon.cues)}
    rows = [
        [place[cue.words] for cue in lexicon.found(text).cues]
        + sorted(column[gram] for gram in grams if gram in column)
        for text, grams in zip(read.texts, read.grams, strict=True)
    ]
    ends = np.cumsum([0, *map(len, rows)])
    shape = len(rows), len(lexicon.cues) + len(listed)
    cells = csr_matrix((np.ones(ends[-1]), np.concatenate([*rows, []]).astype(np.int32), ends), shape=shape)
    return hstack([cells, read.past[:, None]]).tocsr()
