"""What is asked where no question was: "third president of the #1", "the south west wind blows across #1 between".

People type such words into a search box. A noun with what describes it is asked for by
"Name ..."; what breaks off, or states, is quoted.
"""

from __future__ import annotations

import re

from stages.musique.composition.grammar import Grammar

# How a text that breaks off, and one that states, is quoted.
QUOTING = ("What completes the sentence ", "What answers the search ")
_NAME_OF = re.compile(r"name (?:of|given to) ", re.IGNORECASE)
_WORD = re.compile(r"[\w#'’-]+")
_GAP = re.compile(r"(?<!\s)(?:\s*+\.){2,}+\s*+|_{2,}+")
_OPEN_ENDS = {"called", "named", "known", "as", "a", "an", "the", "parts", "of"}
_CONTRACTIONS = re.compile(r"^(what|who|where|when|how)s\b", re.IGNORECASE)
_FEWEST = 3


def noun_phrase(text: str, grammar: Grammar) -> str | None:
    """A text that names what it asks for, as a phrase; None where it is another text.

    "third president of the #1" is "the third president of the #1".
    """
    words = [word.lower() for word in _WORD.findall(text)]
    if _NAME_OF.match(text):
        words = words[2:]
        text = text.split(None, 2)[2] if len(words) >= 1 else text
    if len(words) < _FEWEST or words[0].startswith("#") or not _describes(words, grammar):
        return None
    return text if words[0] in ("the", "a", "an", "all") else f"the {text}"


def as_question(text: str, grammar: Grammar) -> str:
    """A question or a request as it is; other texts as what asks for their answer.

    A text is a request if and only if what comes begins with a word of `requests`.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    text = _CONTRACTIONS.sub(r"\1's", text)
    if not words or text.rstrip().endswith("?") or is_request(text, grammar):
        return text
    phrase = noun_phrase(text, grammar)
    if _NAME_OF.match(text) and phrase:
        return f"What is the name of {phrase}"
    if phrase is not None:
        return f"Name {phrase}"
    if set(words) & grammar.words["asking"] or words[0] in grammar.words["auxiliaries"]:
        return text
    gap = _GAP.search(text)
    is_open = gap is not None or words[-1] in _OPEN_ENDS or _closes_openly(words[-1], grammar)
    shown = " ".join(_GAP.sub(" … ", text).split())
    return f"{QUOTING[0]}“{shown}”" if is_open else f"{QUOTING[1]}“{shown}”"


def is_request(text: str, grammar: Grammar) -> bool:
    """Whether a text begins as a request does: "Name a state ..."."""
    first, _, rest = text.strip().partition(" ")
    return first.lower() in grammar.words["requests"] and not rest.lower().startswith(("of ", "given "))


def _closes_openly(last: str, grammar: Grammar) -> bool:
    return last in grammar.words["prepositions"] | grammar.words["auxiliaries"]


def _describes(words: list[str], grammar: Grammar) -> bool:
    """Whether the words are a noun with what belongs to it: no verb stands before a clause of its own."""
    first = words[0]
    if first in grammar.words["asking"] | grammar.words["auxiliaries"] | grammar.words["prepositions"]:
        return False
    start = next((place for place, word in enumerate(words) if word in grammar.words["relative"]), len(words))
    head, rest = words[:start], words[start:]
    if {"what", "why", "how"} & set(words) or _closes_openly(words[-1], grammar) or words[-1] in _OPEN_ENDS:
        return False
    if any(word in grammar.words["auxiliaries"] or _is_third(word, grammar) for word in head):
        return False
    return len(rest) > 1 if rest else bool(grammar.words["prepositions"] & set(head))


def _is_third(word: str, grammar: Grammar) -> bool:
    return grammar.tensed(word) and word.endswith("s")
