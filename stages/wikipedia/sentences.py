"""Sentence boundaries by Punkt with its English parameters, as the papers of this field use it.

The parameters come from a package and are built in memory: nothing is downloaded. A
boundary counts only where white space follows, and every line break of the text is
one, so the words of the sentences are the words of the text.
"""

from __future__ import annotations

from functools import cache

from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
from punkt.data import english


@cache
def _tokenizer() -> PunktSentenceTokenizer:
    parameters = PunktParameters()
    parameters.abbrev_types = set(english.ABBREV_TYPES)
    parameters.collocations = set(english.COLLOCATIONS)
    parameters.sent_starters = set(english.SENT_STARTERS)
    parameters.ortho_context.update(english.ORTHO_CONTEXT)
    return PunktSentenceTokenizer(parameters)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order, each with single spaces; none is empty."""
    return [sentence for line in text.split("\n") for sentence in _split_line(line)]


def _split_line(line: str) -> list[str]:
    sentences: list[str] = []
    end = 0
    for start, stop in _tokenizer().span_tokenize(line):
        # Without white space between them, two spans are one word cut in two.
        glued = sentences and start == end
        words = " ".join(line[start:stop].split())
        if glued:
            sentences[-1] += words
        elif words:
            sentences.append(words)
        end = stop
    return sentences
