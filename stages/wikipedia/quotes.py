"""The quote marks of wikitext: two for italic text, three for bold."""

from __future__ import annotations

import re

_QUOTES = re.compile(r"'{2,}")


def strip_quotes(line: str) -> str:
    """Without the marks of bold and italic text; an apostrophe that runs into them stays."""
    if "''" not in line:
        return line
    runs = [(found.start(), len(found.group())) for found in _QUOTES.finditer(line)]
    bold = [start for start, length in runs if length == 3]
    fives = sum(length >= 5 for _, length in runs)
    italics = sum(length == 2 for _, length in runs)
    # An odd number of both means that one run of three is an italic mark and an apostrophe: l'''Amour'', ''Ulysses'''s.
    odd = (len(bold) + fives) % 2 == 1 and (italics + fives) % 2 == 1
    apostrophe = _apostrophe_in(line, bold) if odd else -1

    def replacement(found: re.Match[str]) -> str:
        length = len(found.group())
        if length == 4 or found.start() == apostrophe:
            return "'"
        return "'" * (length - 5) if length > 5 else ""

    return _QUOTES.sub(replacement, line)


def _apostrophe_in(line: str, bold: list[int]) -> int:
    """The run of three that follows a word most closely: a one-letter word first, then any, as MediaWiki picks."""
    after_letter = [at for at in bold if at > 0 and line[at - 1] != " " and (at < 2 or line[at - 2] == " ")]
    after_word = [at for at in bold if at > 0 and line[at - 1] != " "]
    return next(iter([*after_letter, *after_word, *bold]), -1)
