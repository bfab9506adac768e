"""One question in words out of the hops of a graph.

Each hop but the last becomes a phrase for its answer, which takes the place of the name in
the question that asks about it: "the performer of Imagine" in "when was #1 born". Where a
hop gives no phrase, or a place takes none, or the sentence would be hard to read, the hop
gets a sentence of its own before:

    Think of the city that answers “Which city …?”. When was that city founded?
    Let X be the country of Ada. What does the X flag look like?
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stages.core.contract import StageError
from stages.musique.composition.describe import asked_noun, describe, plain
from stages.musique.composition.fragments import QUOTING, as_question, is_request, noun_phrase
from stages.musique.composition.frames import PLACEHOLDER, hops_in, put, takes_phrase
from stages.musique.composition.grammar import SUBJECT, Grammar
from stages.musique.composition.names import recased, subject_name, tidy
from stages.musique.composition.nesting import hard_to_read
from stages.musique.single_hops.forms import relation_sides

PHRASE, REFERENCE, LETTERS = "phrase", "reference", "letters"
FORMS = (PHRASE, REFERENCE, LETTERS)
_LETTERS = "XYZ"
# Words of a subject from which on the question that ends in it reads better.
_LONG = 5
# What a file's writer left behind a placeholder that ends a subject.
_TRAILING = re.compile(r"(#\d++|(?<![^\W\d_])[^\W\d_]{2,}+(?=[’']))\s*+[.,;:'’]+\s*$")
_BARE = re.compile(r"(?:the )?#\d+")
_A_LETTER = re.compile(r"\b([Aa]) (?=X\b)")
_THE_LATER = re.compile(r"(?<=[a-z,] )The (?=[XYZ]\b)")
_QUOTED_START = re.compile(r"(?:sentence|search|answers|answer to) “[a-z]")
_DOUBLE_ARTICLE = re.compile(r"\b(the|a|an) (?=(?:the|a certain|an?) )", re.IGNORECASE)


@dataclass(frozen=True)
class Composed:
    """form: PHRASE (one sentence), REFERENCE or LETTERS (with sentences before it)."""

    question: str
    form: str


@dataclass(frozen=True)
class _Hop:
    """asked: as a question, long: with a long subject; phrase: for its answer, None where there is none; noun: of what
    is asked for, if known; is_bare: it asks by a rule's words for a relation of one answer, which may be any phrase."""

    asked: str
    long: str
    phrase: str | None
    noun: str | None
    is_bare: bool = False

    def text(self, is_last: bool) -> str:
        return self.asked if is_last or self.phrase is None else self.phrase


@dataclass(frozen=True)
class Known:
    """What is known of a graph beside its steps. entity_types: of answers, by number of hop, as the tagger has them;
    texts: paragraphs by number of hop, that show how names are spelt."""

    entity_types: Mapping[int, str]
    texts: Mapping[int, Sequence[str]]


def compose(steps: Sequence[str], known: Known, grammar: Grammar) -> Composed:
    """The question of a graph.

    steps: its hops' questions, with "#1" for the answer of the first; the last step's answer is asked for.
    Raises StageError: a step is not led to by the last one, or a placeholder is left.
    """
    hops = [_hop(number, step, known, grammar) for number, step in enumerate(steps, start=1)]
    texts = {number: hop.text(number == len(hops)) for number, hop in enumerate(hops, start=1)}
    apart = [number for number in range(1, len(hops)) if not _nested(number, hops, texts, grammar)]
    apart = hard_to_read(texts, apart)
    last = len(hops)
    if any(number not in apart and _words_in(number, texts, apart) > _LONG for number in hops_in(texts[last])):
        texts[last] = hops[-1].long
    composed = _written(hops, texts, apart, grammar)
    left = PLACEHOLDER.search(composed.question)
    if left and all(PLACEHOLDER.search(put(step, dict.fromkeys(texts, ""))) is None for step in steps):
        raise StageError(f"composition: {left[0]} is left in {composed.question!r}")
    return composed


def _words_in(number: int, texts: Mapping[int, str], apart: Sequence[int]) -> int:
    inner = sum(_words_in(hop, texts, apart) for hop in hops_in(texts[number]) if hop not in apart)
    return len(texts[number].split()) + inner


