"""What is missing in running text: places where a template, formula or tag shows something that is not rendered here.

While a page is cleaned such a place bears a mark with the name of what stood there. `settle` takes the marks away
where nothing is missing (a note after a sentence, a whole item of a bracket, a line of its own), and leaves HOLE
elsewhere: no list of names can be complete, and a sentence with a hole is none.
"""

from __future__ import annotations

import re
from collections import Counter

HOLE = "\ufffc"
"""Stands in clean text where something is missing; no page's own text holds it."""
NOTHING = "\ufff9\ufffb"
"""Stands while a page is cleaned where something showed nothing, so that quote marks around it stay a pair."""

_MOST_NAME = 40
_NO_NAME = re.compile(r"[^\w#:/.+' -]")
_MARK = "\ufff9[^\ufff9-\ufffb]*+\ufffb"
_SPACES = re.compile(r"\s+")
_MARKS = re.compile(rf"(?:\s?{_MARK})++\s?")
_NAME = re.compile("\ufff9([^\ufff9-\ufffb]*)\ufffb")
_ONLY_MARKS = re.compile(rf"(?:\s|{_MARK})*+")
_RAISED = re.compile("([0-9])?\ufffa([^\ufffa\ufffb]*)\ufffb")
_BRACKET = re.compile(r"\(([^()]*+)\)")
# How a word is spoken, which a bracket beside it may leave out.
_SPOKEN = re.compile(
    r"(?:\b(?:pronounced|pronunciation|locally|in English|English):?\s++|(?<!\s)\s*+)"
    "\ufff9(?:ipa|respell|audio|pron|listen|tts)[^\ufff9-\ufffb]*+\ufffb",
    re.IGNORECASE,
)
_IS_SPOKEN = re.compile(r"ipa|respell|audio|pron|listen|tts")
# "Angola {{IPAc-en|...}}, officially": how the name before is spoken. "the vowel {{IPA|...}}" tells of the sound.
_NAMED = re.compile(r"(?:^|[\s\"“(])[^\W\d_a-zß-öø-ÿ][^\s]*$")
_AFTER_NAME = re.compile(r"[,;(]|(?:is|was|are|were|or)\b")
_ITEMS = re.compile(r"([,;/–]|\bor\b)")
_ENDS, _CLOSES = ".!?", ')]"”’'
_MOST_CLOSES = 8
_HIGH = str.maketrans("0123456789+-−–n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ")


def hole(name: str) -> str:
    """The mark of something that is not rendered; name: of a template, or of a tag as "<math>"."""
    return f"\ufff9{_NO_NAME.sub('', name)[:_MOST_NAME].strip() or '?'}\ufffb"


def cut(name: str) -> str:
    """The same of something that never ends, and took the rest of its paragraph with it: never a note beside a word."""
    return f" {hole(name)}"


def raised(text: str) -> str:
    """A short exponent or charge, which must not run into the digits before it: 10^24, km²."""
    return f"\ufffa{text}\ufffb"


def is_whole(text: str) -> bool:
    """Whether nothing is known to be missing in a text, marked or settled."""
    return HOLE not in text and "\ufff9" not in text.replace(NOTHING, "")


def says_nothing(line: str) -> bool:
    """Whether a line holds marks and white space only."""
    return _ONLY_MARKS.fullmatch(line) is not None


def settle(line: str, missing: Counter[str]) -> str:
    """A line of running text with HOLE where something is missing; missing: counts the names of what it was."""
    if "\ufffa" in line:
        line = _RAISED.sub(lambda found: high(found[1] or "", found[2]), line)
    if "\ufff9" not in line:
        return line
    # With single spaces no place is looked at twice.
    line = _SPACES.sub(" ", line.replace(NOTHING, ""))
    line = _BRACKET.sub(lambda found: f"({_without_lone_items(found[1])})", line)
    return _MARKS.sub(lambda found: _settled(found, missing), line)


def settle_all(text: str, missing: Counter[str] | None = None) -> str:
    """The same for every line of a text."""
    counts = Counter() if missing is None else missing
    return "\n".join(settle(line, counts) for line in text.split("\n")) if "\ufff9" in text else text


def high(digit: str, text: str) -> str:
    """An exponent after a digit, or whatever else stands raised where there is none before it."""
    return f"{digit}^{text}" if digit else text.translate(_HIGH)


def _without_lone_items(inner: str) -> str:
    """The inside of a bracket without pronunciations, and without items that are marks only: coordinates, notes."""
    if "\ufff9" not in inner:
        return inner
    items = (_SPOKEN.sub("", part) for part in _ITEMS.split(inner))
    return "".join("" if says_nothing(item) else item for item in items)


def _settled(found: re.Match[str], missing: Counter[str]) -> str:
    line, marks = found.string, found[0]
    if _is_note(line, found.start(), found.end(), attached=not marks[0].isspace()):
        return " " if marks[0].isspace() or marks[-1].isspace() else ""
    names = _NAME.findall(marks)
    spoken = all(map(_IS_SPOKEN.match, names)) and _AFTER_NAME.match(line, found.end())
    if spoken and _NAMED.search(line[max(found.start() - 60, 0) : found.start()]):
        return " " if marks[-1].isspace() else ""
    missing.update(names)
    return f"{' ' * marks[0].isspace()}{HOLE}{' ' * marks[-1].isspace()}"


def _is_note(line: str, start: int, end: int, *, attached: bool) -> bool:
    """Whether the text around some marks is whole without them."""
    before, after = line[max(start - 1, 0) : start], line[end : end + 1]
    spaced = end > 0 and line[end - 1].isspace()
    begins = not after or after.isupper() or after in '"“('
    if not before:
        return begins
    inner = line[max(start - _MOST_CLOSES, 0) : start].rstrip(_CLOSES)
    ended = before in _ENDS or (before in _CLOSES and inner[-1:] in tuple(_ENDS))
    if ended or (before in ":;" and not after):
        return begins
    return attached and (before.isalpha() or before in _CLOSES or before in ",;") and (spaced or not after.isalnum())
