"""What a plain question asks for, as a phrase: "where was Ada born" asks for "the place where Ada was born".

Only questions whose words leave no doubt about their grammar are described. Word order is
turned round where exactly one word can be the verb; names that are lower-cased, questions
that begin with something else, and whatever ends in a way that no rule knows, give none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from stages.core.steps import Steps
from stages.musique.composition.grammar import Grammar

# The point of "U.S." is no end mark.
_END = re.compile(r"(?:(?<![\s?!>.])|(?<=[A-Z]\.))(?:[\s?!>]|(?<![A-Z])\.)++$")
_BE = r"(?P<be>is|was|are|were)"
_DO = r"(?P<do>do|does|did)"
_WHICH = re.compile(r"(?:(?P<prep>\w+) )?(?:what|which) (?P<rest>.+)", re.IGNORECASE)
_WHERE_BE = re.compile(rf"where {_BE} (?P<x>.+)", re.IGNORECASE)
_WHERE_DO = re.compile(rf"where {_DO} (?P<x>.+)", re.IGNORECASE)
_WHO_DO = re.compile(rf"whom? {_DO} (?P<x>.+)", re.IGNORECASE)
_WHO = re.compile(r"who (?P<verb>\w+) (?P<rest>.+)", re.IGNORECASE)
_THE = re.compile(rf"(?:who|what) {_BE} (?P<x>the .+)", re.IGNORECASE)
_NAME_OF = re.compile(r"the name (?:of|given to) (?P<x>the .+)", re.IGNORECASE)
_THEN_BE = re.compile(rf"{_BE} (?P<x>.+)", re.IGNORECASE)
_THEN_DO = re.compile(rf"{_DO} (?P<x>.+)", re.IGNORECASE)
_MOST_ADJECTIVES = 3
# Adverbs and the like that are no part of a subject.
_NEGATION = {"not", "never", "n't", "to"}
# "what is the lion called in the film" asks for a name, whatever follows.
_NAMED = {"called", "nicknamed"}
_DETERMINERS = {"the", "a", "an", "this", "that", "its", "their", "his", "her"}
# What stands between the verb and a participle: "was first introduced", "is not confined".
_BEFORE_PARTICIPLE = {"being", "first", "not", "now", "often", "still", "also", "most"}
_NO_SUBJECT = {"there", "often", "it"}
_PLACES_TO = {"is", "was"}


def plain(question: str) -> str:
    """A question without its end mark."""
    return _END.sub("", " ".join(question.split()))


def describe(question: str, entity_type: str, grammar: Grammar) -> str | None:
    """The phrase for a question's answer; None where it is not safe to make one.

    entity_type: of the answer, as the tagger has it; it decides between "the person who" and "the one that".
    """
    text = plain(question)
    for rule in (_definite, _where, _who, _which):
        found = rule(text, entity_type, grammar)
        if found is not None:
            return found
    return None


def asked_noun(question: str, grammar: Grammar) -> str | None:
    """What a question asks for by name: "city" of "which old city ..."; "place" of "where ..."."""
    text = plain(question)
    if text.lower().startswith("where "):
        return grammar.where
    match = _WHICH.fullmatch(text)
    if match is None or (match["prep"] and match["prep"].lower() not in grammar.words["prepositions"]):
        return None
    parts = _noun(match["rest"], grammar)
    return parts[0].split()[-1] if parts else None


def _definite(text: str, entity_type: str, grammar: Grammar) -> str | None:
    match = _THE.fullmatch(text)
    if match is None or _open_end(match["x"], grammar) or _NAMED & set(match["x"].lower().split()):
        return None
    named = _NAME_OF.fullmatch(match["x"])
    return _lower_the(named["x"] if named else match["x"])


def _where(text: str, entity_type: str, grammar: Grammar) -> str | None:
    if match := _WHERE_BE.fullmatch(text):
        clause = _after_be(match["be"], match["x"], grammar)
        if clause is None and match["be"].lower() in _PLACES_TO and _is_name(match["x"], grammar):
            clause = f"{match['x']} {match['be'].lower()}"
        return f"the {grammar.where} where {clause}" if clause else None
    if match := _WHERE_DO.fullmatch(text):
        clause = _after_do(match["do"], match["x"], grammar)
        return f"the {grammar.where} where {clause}" if clause else None
    return None


def _who(text: str, entity_type: str, grammar: Grammar) -> str | None:
    start = grammar.who.get(entity_type, grammar.who[""])
    if match := _WHO_DO.fullmatch(text):
        clause = _after_do(match["do"], match["x"], grammar)
        return f"{start.rsplit(' ', 1)[0]} that {clause}" if clause else None
    match = _WHO.fullmatch(text)
    if match is None:
        return None
    verb, first = match["verb"].lower(), match["rest"].split()[0]
    if verb in ("is", "was"):
        fits = grammar.is_participle(first) and not first[0].isupper() and not _open_end(match["rest"], grammar)
    else:
        fits = verb in ("has", "had") or grammar.tensed(verb) or _past(verb, grammar)
    return f"{start} {verb} {match['rest']}" if fits else None


def _which(text: str, entity_type: str, grammar: Grammar) -> str | None:
    match = _WHICH.fullmatch(text)
    if match is None:
        return None
    prep = (match["prep"] or "").lower()
    if prep and prep not in grammar.words["prepositions"]:
        return None
    parts = _noun(match["rest"], grammar)
    if parts is None:
        return None
    noun, rest = parts
    joint = f"{prep} which" if prep else "that"
    clause: str | None
    if then := _THEN_DO.fullmatch(rest):
        clause = _after_do(then["do"], then["x"], grammar)
    elif then := _THEN_BE.fullmatch(rest):
        clause = _asked_of(then["be"], then["x"], prep, grammar)
    else:
        clause = rest if not prep and _is_clause(rest, grammar) else None
    return f"the {noun} {joint} {clause}" if clause else None


def _asked_of(be: str, rest: str, prep: str, grammar: Grammar) -> str | None:
    """The clause behind "which city is": turned round, or as it stands where the city itself is or was something."""
    first = rest.split()[0].lower()
    if not prep and (grammar.is_participle(first) or first == "the") and not _open_end(rest, grammar):
        return f"{be.lower()} {rest}"
    last = rest.split()[-1].lower()
    # "what continent are the islands off the coast of": of the continent, or of them?
    if not prep and last == "of":
        return None
    if not prep and last in grammar.words["prepositions"] and _only(rest.split(), grammar.is_participle) is None:
        return _before_preposition(be, rest, grammar)
    if not prep and last not in grammar.words["prepositions"]:
        return None
    turned = _after_be(be, rest, grammar)
    # "in which country are the Nazca Lines"
    return f"{rest} {be.lower()}" if turned is None and prep and _is_name(rest, grammar) else turned


def _is_clause(rest: str, grammar: Grammar) -> bool:
    verb, _, others = rest.partition(" ")
    return bool(others) and (verb.lower() in ("has", "had") or grammar.tensed(verb) or _past(verb, grammar))


def _past(word: str, grammar: Grammar) -> bool:
    return word.islower() and word.endswith("ed") and grammar.is_participle(word)


def _noun(text: str, grammar: Grammar) -> tuple[str, str] | None:
    """(noun with its adjectives, what follows) of a text that begins with them."""
    words = text.split()
    for number, word in enumerate(words[: _MOST_ADJECTIVES + 1]):
        # Of two nouns in a row ("church leader") the last is meant.
        followed = number + 1 < len(words) and words[number + 1].lower() in grammar.words["nouns"]
        if word.lower() in grammar.words["nouns"] and not followed:
            return " ".join(words[: number + 1]), " ".join(words[number + 1 :])
        if word.lower() in grammar.words["auxiliaries"] | grammar.words["prepositions"] - {"of"}:
            return None
    return None


def _after_be(be: str, text: str, grammar: Grammar) -> str | None:
    """ "Ada was born there" of "was" and "Ada born there"; None unless one word alone can be the participle."""
    words = text.split()
    place = _only(words, lambda word: "-" not in word and grammar.is_participle(word))
    if place is None or not _closes(words[place + 1 :], grammar):
        return None
    steps = Steps(words)
    while place > 1 and (words[place - 1] in _BEFORE_PARTICIPLE or words[place - 1].endswith("ly")) and steps.on():
        place -= 1
    return _turned(be, words, place, grammar)


def _closes(words: list[str], grammar: Grammar) -> bool:
    """Whether a participle may end the clause before these words: "numbered street" is no clause's end."""
    first = words[0].lower() if words else ""
    return not words or first[:1].isdigit() or first in grammar.words["prepositions"] | grammar.words["adverbs"]


