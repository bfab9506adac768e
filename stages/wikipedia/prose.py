"""Lines of running text made tidy: characters, spaces, and what removed markup leaves behind."""

from __future__ import annotations

import re
import unicodedata

from stages.wikipedia.holes import HOLE

# Soft hyphens, zero-width characters and direction marks are invisible and would break every match; the last four
# are the marks of what is missing.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffc]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_LINE_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile(r"\s+")

# A look-behind lets a long run of signs or spaces be tried once, from its first, and not from each of them.
# Brackets whose content was a template or a reference: "( ; born 1950)", "(, )", "()".
_EMPTY_BRACKETS = re.compile(r"(?<!\s)\s*+(?:\((?:[,;:/–-]|\b(?:or|and)\b|\s)*+\)|\[\s*+\])")
_BRACKET_START = re.compile(r"\(\s*(?:[,;:]\s*|(?:or|and)\s+(?=[,;:)]))+")
_BRACKET_END = re.compile(r"(?<![\s,;:])(?:\s*[,;:])+\s*\)")
_BRACKET_SPACE = re.compile(r"\(\s++|(?<!\s)\s++\)")
_EMPTY_ITEM = re.compile(r"(?<![\s,;])\s*([,;])(?:\s*[,;])+(?=\s|$)")
_SPACE_BEFORE = re.compile(r"(?<=[\w)\]\"”’%])\s+([,;:]|\.(?!\.))(?=[\s)\]\"”’]|$)")
_LEADING = re.compile(r"^(?:[,;:]|\.(?!\S))+\s*")
_EMPTY_QUOTES = re.compile(r"(?<!\s)\s*+(?:\"\s*+\"|“\s*+”)(?=[\s.,;)]|$)")


def tidy_line(line: str) -> str:
    """One line without leftovers of markup and with single spaces."""
    line = _SPACES.sub(" ", line)
    if "(" in line or "[" in line:
        line = _EMPTY_BRACKETS.sub("", line)
        line = _BRACKET_START.sub("(", line)
        line = _BRACKET_END.sub(")", line)
        line = _EMPTY_BRACKETS.sub("", line)
        line = _BRACKET_SPACE.sub(lambda found: found.group().strip(), line)
    line = _EMPTY_QUOTES.sub("", line)
    line = _EMPTY_ITEM.sub(r"\1", line)
    return _LEADING.sub("", _SPACE_BEFORE.sub(r"\1", line).strip())


def clean_characters(text: str) -> str:
    """NFC, line breaks as "\\n", without invisible and control characters."""
    text = _LINE_BREAK.sub("\n", text)
    return unicodedata.normalize("NFC", _CONTROL.sub("", _INVISIBLE.sub("", text)))


def clean_prose(text: str) -> str:
    """Text that holds no markup: clean characters, single spaces, one line a paragraph, no blank lines.

    Holes stay holes.
    """
    clean = HOLE.join(map(clean_characters, text.split(HOLE)))
    lines = (_SPACES.sub(" ", line).strip() for line in clean.split("\n"))
    return "\n".join(line for line in lines if line)
