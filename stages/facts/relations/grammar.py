"""English articles and the joining of text and labels: the grammar that templates cannot carry themselves.

Labels come from outside and are rendered as they stand, but for runs of white space.
"""

from __future__ import annotations

import re

from stages.facts.relations.model import Articles

_DETERMINED = re.compile(r"(the|a|an|this|that|my|our|your|his|her|its|their|no|every|some)\b", re.IGNORECASE)
_OWN_ARTICLE = re.compile(r"the\s", re.IGNORECASE)
_TRAILING_ARTICLE = re.compile(r"\bthe $", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_HEAD_END = re.compile(r"(?<!\s)(?:\s++(?:of|in|for|from|by|on|at|with|to|that|who)\s|\s*+[,(–])")

_PLURAL = re.compile(r"(?<![sui])(?<!ic)s$", re.IGNORECASE)
_SINGULAR = re.compile(
    r"\b(?:mini)?(?:series|species|news|means|corps|headquarters|barracks|atlas|blues|lens|gas|canvas|chaos)$",
    re.IGNORECASE,
)
_SECOND_NOUN = re.compile(r"\b(?:of|in|for|from|by|on|at|with|to|and)\b|[–:,(]")

# Words whose first letter misleads about their first sound.
_SILENT_H = ("heir", "honest", "honor", "honour", "hour")
_Y_OR_W_SOUND = re.compile(
    r"(?:u(?:ni(?![nmd])|s[aeiu]|t[aeio]|r[aeu]|bi|k[ru]|ga|fo)|eu|ew|one\b|once\b|ouija)", re.IGNORECASE
)
_VOWEL_NAMED_LETTERS = frozenset("AEFHILMNORSX")
_DIGITS = re.compile(r"[0-9]+")
_AN_NUMBERS = re.compile(r"(?:8\d*|1[18](?:\d\d|(?:\d{3})*))$")


def squeeze(text: str) -> str:
    """The text on one line with single spaces."""
    return " ".join(text.split())


def indefinite(word: str) -> str:
    """ "a" or "an", by the sound that `word` (a label or a phrase) begins with."""
    match = _FIRST_WORD.search(word)
    first = match.group() if match else ""
    digits = _DIGITS.match(first)
    if digits:
        return "an" if _AN_NUMBERS.match(digits.group()) else "a"
    if _is_spelled_out(first):
        return "an" if first[0] in _VOWEL_NAMED_LETTERS else "a"
    if first.lower().startswith(_SILENT_H):
        return "an"
    if _Y_OR_W_SOUND.match(first):
        return "a"
    return "an" if first[:1].lower() in tuple("aeiouàáâäåæèéêëìíîïòóôöøùúûü") else "a"


def _is_spelled_out(word: str) -> bool:
    # NATO or UNESCO are read as words; two or three capitals, or capitals without a vowel, are spelled out.
    capitals = word.isascii() and word.isalpha() and word.isupper()
    return capitals and (len(word) <= 3 or not set(word) & set("AEIOU"))


def with_indefinite(label: str, articles: Articles) -> str:
    """The label after "a" or "an", or "one of the" where it is a plural, unless it has a determiner of its own or its
    head is never counted."""
    head = _HEAD_END.split(label, maxsplit=1)[0]
    if not head.split() or _DETERMINED.match(label) or head.split()[-1].lower() in articles.bare:
        return label
    if all(map(_is_plural, head.split(" and "))):
        return f"one of the {label}"
    return f"{indefinite(label)} {label}"


def _is_plural(words: str) -> bool:
    """Of "Colonial Colleges"; not of a series, a campus, a polis, a fortress, physics."""
    return _PLURAL.search(words) is not None and _SINGULAR.search(words) is None


def with_definite(label: str, articles: Articles) -> str:
    """The label after "the" where its kind of name takes one: "the United Nations", but "Germany"."""
    if _DETERMINED.match(label) or label in articles.never:
        return label
    starts = any(f"{label} ".startswith(f"{words} ") for words in articles.starts)
    ends = any(f" {label}".endswith(f" {words}") for words in articles.ends)
    within = any(_leads(label, words) for words in articles.within)
    return f"the {label}" if label in articles.exact or starts or ends or within else label


def _leads(label: str, words: str) -> bool:
    """Whether the words are the first noun of a label: in "Free University of Berlin", not in "Embassy of the ..."."""
    before, found, _ = f" {label} ".partition(f" {words} ")
    return bool(found) and not _SECOND_NOUN.search(before)


def quoted_if_exclaimed(label: str) -> str:
    """A label that ends in "?" or "!" in quotation marks, so that its mark is not taken for the sentence's."""
    if not label.endswith(("?", "!")):
        return label
    return f"‘{label}’" if '"' in label else f'"{label}"'


def joined(pieces: list[str]) -> str:
    """The pieces as one text. An article of the template gives way to the label's own ("the" + "The Who")."""
    text = ""
    for piece in pieces:
        if _OWN_ARTICLE.match(piece):
            text = _TRAILING_ARTICLE.sub("", text)
        text += piece
    return squeeze(text)


def capitalised(text: str) -> str:
    """The text with a capital first letter, the rest untouched."""
    return text[:1].upper() + text[1:]