def _before_preposition(be: str, text: str, grammar: Grammar) -> str | None:
    """ "the Alamo is in" of "is" and "the Alamo in"."""
    words = text.split()
    return _turned(be, words, len(words) - 1, grammar)


def _turned(be: str, words: list[str], place: int | None, grammar: Grammar) -> str | None:
    """The words with the verb at a place; None where what stands before it is no subject."""
    if not place:
        return None
    subject = [word.lower() for word in words[:place]]
    if subject[0] in _NO_SUBJECT or grammar.words["auxiliaries"] & set(subject) or subject == ["the"]:
        return None
    return " ".join([*words[:place], be.lower(), *words[place:]])


def _after_do(do: str, text: str, grammar: Grammar) -> str | None:
    """ "Ada went there" of "did" and "Ada go there"; None unless one word alone can be the verb."""
    words = text.split()
    place = _only(words, lambda word: word in grammar.verbs)
    if place is None or {words[place - 1].lower(), words[-1].lower()} & _NEGATION:
        return None
    # "where did the collapse of it occurred": a noun, and the verb is another.
    if words[place - 1].lower() in _DETERMINERS or any(_finite(word, grammar) for word in words):
        return None
    past, third = grammar.verbs[words[place]]
    verb = {"did": past, "does": third, "do": words[place]}[do.lower()]
    return " ".join([*words[:place], verb, *words[place + 1 :]])


