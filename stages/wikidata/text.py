"""Text as Wikidata gives it: labels in one spelling, markup recognised."""

from __future__ import annotations

import re
import unicodedata

from stages.core.texts import find_active

# Names of real elements only: "x <y> z" and "<3" are legitimate labels.
_ELEMENTS = (
    "a|abbr|b|big|blockquote|body|br|center|cite|code|dd|del|details|dialog|div|dl|dt|em|embed|font|form|h[1-6]|head|hr|html|i|iframe|"
    "img|input|ins|kbd|li|link|math|meta|nowiki|object|ol|p|pre|ref|rp|rt|ruby|s|script|small|span|strike|strong|style|"
    "sub|sup|svg|table|tbody|td|th|tr|tt|u|ul|var|video|wbr"
)
_MARKUP = re.compile(rf"</?(?:{_ELEMENTS})(?:[\s/][^<>]*)?>|<!--|&(?:[a-z]{{2,8}}|#\d{{1,7}}|#x[0-9a-f]{{1,6}});", re.I)
# Direction marks, zero-width space, soft hyphen and byte order mark: unseen by a reader, fatal to a comparison.
_INVISIBLE = dict.fromkeys([0x00AD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])


def clean(text: str) -> str:
    """NFC, without invisible format characters, white space and control characters as single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split())


def has_markup(text: str) -> bool:
    """Whether the text holds an HTML element, a comment, a character reference, or what can only be meant to run."""
    return ("<" in text or "&" in text) and (_MARKUP.search(text) is not None or find_active(text) is not None)
