"""Sentence boundaries by Punkt with its English parameters, as the papers of this field use it.

A boundary counts only where white space follows, and every line break of the text is
one, so the words of the sentences are the words of the text.
"""

from __future__ import annotations


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order, each with single spaces; none is empty."""
    return [sentence for line in text.split("\n") for sentence in _split_line(line)]


def _split_line(line: str) -> list[str]:
    from stages.wikipedia.punkt import tokenizer

    sentences: list[str] = []
    end = 0
    for start, stop in tokenizer().span_tokenize(line):
        # Without white space between them, two spans are one word cut in two.
        glued = sentences and start == end
        words = " ".join(line[start:stop].split())
        if glued:
            sentences[-1] += words
        elif words:
            sentences.append(words)
        end = stop
    return sentences
