"""Whether a name that occurs in a question is mentioned there as a whole.

"New Hampshire" is no mention of Hampshire, "Anglo-American" none of American, and
"the March on Rome" none of the month. What is known here is the question's own text;
names that the corpus knows and the tagger's entities are asked elsewhere.
"""

from __future__ import annotations

import unicodedata

from stages.core import english
from stages.musique.bridges.names import Match
from stages.musique.single_hops.forms import Words, bare

INSIDE_LONGER, JOINED, OTHER_CASE = "inside_longer_name", "joined_word", "other_case"
SHORT = 3
_JOINTS = "-\u2010\u2011\u2012\u2013&'\u2018\u2019."
_POSSESSIVE = "'\u2019"
# Words that begin a question or stand between names with a capital letter for no reason of their own.
FUNCTION_WORDS = english.FUNCTION_WORDS | frozenset(
    """according along another around besides despite every following name near one outside us""".split()  # noqa: SIM905
)
# Titles before a name that is whole without them.
_TITLES = frozenset(
    """president senator governor mayor chancellor minister professor dr mr mrs ms miss actor actress""".split()  # noqa: SIM905
)


def is_cased(question: str) -> bool:
    """Whether capital letters mean something in a question: it has any."""
    return any(map(str.isupper, question))


def fault(question: str, words: Words, first: int, last: int, name: str) -> str | None:
    """Why the words first..last of a question are no whole mention of a name; None where they are one.

    name: as the head's paragraph spells it, without a leading article.
    """
    start, end = words.span(first, last)
    if _joined_before(question, start) or _joined_after(question, end):
        return JOINED
    cased = is_cased(question)
    if last == first and words.words[first] in FUNCTION_WORDS and (first == 0 or not cased):
        return OTHER_CASE
    if not cased:
        if last == first and end - start <= SHORT:
            return OTHER_CASE
        return INSIDE_LONGER if _numbered(question, words, first, last) else None
    if not same_case(question[start:end], name):
        return OTHER_CASE
    if _continues_before(question, words, first) or _continues_after(question, words, last):
        return INSIDE_LONGER
    return INSIDE_LONGER if _behind_its_part(question, words, first, last) else None


def longer_by(question: str, words: Words, first: int, last: int, witness: str) -> bool:
    """Whether a text that is written with capitals shows that a question without them goes on with a name's words.

    "where is the tennessee titans stadium" mentions no state where its paragraph speaks of the Tennessee Titans.
    """
    if is_cased(question):
        return False
    shown = Words.of(witness)
    after = last + (2 if words.words[last + 1 : last + 2] == ("s",) else 1)
    runs = [(first - 1, last, first - 1), (first, after, after)]
    return any(
        witness[shown.spans[place[0] + neighbour - begin][0]].isupper()
        for begin, end, neighbour in runs
        if 0 <= neighbour < len(words.words) and words.words[neighbour] not in FUNCTION_WORDS
        for place in shown.find(f" {' '.join(words.words[begin : end + 1])} ")
    )


def attributive(question: str, words: Words, last: int, name: str, witness: Words) -> bool:
    """Whether a name only tells which of several is meant by the word after it: "the Mediterranean diet".

    So it is where the question goes on with a word in small letters with which the witness (the paragraph, or its
    title) goes on as well, at every place where it has the name.
    """
    if last + 1 >= len(words.words) or not _adjacent(question, words, last):
        return False
    after = words.words[last + 1]
    places = witness.find(name)
    return (
        bool(places)
        and after not in FUNCTION_WORDS
        and question[words.spans[last + 1][0]].islower()
        and all(witness.words[place[1] + 1 : place[1] + 2] == (after,) for place in places)
    )


def written_as_name(question: str, words: Words, match: Match) -> bool:
    """Whether a question writes a match as names are written, where it has capitals: "the president of France" is none.

    Every word but the short common ones has to have a capital.
    """
    if not is_cased(question):
        return True
    numbers = range(match.first, match.last + 1)
    return all(
        words.words[number] in FUNCTION_WORDS or not question[words.spans[number][0]].islower() for number in numbers
    )


def same_case(found: str, name: str) -> bool:
    """Whether every word that the name writes with a capital has one; short names must agree in every letter."""
    pairs = list(zip(_pieces(found), _pieces(name), strict=False))
    if sum(map(len, _pieces(name))) <= SHORT:
        return all(one == other for one, other in pairs)
    return all(one[0].isupper() or not other[0].isupper() for one, other in pairs)


def without_article(name: str) -> str:
    words = Words.of(name)
    skipped = len(words.words) - len(bare(words.joined).split())
    return name[words.spans[skipped][0] :] if words.words else name


def _pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in Words.of(text).spans]


def _joined_before(text: str, start: int) -> bool:
    return start >= 2 and text[start - 1] in _JOINTS and _is_word(text[start - 2])


def _joined_after(text: str, end: int) -> bool:
    following = text[end : end + 3]
    if len(following) < 2 or following[0] not in _JOINTS or not _is_word(following[1]):
        return False
    possessive = following[0] in _POSSESSIVE and following[1] in "sS" and not _is_word(following[2:])
    return not possessive


def _is_word(character: str) -> bool:
    return character.isalnum() or (character > "\u02ff" and unicodedata.category(character)[0] == "M")


def _numbered(question: str, words: Words, first: int, last: int) -> bool:
    """Whether a number follows ("apollo 11") or precedes ("2012 olympics") a name."""
    after = question[words.spans[last][1] :]
    before = question[: words.spans[first][0]]
    return (after[:1] == " " and after[1:2].isdigit()) or (before[-1:] == " " and before[-2:-1].isdigit())


def _continues_before(question: str, words: Words, first: int) -> bool:
    """Whether the word before belongs to the name: "New" of Hampshire, "2012" of Summer Olympics."""
    if first == 0:
        return False
    start, end = words.spans[first - 1]
    if not _adjacent(question, words, first - 1):
        return False
    before = question[start:end]
    if before[0].isdigit():
        return True
    return before[0].isupper() and words.words[first - 1] not in FUNCTION_WORDS | _TITLES


def _continues_after(question: str, words: Words, last: int) -> bool:
    """Whether the word after belongs to the name: "County" of Hampshire, "11" of Apollo."""
    if last + 1 >= len(words.words):
        return False
    start, end = words.spans[last + 1]
    if not _adjacent(question, words, last):
        return False
    after = question[start:end]
    return after[0].isdigit() or (after[0].isupper() and words.words[last + 1] not in FUNCTION_WORDS)


def _behind_its_part(question: str, words: Words, first: int, last: int) -> bool:
    """Whether a name says where the one before its comma lies: "Fresno, California"; a list goes on with a comma."""
    if first == 0 or _between(question, words, first - 1) != ", ":
        return False
    before = words.spans[first - 1][0]
    if not question[before].isupper() or words.words[first - 1] in FUNCTION_WORDS:
        return False
    after = question[words.spans[last][1] :].lstrip(" ")
    return not after.startswith((",", "and ", "or ", "&"))


def _between(text: str, words: Words, number: int) -> str:
    """What stands between a word and the next."""
    return text[words.spans[number][1] : words.spans[number + 1][0]]


def _adjacent(question: str, words: Words, number: int) -> bool:
    """Whether nothing parts a word from the next: a space alone, or the point of an initial before it."""
    start, end = words.spans[number]
    gap = _between(question, words, number)
    return gap == " " or (gap == ". " and end - start == 1)
