"""What the lexical reader sees in a paragraph: sentences, stems, and spans that may be an answer.

A span has a shape: a year, a date, a number, a name of one, two or more capitalised
words, or a phrase of other words between function words and punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from stages.models.readers.interface import MASK
from stages.models.readers.words import FUNCTION_WORDS, LINKS, MONTHS, NUMBER_WORDS

YEAR, DATE, NUMBER, NAME, NAMES, LONG_NAME, PHRASE = "year", "date", "number", "name", "names", "long_name", "phrase"
SHAPES = (YEAR, DATE, NUMBER, NAME, NAMES, LONG_NAME, PHRASE)

_MOST_WORDS = 6
_WORD = re.compile(r"\w+(?:[-'’.&]\w+)*")
_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|Dr|Mr|Mrs|Ms|St|Jr|Sr|No|vs|Mt|Lt|Col|Gen|etc|c|ca)|\.[A-Za-z])$")
_MOST_ABBREVIATION = 3
_MONTH = rf"(?:{'|'.join(MONTHS)})\b\.?"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}} {_MONTH}(?:,? ?\d{{4}})?|{_MONTH} \d{{1,2}}\b(?: ?, ?\d{{4}})?|{_MONTH},? \d{{4}}\b)"
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b(?![,.]\d)")
_NUMBER = re.compile(r"[$£€]?\d+(?:[,.]\d+)*(?:½)?(?: ?%| (?:percent|per cent|thousand|million|billion|trillion)\b)?")
_MASK = MASK.strip("[]")
_stem = Stemmer.Stemmer("porter")


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """A word without case and ending, "" for a function word and for the mask of a masked question."""
    folded = word.casefold()
    return "" if folded in FUNCTION_WORDS or word == _MASK else str(_stem.stemWord(folded))


def stems(text: str) -> list[str]:
    """The stems of a text's words, without function words."""
    return [found for match in _WORD.finditer(text) if (found := stem(match.group()))]


@dataclass(frozen=True, slots=True)
class Span:
    """first, last: its words' places in the paragraph, both inside; sentence: the number of its sentence."""

    text: str
    shape: str
    first: int
    last: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A paragraph as the reader sees it.

    title: stems; words: the stem of each word in order, "" for function words; sentences: the place of the first word
    of each.
    """

    title: tuple[str, ...]
    words: tuple[str, ...]
    sentences: tuple[int, ...]
    spans: tuple[Span, ...]

    @property
    def stems(self) -> set[str]:
        return {word for word in self.words + self.title if word}


# Eight kilobytes a paragraph.
@lru_cache(maxsize=1 << 16)
def see(title: str, text: str) -> Seen:
    """Reads a paragraph; its title's words count as the paragraph's, but no answer is sought there."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    found = [stem(text[start:end]) for start, end in words]
    sentence_of = _sentence_numbers(text, words)
    sentences = tuple(place for place, number in enumerate(sentence_of) if not place or number > sentence_of[place - 1])
    numbers = {number: order for order, number in enumerate(dict.fromkeys(sentence_of))}
    spans = tuple(_spans(text, words, [numbers[number] for number in sentence_of], found))
    return Seen(tuple(stems(title)), tuple(found), sentences, spans)


def shape_of(answer: str) -> str:
    """The shape that an answer has when it stands alone."""
    if _YEAR.fullmatch(answer):
        return YEAR
    if _DATE.fullmatch(answer):
        return DATE
    words = _WORD.findall(answer)
    if _NUMBER.fullmatch(answer) or (words and words[0].casefold() in NUMBER_WORDS):
        return NUMBER
    named = [word for word in words if word[0].isupper()]
    if not words or not words[-1][0].isupper() or len(named) * 2 < len(words):
        return PHRASE
    return _name_shape(len(words))


def _name_shape(words: int) -> str:
    return NAME if words == 1 else NAMES if words == 2 else LONG_NAME


