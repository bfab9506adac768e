"""Texts from outside: made tidy, or refused with a reason.

A text is data to be shown to people and models. Markup and control characters in it
are faults of whoever wrote it, and are refused rather than repaired.
"""

from __future__ import annotations

import re
import unicodedata

# Line breaks and tabs are white space; of the rest of the category "Cc" nothing belongs in a text.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_MARKUP = re.compile(
    r"<\s*(?:[!/?]\s*)?[a-z][^<>]*>|<!--|<\s*(?:/\s*)?script|\bjavascript\s*:|&(?:#\d+|#x[0-9a-f]+|lt|gt|amp);", re.I
)
_ENDS = " \t.,;:!?\"'`“”‘’()[]"


class Refused(ValueError):
    """A text cannot be used; `reason` is the reject word, the message the detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def tidy(value: object, limit: int) -> str:
    """The text in NFC with single spaces; empty where it holds nothing visible.

    limit: the most characters it may have, counted before anything else is looked at.

    Raises Refused: not_text, too_long, control_characters, markup.
    """
    if not isinstance(value, str):
        raise Refused("not_text", f"expected a text, got {type(value).__name__}")
    if len(value) > limit:
        raise Refused("too_long", f"{len(value)} characters, the limit is {limit}: {value[:60]}")
    if found := _CONTROL.search(value):
        raise Refused("control_characters", f"U+{ord(found[0]):04X} at {found.start()}: {_CONTROL.sub('?', value)}")
    if _MARKUP.search(value):
        raise Refused("markup", value)
    return " ".join(unicodedata.normalize("NFC", value).split())


def form(text: str) -> str:
    """What two texts must share to count as one: case, spaces and outer punctuation are left aside."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(_ENDS)