def _finite(word: str, grammar: Grammar) -> bool:
    """Whether a word is a verb in a form that "did" never stands with."""
    return word not in grammar.verbs and any(word == past for past, _ in grammar.verbs.values())


def _only(words: list[str], fits: Callable[[str], bool]) -> int | None:
    """The place of the only word that fits, which is not the first."""
    places = [place for place, word in enumerate(words) if fits(word.strip(",;"))]
    return places[0] if len(places) == 1 and places[0] > 0 else None


def _open_end(text: str, grammar: Grammar) -> bool:
    """Whether a phrase ends like a question whose order was turned: "the book about", "the war called"."""
    last = text.split()[-1].lower()
    return last in grammar.words["prepositions"] | grammar.words["auxiliaries"] or grammar.is_participle(last)


def _is_name(text: str, grammar: Grammar) -> bool:
    words = text.split()
    if words[0].lower() in _NO_SUBJECT or any(grammar.is_participle(word) for word in words):
        return False
    if any(word in _DETERMINERS and before not in grammar.words["prepositions"] for before, word in pairwise(words)):
        # "sofia the capital": two phrases.
        return False
    closed = grammar.words["prepositions"] - {"of", "in", "at", "for", "on"} | grammar.words["auxiliaries"]
    return (
        len(words) <= 8
        and not any(word.lower() in closed or word in grammar.verbs or word.endswith("ing") for word in words)
        and words[-1].lower() not in grammar.words["prepositions"]
    )


def _lower_the(text: str) -> str:
    return text[:1].lower() + text[1:]