def _hop(number: int, step: str, known: Known, grammar: Grammar) -> _Hop:
    texts, value_type = known.texts.get(number, ()), known.entity_types.get(number, "")
    sides = relation_sides(step)
    if sides is None:
        return _plain_hop(recased(tidy(step), texts, grammar), value_type, grammar)
    wording, subject = grammar.wording(sides[1]), _subject(sides[0], texts, grammar)
    about = hops_in(subject)
    subject_type = known.entity_types.get(about[0], "") if about else ""
    asked, long = (wording.asked(subject_type, is_long).replace(SUBJECT, subject) for is_long in (False, True))
    phrase = wording.named(value_type).replace(SUBJECT, subject)
    return _Hop(asked, long, phrase, None, _BARE.fullmatch(subject) is not None)


def _plain_hop(step: str, value_type: str, grammar: Grammar) -> _Hop:
    question = as_question(plain(step) if not step.endswith("?") else step, grammar)
    phrase = describe(question, value_type, grammar)
    if phrase is None and is_request(question, grammar) and not is_request(step, grammar):
        phrase = noun_phrase(plain(step), grammar)
    asked = f"{plain(question)}?"
    return _Hop(asked, asked, phrase, asked_noun(step, grammar))


def _subject(subject: str, texts: Sequence[str], grammar: Grammar) -> str:
    return subject_name(_TRAILING.sub(r"\1", subject), texts, grammar)


def _nested(number: int, hops: Sequence[_Hop], texts: Mapping[int, str], grammar: Grammar) -> bool:
    """Whether a hop's phrase can stand where its answer is asked about."""
    phrase = hops[number - 1].phrase
    users = {user: text for user, text in texts.items() if number in hops_in(text)}
    if not users:
        raise StageError(f"composition: no step asks about the answer of step {number} of {[h.asked for h in hops]}")
    return phrase is not None and all(
        hops[user - 1].is_bare or takes_phrase(text, number, phrase, grammar) for user, text in users.items()
    )


def _written(hops: Sequence[_Hop], texts: Mapping[int, str], apart: Sequence[int], grammar: Grammar) -> Composed:
    if not apart:
        return Composed(_sentence(_realised(len(hops), texts, {}, {}, grammar), grammar), PHRASE)
    first = apart[0]
    hop = hops[first - 1]
    if len(apart) == 1 and hop.phrase is None and hop.noun:
        name = f"that {hop.noun}"
        if all(takes_phrase(text, first, name, grammar) for text in texts.values() if first in hops_in(text)):
            asked = _sentence(_realised(first, texts, {}, {}, grammar), grammar)
            last = _sentence(_realised(len(hops), texts, {first: name}, {}, grammar), grammar)
            return Composed(f"Think of the {hop.noun} that answers “{asked}” {last}", REFERENCE)
    letters = dict(zip(apart, _LETTERS, strict=False))
    told = [_definition(number, hops[number - 1], texts, letters, grammar) for number in apart]
    last = _sentence(_realised(len(hops), texts, {}, letters, grammar), grammar)
    return Composed(f"Let {', and let '.join(told)}. {last}", LETTERS)


def _definition(number: int, hop: _Hop, texts: Mapping[int, str], letters: Mapping[int, str], grammar: Grammar) -> str:
    earlier = {other: letter for other, letter in letters.items() if other != number}
    text = _realised(number, texts, {}, earlier, grammar)
    if text.startswith(QUOTING):
        # What quotes is not quoted once more.
        return f"{letters[number]} be w{_sentence(text, grammar)[1:-1]}"
    return f"{letters[number]} be {text if hop.phrase else f'the answer to “{_sentence(text, grammar)}”'}"


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


def _sentence(text: str, grammar: Grammar) -> str:
    tidied = _DOUBLE_ARTICLE.sub("", tidy(_A_LETTER.sub(r"\1n ", _THE_LATER.sub("the ", text))))
    tidied = _QUOTED_START.sub(lambda match: match[0][:-1] + match[0][-1].upper(), tidied).rstrip(" ?,;:")
    mark = "." if is_request(tidied, grammar) else "?"
    return f"{tidied[:1].upper()}{tidied[1:]}{mark}"
