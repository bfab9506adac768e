"""Answers without what cannot be seen, and in the plain characters that the readers expect."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# Nobody writes a date or a number at such length, so that no reader ever sees a long text.
MAX_LENGTH = 120

_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_ASCII = re.compile(r"[!-~]+(?: [!-~]+)*")
_OUTER = '"“”„«»‹›‘`'
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑", "-"),
        **dict.fromkeys("‒—―", "–"),
        **dict.fromkeys("’ʼ′", "'"),
        **dict.fromkeys("″”", '"'),
        "－": "-",
        "．": ".",
        "，": ",",
        "٫": ".",
        "٬": ",",
    }
)
_POWERS = re.compile("(?<=[A-Za-z])[²³]")
_GROUP_SPACES = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_VULGAR = re.compile("([0-9]?)([¼-¾⅐-⅞])")


class PlainText(NamedTuple):
    """text: for case-sensitive look-ups; lower: the same, lower case, letter by letter."""

    text: str
    lower: str


def clean(text: str) -> str:
    """The text in NFC, without direction marks and control characters, its white space single and inside only."""
    if _PLAIN_ASCII.fullmatch(text):
        return text
    seen = _UNSEEN.sub("", _CONTROL.sub(" ", text))
    whole = unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", seen))
    # A no-break space between digits groups them, which an ordinary one may not.
    return " ".join(re.split(r"[ \t\u1680\u2000-\u2008\u200a\u205f\u3000]+", whole)).strip(" \u00a0\u2009\u202f")


def plain(cleaned: str) -> PlainText | None:
    """The text with ASCII digits and one kind of each mark; None where it is too long, or mixes digits of scripts."""
    text = cleaned if cleaned.isascii() else _ascii_marks(cleaned)
    if text is None:
        return None
    text = _unquoted(text).rstrip(",;")
    if text.endswith(".") and not text.endswith(".."):
        text = text[:-1].rstrip()
    lower = text.lower()
    return PlainText(text, lower if len(lower) == len(text) else text)


def digit_scripts(cleaned: str) -> int:
    """How many scripts the digits of a text come from."""
    if cleaned.isascii():
        return 1
    return len({ord(mark) - unicodedata.decimal(mark) for mark in cleaned if mark.isdecimal()})


def _ascii_marks(text: str) -> str | None:
    if digit_scripts(text) > 1:
        return None
    digits = "".join(str(unicodedata.decimal(mark)) if mark.isdecimal() else mark for mark in text)
    grouped = _GROUP_SPACES.sub(",", digits)
    split = _VULGAR.sub(_fraction, grouped)
    marks = _POWERS.sub(lambda found: "2" if found[0] == "²" else "3", split.translate(_PLAIN))
    # A minus sign leads its number; between two numbers it stands for a dash.
    return re.sub(r"\s+", " ", re.sub("(?<![0-9])−", "-", marks).replace("−", "–"))


def _fraction(found: re.Match[str]) -> str:
    written = unicodedata.normalize("NFKC", found[2]).replace("\u2044", "/")
    return f"{found[1]} {written}" if found[1] else written


def _unquoted(text: str) -> str:
    if len(text) > 2 and text[0] in _OUTER and text[-1] in "\"“”«»‹›'’`" and not text[1:-1].count('"'):
        return text[1:-1].strip()
    return text
