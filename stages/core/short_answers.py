"""Normal form of short answers, under which two spellings count as one answer."""

from __future__ import annotations

import string
import unicodedata
from functools import lru_cache

ARTICLES = frozenset({"a", "an", "the"})
_ASCII_PUNCTUATION = frozenset(string.punctuation)


def normalise(text: str) -> str:
    """Lower case, no punctuation, no English articles, single spaces, NFC.

    Punctuation is removed rather than turned into a space ("U.S." is "us"), in any
    script (Unicode category P) and with the ASCII symbols ("+", "$", ...). Where
    nothing would be left ("!!!", "The The") only case and spaces are normalised, so
    that such names stay answers. Blank text gives "". Idempotent.
    """
    # NFD first: lower-casing and removing a mark between a letter and its accent are then both order-free.
    lowered = " ".join(unicodedata.normalize("NFD", text).lower().split())
    bare = "".join(character for character in lowered if not _is_punctuation(character))
    words = [word for word in bare.split() if word not in ARTICLES]
    return unicodedata.normalize("NFC", " ".join(words) if words else lowered)


@lru_cache(maxsize=4096)
def _is_punctuation(character: str) -> bool:
    return character in _ASCII_PUNCTUATION or unicodedata.category(character).startswith("P")
