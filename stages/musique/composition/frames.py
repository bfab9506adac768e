"""Putting a phrase, or a word that stands for it, where a question mentions the answer of another.

A phrase fits where the name that stood there was a whole phrase: "when was #1 founded". It
does not where the name was part of a longer one or described another word: "#1 University",
"the #1 flag". There only another name will do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from stages.musique.composition.grammar import Grammar

PLACEHOLDER = re.compile(r"#(?P<hop>\d+)")
_ARTICLE = r"\b(?:the|a|an) "
_POSSESSIVE = re.compile(r"\s?['’]s?\b|['’] ")
_BEING = {"is", "are", "was", "were"}
_POINT = re.compile(r"^\.(?= [a-z])")
_WORD = re.compile(r"[\w.'’-]+")
_END = ".,;:?!)>"
# A longer phrase, or one with a clause in it, makes a clumsy owner.
_MOST_OWNING = 4
# Words before "and" among which the verb of a question stands.
_NEAR = 4
# Verbs before "the #1" that a participle follows.
_PERFECT = [["has"], ["have"], ["had"], ["is"], ["was"], ["are"], ["were"]]
# "the country of Ararat's parliament": whose is it?
_CLAUSE = re.compile(r"\b(?:that|who|which|where|when|whose|of|in)\b")


def hops_in(text: str) -> list[int]:
    """Numbers of the hops that a text mentions, in its order."""
    return [int(match["hop"]) for match in PLACEHOLDER.finditer(text)]


def takes_phrase(text: str, hop: int, phrase: str, grammar: Grammar) -> bool:
    """Whether the phrase can stand where the text mentions the hop."""
    place = f"#{hop}"
    before, _, after = text.partition(place)
    # The point of "U.S." ends no sentence where it goes on.
    after = _POINT.sub("", after)
    return _follows(before, grammar) and _precedes(before, after, phrase, grammar)


def put(text: str, phrases: Mapping[int, str], keep_article: bool = False) -> str:
    """The text with phrases in place of hops; an article before goes, as a phrase has its own.

    keep_article: for names, which stand as the name before them did.
    """
    for hop, phrase in phrases.items():
        article = "" if keep_article else f"(?:{_ARTICLE})?"
        text = re.sub(rf"{article}#{hop}(?!\d)", lambda _, own=phrase: own, text, flags=re.IGNORECASE)  # type: ignore[misc]
    return text


def _follows(before: str, grammar: Grammar) -> bool:
    """Whether what stands before is no part of a longer name and does not describe one."""
    words = before.split()
    if not words or before[-1:] != " ":
        # "pro-#1", "(#1"
        return not words or before[-1] in "(“\"'"
    last = words[-1]
    if last.endswith(("'s", "’s")):
        return False
    if last.lower() in ("the", "a", "an"):
        # "the new #1" ends in another word and is seen to below; "a #1" speaks of one of many.
        return last.lower() == "the" and (len(words) < 2 or words[-2].lower() not in grammar.words["before"])
    if last.lower() in grammar.words["nouns"]:
        # "the company #1"
        return False
    if words[-2:-1] and words[-2].lower() in grammar.words["prepositions"] and _may_be_named(last, grammar):
        # "the voice of stewie #1"
        return False
    if last.lower() in grammar.words["before"] or last.lower().endswith(tuple(grammar.words["before_ends"])):
        return False
    is_title = last[:1].isupper() and last[-1:] not in ",;:" and len(words) > 1
    return not is_title


def _may_be_named(word: str, grammar: Grammar) -> bool:
    """Whether a word behind a preposition may be a name in small letters, to which the next one belongs."""
    closed = ("prepositions", "auxiliaries", "after", "adverbs", "asking", "relative", "participles")
    return (
        word.isalpha()
        and not word.endswith(("ing", "ed"))
        and not any(word.lower() in grammar.words[name] for name in closed)
        and word.lower() not in grammar.verbs
    )


def _precedes(before: str, after: str, phrase: str, grammar: Grammar) -> bool:
    """Whether what stands after goes on without the name."""
    if not after.strip() or after.lstrip()[:1] in _END:
        return True
    if PLACEHOLDER.match(after.lstrip()):
        return False
    if _POSSESSIVE.match(after):
        return len(phrase.split()) <= _MOST_OWNING and not _CLAUSE.search(phrase.removeprefix("that "))
    word = _WORD.search(after)
    if word is None or after[:1] != " " or word[0][:1].isupper():
        return False
    follower = word[0].strip(".'’").lower()
    words = [part.lower() for part in before.split()]
    is_plain = words[-1:] != ["the"]
    if not is_plain:
        words.pop()
    if words[-1:] and words[-1] in _BEING and _is_plural(follower) and follower not in grammar.words["after"]:
        # "what are the #1 flags called"
        return False
    if words[-1:] and words[-1] in grammar.words["auxiliaries"] and (is_plain or _is_base(follower, grammar)):
        # "did #1 go", "did the #1 go"; but "does the #1 flag ..."
        return True
    if words[-1:] == ["and"] and is_plain and grammar.words["auxiliaries"] & set(words[-_NEAR:]):
        # "did Ada and #1 go"
        return True
    return _goes_on(follower, is_plain or words[-1:] in _PERFECT, grammar)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ous", "ss"))


def _is_base(word: str, grammar: Grammar) -> bool:
    return word in grammar.verbs or word in grammar.words["after_did"]


def _goes_on(word: str, is_verb: bool, grammar: Grammar) -> bool:
    """is_verb: what looks like a participle is one, which it is not in "unlike the #1 ringed seal"."""
    if any(word in grammar.words[name] for name in ("after", "auxiliaries", "prepositions")) or grammar.tensed(word):
        return True
    return is_verb and word.endswith(("ed", "ing"))
