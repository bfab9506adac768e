"""Texts from outside: made tidy, or refused with a reason.

A text is data to be shown to people and models. Markup and control characters in it
are faults of whoever wrote it, and are refused rather than repaired; only character
references, which programs leave behind, are read as the characters that they stand for.
What counts as markup, and as markup that can run, is said here for all who look for it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from html.entities import html5

# Line breaks and tabs are white space; of the rest of the category "Cc" nothing belongs in a text.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
# Comparison signs stand apart from their terms or have no partner; a tag begins right at its name, and ends there
# or has values for its attributes. Each part looks at a text once, whatever stands in it.
_ANY_NAME = r"[a-z][a-z0-9:._-]*"
_VALUE = r"""(?:[^\s<>=]\s*=\s*["']|[^\s<>=]=[^\s<>=])"""
_HANDLER = r"""<[a-z][^<>]*?[\s/"']on[a-z]+\s*="""
_SCRIPT = r"\bjavascript\s*:"
# No term of a comparison is called so, and browsers have been known to run such elements in any disguise.
_RUNNING = r"<\s*(?:/\s*)?(?:script|iframe|embed|applet|svg|img)\b"


def _tag(name: str) -> str:
    """A pattern of tags whose names match another one."""
    return rf"<{name}\s*/?>|</\s*{name}\s*>|<{name}[\s/](?=[^<>]*>)[^<>]*?{_VALUE}"


_TAGS = re.compile("|".join((_tag(_ANY_NAME), r"<!--|<[!?][a-z\[]", _HANDLER, _RUNNING, _SCRIPT)), re.I)
_ENTITY = re.compile(r"&(?:#[0-9]+|#x[0-9a-f]+|([a-z][a-z0-9]*));", re.I)
_ACTIVE = re.compile("|".join((_RUNNING, _tag("(?:object|style|link|meta|base|form)"), _HANDLER, _SCRIPT)), re.I)
_ENDS = " \t.,;:!?\"'`“”‘’()[]"


class Refused(ValueError):
    """A text cannot be used; `reason` is the reject word, the message the detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def tidy(value: object, limit: int) -> str:
    """The text in NFC with single spaces and without character references; empty where it holds nothing visible.

    limit: the most characters it may have, counted before anything else is looked at.

    Raises Refused: not_text, too_long, control_characters, markup.
    """
    if not isinstance(value, str):
        raise Refused("not_text", f"expected a text, got {type(value).__name__}")
    if len(value) > limit:
        raise Refused("too_long", f"{len(value)} characters, the limit is {limit}: {value[:60]}")
    value = plain_characters(value)
    if found := _CONTROL.search(value):
        raise Refused("control_characters", f"U+{ord(found[0]):04X} at {found.start()}: {_CONTROL.sub('?', value)}")
    if has_markup(value):
        raise Refused("markup", value)
    return " ".join(unicodedata.normalize("NFC", value).split())


def visible(text: str) -> str:
    """The text without control characters and marks that turn its direction; line breaks and tabs stay."""
    return _CONTROL.sub("", text)


def plain_characters(text: str) -> str:
    """The text with each character reference as the character that it stands for: "&#x27;" as an apostrophe."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def has_markup(text: str) -> bool:
    """Whether a text holds a tag, a comment, an entity or a script; "a < b & c > d" holds none."""
    entities = (match[1] for match in _ENTITY.finditer(text))
    return bool(_TAGS.search(text)) or any(name is None or f"{name};" in html5 for name in entities)


def find_active(text: str) -> re.Match[str] | None:
    """The first part of a text that can only be meant to run, or to change the page that shows it."""
    return _ACTIVE.search(text)


def form(text: str) -> str:
    """What two texts must share to count as one: case, spaces and outer punctuation are left aside."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(_ENDS)
