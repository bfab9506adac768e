"""One question in words out of the hops of a graph.

Each hop but the last becomes a phrase for its answer, which takes the place of the name in
the question that asks about it: "the performer of Imagine" in "when was #1 born". Where a
hop gives no phrase, or a place takes none, the hop gets a sentence of its own before:

    Think of the city that answers “Which city …?”. When was that city founded?
    Let X be the country of Ada. What does the X flag look like?
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stages.composition.describe import asked_noun, describe, plain
from stages.composition.frames import PLACEHOLDER, hops_in, put, takes_phrase
from stages.composition.grammar import SUBJECT, Grammar
from stages.contract import StageError
from stages.hops.forms import relation_sides

PHRASE, REFERENCE, LETTERS = "phrase", "reference", "letters"
FORMS = (PHRASE, REFERENCE, LETTERS)
_LETTERS = "XYZ"
# What a file's writer left behind a placeholder that ends a subject.
_TRAILING = re.compile(r"(#\d+)\s*[.,;:'’]+\s*$")
_THE_LATER = re.compile(r"(?<=[a-z,] )The (?=[XYZ]\b)")
_SPACE_BEFORE_MARK = re.compile(r"\s+(?=[,;:?!.](?:\s|$)|['’]s\b)")


@dataclass(frozen=True)
class Composed:
    """form: PHRASE (one sentence), REFERENCE or LETTERS (with sentences before it)."""

    question: str
    form: str


@dataclass(frozen=True)
class _Hop:
    """asked: as a question; phrase: for its answer, None where there is none; noun: of what is asked for, if known."""

    asked: str
    phrase: str | None
    noun: str | None

    def text(self, is_last: bool) -> str:
        return self.asked if is_last or self.phrase is None else self.phrase


def compose(steps: Sequence[str], entity_types: Mapping[int, str], grammar: Grammar) -> Composed:
    """The question of a graph.

    steps: its hops' questions, with "#1" for the answer of the first; the last step's answer is asked for.
    entity_types: of the answers, by number of hop, as the tagger has them.
    Raises StageError: a step is not led to by the last one, or a placeholder is left.
    """
    hops = [_hop(step, entity_types.get(number, ""), grammar) for number, step in enumerate(steps, start=1)]
    texts = {number: hop.text(number == len(hops)) for number, hop in enumerate(hops, start=1)}
    apart = [number for number in range(1, len(hops)) if not _nested(number, hops, texts, grammar)]
    composed = _written(hops, texts, apart, grammar)
    left = PLACEHOLDER.search(composed.question)
    if left and all(PLACEHOLDER.search(put(step, dict.fromkeys(texts, ""))) is None for step in steps):
        raise StageError(f"composition: {left[0]} is left in {composed.question!r}")
    return composed


def _hop(step: str, entity_type: str, grammar: Grammar) -> _Hop:
    sides = relation_sides(step)
    if sides is None:
        return _Hop(f"{plain(step)}?", describe(step, entity_type, grammar), asked_noun(step, grammar))
    wording, subject = grammar.wording(sides[1]), _TRAILING.sub(r"\1", sides[0])
    if subject.lower().startswith("the #"):
        subject = subject[0].lower() + subject[1:]
    return _Hop(wording.ask.replace(SUBJECT, subject), wording.name.replace(SUBJECT, subject), None)


def _nested(number: int, hops: Sequence[_Hop], texts: Mapping[int, str], grammar: Grammar) -> bool:
    """Whether a hop's phrase can stand where its answer is asked about."""
    phrase = hops[number - 1].phrase
    users = [text for text in texts.values() if number in hops_in(text)]
    if not users:
        raise StageError(f"composition: no step asks about the answer of step {number} of {[h.asked for h in hops]}")
    return phrase is not None and all(takes_phrase(text, number, phrase, grammar) for text in users)


def _written(hops: Sequence[_Hop], texts: Mapping[int, str], apart: Sequence[int], grammar: Grammar) -> Composed:
    if not apart:
        return Composed(_sentence(_realised(len(hops), texts, {}, {}, grammar)), PHRASE)
    first = apart[0]
    hop = hops[first - 1]
    if len(apart) == 1 and hop.phrase is None and hop.noun:
        name = f"that {hop.noun}"
        if all(takes_phrase(text, first, name, grammar) for text in texts.values() if first in hops_in(text)):
            asked = _sentence(_realised(first, texts, {}, {}, grammar))
            last = _sentence(_realised(len(hops), texts, {first: name}, {}, grammar))
            return Composed(f"Think of the {hop.noun} that answers “{asked}” {last}", REFERENCE)
    letters = dict(zip(apart, _LETTERS, strict=False))
    told = [_definition(number, hops[number - 1], texts, letters, grammar) for number in apart]
    last = _sentence(_realised(len(hops), texts, {}, letters, grammar))
    return Composed(f"Let {', and let '.join(told)}. {last}", LETTERS)


def _definition(number: int, hop: _Hop, texts: Mapping[int, str], letters: Mapping[int, str], grammar: Grammar) -> str:
    earlier = {other: letter for other, letter in letters.items() if other != number}
    text = _realised(number, texts, {}, earlier, grammar)
    return f"{letters[number]} be {text if hop.phrase else f'the answer to “{_sentence(text)}”'}"


def _realised(
    number: int, texts: Mapping[int, str], names: Mapping[int, str], letters: Mapping[int, str], grammar: Grammar
) -> str:
    """A hop's text with all that it mentions put in. names: for hops that are told apart; letters: likewise."""
    text = texts[number]
    mentioned = hops_in(text)
    own_letters = {hop: letters[hop] for hop in mentioned if hop in letters}
    others = [hop for hop in mentioned if hop not in letters and hop in texts]
    phrases = {hop: names[hop] if hop in names else _realised(hop, texts, names, letters, grammar) for hop in others}
    # "the X flag", but "a town in X".
    bare = {hop: letter for hop, letter in own_letters.items() if takes_phrase(text, hop, letter, grammar)}
    text = put(text, bare)
    return put(put(text, {hop: letter for hop, letter in own_letters.items() if hop not in bare}, True), phrases)


def _sentence(text: str) -> str:
    tidy = _SPACE_BEFORE_MARK.sub("", _THE_LATER.sub("the ", " ".join(text.split())))
    return f"{tidy[:1].upper()}{tidy[1:].rstrip(' ?')}?"