def _sentence_numbers(text: str, words: list[tuple[int, int]]) -> list[int]:
    ends = [match.end() for match in _END.finditer(text) if not _abbreviated(text, match.start())]
    numbers, number = [], 0
    for start, _ in words:
        while number < len(ends) and start >= ends[number]:
            number += 1
        numbers.append(number)
    return numbers


def _abbreviated(text: str, stop: int) -> bool:
    """Whether an abbreviation stands before a full stop; looks no further back than the longest one reaches."""
    return _ABBREVIATION.search(text, max(0, stop - _MOST_ABBREVIATION), stop) is not None


def _spans(text: str, words: list[tuple[int, int]], sentence_of: list[int], found: list[str]) -> Iterator[Span]:
    taken = [False] * len(words)
    for first, last, shape in _figures(text, words, taken):
        yield _span(text, words, sentence_of, first, last, shape)
    for first, last in _runs(text, words, sentence_of, taken):
        yield _span(text, words, sentence_of, first, last, _name_shape(last - first + 1))
    for first, last in _rest(text, words, sentence_of, found, taken):
        shape = NUMBER if text[slice(*words[first])].casefold() in NUMBER_WORDS else PHRASE
        yield _span(text, words, sentence_of, first, last, shape)


def _span(text: str, words: list[tuple[int, int]], sentence_of: list[int], first: int, last: int, shape: str) -> Span:
    return Span(text[words[first][0] : words[last][1]], shape, first, last, sentence_of[first])


def _figures(text: str, words: list[tuple[int, int]], taken: list[bool]) -> Iterator[tuple[int, int, str]]:
    """Dates, years and numbers, as the places of their words; no word is in two of them."""
    by_start = {start: place for place, (start, _) in enumerate(words)}
    by_end = {end: place for place, (_, end) in enumerate(words)}
    for pattern, shape in ((_DATE, DATE), (_YEAR, YEAR), (_NUMBER, NUMBER)):
        for match in pattern.finditer(text):
            start = match.start() + (match.group()[0] in "$£€")
            first, last = by_start.get(start), by_end.get(match.end() - match.group().endswith((".", "%")))
            if first is None or last is None or any(taken[first : last + 1]):
                continue
            taken[first : last + 1] = [True] * (last + 1 - first)
            yield first, last, shape


def _runs(
    text: str, words: list[tuple[int, int]], sentence_of: list[int], taken: list[bool]
) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words, with small words such as "of" inside."""
    place = 0
    while place < len(words):
        if taken[place] or not _capital(text, words, place):
            place += 1
            continue
        last = after = place
        while after + 1 < len(words) and after - place < _MOST_WORDS and _joined(text, words, sentence_of, after):
            after += 1
            word = text[slice(*words[after])]
            if word[0].isupper() or (word[0].isdigit() and not taken[after]):
                last = after
            elif word.casefold() not in LINKS:
                break
        taken[place : last + 1] = [True] * (last + 1 - place)
        yield place, last
        place = last + 1


def _capital(text: str, words: list[tuple[int, int]], place: int) -> bool:
    word = text[slice(*words[place])]
    return word[0].isupper() and word.casefold() not in FUNCTION_WORDS


def _joined(text: str, words: list[tuple[int, int]], sentence_of: list[int], place: int) -> bool:
    """Whether nothing but space stands between a word and the next, in one sentence."""
    between = text[words[place][1] : words[place + 1][0]]
    return sentence_of[place] == sentence_of[place + 1] and between.strip(" .'") == ""


def _rest(
    text: str, words: list[tuple[int, int]], sentence_of: list[int], found: list[str], taken: list[bool]
) -> Iterator[tuple[int, int]]:
    """Runs of the other words that are no function words."""
    place = 0
    while place < len(words):
        if taken[place] or not found[place]:
            place += 1
            continue
        last = place
        while (
            last + 1 < len(words)
            and last + 1 - place < _MOST_WORDS
            and not taken[last + 1]
            and found[last + 1]
            and _joined(text, words, sentence_of, last)
        ):
            last += 1
        yield place, last
        place = last + 1
