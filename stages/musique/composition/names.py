"""Names as a reader expects them: spaces around marks, capitals, articles, places for their adjectives.

Sources are tokenised ("Grey 's Anatomy"), lower-cased ("where is the suez canal") or name a
place by its adjective ("American"). What a name looks like is read off the paragraphs that
the graph stands on; templates/composition/names.yaml and templates/adjectives.yaml have what they do not show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from urllib.parse import unquote

from stages.core.steps import Steps
from stages.musique.composition.grammar import Grammar

_WORD = re.compile(r"[^\W_]+")
# What stands before the first word of a sentence, within so many characters.
_MOST_BEFORE = 40
_STARTS = re.compile(r"(?:^|[.!?:][\"”’)\]]*\s+|\n\s*|[\"“]\s*)$")
_CONNECTORS = {"of", "the", "and", "in", "on", "for", "to", "de", "la", "del", "a", "an", "von", "el", "is", "at"}
_MOST_WORDS = 7
# A name's words in small letters, and as they are spelt.
_Spelt = dict[tuple[str, ...], tuple[str, ...]]
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
_ORDINAL = re.compile(r"(?:\d+(?:st|nd|rd|th) [A-Z]|(?:First|Second|Third|Fourth) (?:Battle|War|Army|[A-Z]\w+ War)\b)")
_ARTICLE = re.compile(r"(?:the|a|an) ", re.IGNORECASE)
# What a tokeniser makes of "Al-Sabah" and "7-8-7".
_HYPHEN = re.compile(r"(?<=[^\W\d_]) - (?=[^\W\d_])|(?<=\d) - (?=\d)")
_TIDYINGS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?<!\s)\s++([,;:!?.)\]%]++)(?=\s|$|[”’\"])"), r"\1"),
    (re.compile(r",\s*,"), ","),
    (re.compile(r"([(\[“])\s+"), r"\1"),
    (re.compile(r"(?<!\s)\s++(['’](?:s|re|ve|ll|d|m)|n['’]t)\b"), r"\1"),
    (re.compile(r"\"(?=\s)([^\"]{2,}+)(?<=\s)\""), lambda found: f'"{found[1].strip()}"'),
    (re.compile(r"\(\s*\)"), ""),
    (re.compile(r"\?(\")(?=\s*\??$)"), r"\1"),
    # "in #1,#2", "in #1 #2", and what a writer's point leaves behind a name: "civilians of #2. concerning".
    (re.compile(r"(#\d+),(?=\S)"), r"\1, "),
    (re.compile(r"\b((?:in|at|near|from|of) #\d+) (?=(?:the )?#\d)"), r"\1, "),
    (re.compile(r"(#\d+)\.(?= [a-z])"), r"\1"),
    (re.compile(r"(\bin [A-Z]\w+, #\d+)(?= (?!and |or )[a-z])"), r"\1,"),
)


def tidy(text: str) -> str:
    """A text without the spaces and escapes that a tokeniser, or an address, left in it."""
    found = unquote(text).replace("_", " ") if _ESCAPED.search(text) else text
    for pattern, put in _TIDYINGS:
        found = pattern.sub(put, found)
    if found.count('"') % 2:
        found = found.replace('"', "")
    return " ".join(found.split())


def recased(question: str, texts: Sequence[str], grammar: Grammar) -> str:
    """A question in small letters with the names in it as the texts, or the lists, spell them; others as they are.

    texts: a title, then texts; they are not asked where a capital begins the question, as its writer knew of capitals.
    """
    if question[1:] != question[1:].lower():
        return question
    is_lowered = question == question.lower()
    shown = texts if is_lowered else ()
    listed = _common(grammar.spellings.common, tuple(grammar.spellings.places.items()))
    titles = [_title(text) for text in shown[:1]]
    known = [*titles, listed, *(_spelt(text) for text in shown)]
    words, found, place = list(_WORD.finditer(question)), list(question), 0
    steps = Steps(question)
    while place < len(words) and steps.on():
        taken = _longest(words, place, known, grammar)
        for number, spelling in enumerate(taken):
            start, end = words[place + number].span()
            found[start:end] = spelling
        place += len(taken) or 1
    return re.sub(r"\bi(?= [a-z])", "I", "".join(found))


def _longest(
    words: Sequence[re.Match[str]],
    place: int,
    known: Sequence[dict[tuple[str, ...], tuple[str, ...]]],
    grammar: Grammar,
) -> tuple[str, ...]:
    """The spellings of the longest name that begins at a word, each as long as the word it is for."""
    for length in range(min(_MOST_WORDS, len(words) - place), 0, -1):
        wanted = _lower(word[0] for word in words[place : place + length])
        # A title, or a listed name, may begin with any word.
        if length > 1 and (listed := next((names[wanted] for names in known[:2] if wanted in names), None)):
            return listed
        if wanted[0] in grammar.spellings.small or (length == 1 and _is_common_word(wanted[0], grammar)):
            # "the US", but "between us and them"
            if wanted != ("us",) or words[place].string[: words[place].start()].split()[-1:] != ["the"]:
                continue
            return ("US",)
        for spellings in known:
            if wanted in spellings:
                return spellings[wanted]
            if length == 1 and (wanted[0][:-1],) in spellings and wanted[0].endswith("s"):
                return (f"{spellings[(wanted[0][:-1],)][0]}s",)
    return ()


def _is_common_word(word: str, grammar: Grammar) -> bool:
    lists = (
        grammar.words[name] for name in ("nouns", "prepositions", "auxiliaries", "participles", "before", "after_did")
    )
    return (
        len(word) < 2
        or any({word, word.removesuffix("s")} & words for words in lists)
        or word in grammar.verbs
        or grammar.tensed(word)
    )


@lru_cache(maxsize=8)
def _common(common: tuple[str, ...], places: tuple[tuple[str, str], ...]) -> _Spelt:
    names = (*common, *(name for pair in places for name in pair))
    found = {}
    for name in names:
        words = tuple(word for word in _WORD.findall(name) if word != "the")
        found[tuple(word.lower() for word in words)] = words
    return found


@lru_cache(maxsize=8192)
def _title(text: str) -> _Spelt:
    """A title of several words, most with a capital, without what tells it from others in brackets."""
    words = tuple(_WORD.findall(_without_bracket(text)))
    big = sum(not word[0].islower() for word in words)
    return {_lower(words): words} if 1 < len(words) <= _MOST_WORDS and big > len(words) / 2 else {}


@lru_cache(maxsize=8192)
def _spelt(text: str) -> _Spelt:
    """Names of a text, and their parts, by their words in small letters.

    A single word is a name where the text has it with a capital within a sentence, with none beside it ("Borders" of
    "Doctors Without Borders" is none), and never without.
    """
    words = list(_WORD.finditer(text))
    small = {word[0] for word in words if word[0][0].islower()}
    runs: Counter[tuple[str, ...]] = Counter()
    for place, word in enumerate(words):
        if word[0][0].islower():
            continue
        if word[0].lower() not in small and _stands_alone(text, words, place):
            runs[(word[0],)] += 1
        for length in range(2, _MOST_WORDS + 1):
            part = words[place : place + length]
            if len(part) < length or not _joins(text, part[-2], part[-1]):
                break
            if not part[-1][0][0].islower():
                runs[tuple(one[0] for one in part)] += 1
    # Of two spellings the more common one, whatever their order in the text.
    ranked = sorted(runs, key=lambda run: (runs[run], run))
    return {_lower(run): run for run in ranked if all(len(word) == len(word.lower()) for word in run)}


def _stands_alone(text: str, words: Sequence[re.Match[str]], place: int) -> bool:
    word = words[place]
    beside = (
        bool(number) and not words[number - 1][0][0].islower() and _joins(text, words[number - 1], words[number])
        for number in (place, place + 1)
        if number < len(words)
    )
    return (
        word[0][0].isupper()
        and not any(beside)
        and not _STARTS.search(text, max(0, word.start() - _MOST_BEFORE), word.start())
    )


def _without_bracket(text: str) -> str:
    """A text without what its last line has between a first and a closing bracket at its end."""
    whole = text.rstrip()
    first = whole.find("(", whole.rfind("\n") + 1) if whole.endswith(")") else -1
    return text if first < 0 else whole[:first].rstrip()


def _lower(run: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in run)


def _joins(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    between = text[first.end() : second.start()]
    is_part = not second[0][0].islower() or second[0] in _CONNECTORS
    return is_part and (between in (" ", "-", "'", "’", ".", " '", " ’") or (between == ". " and len(first[0]) == 1))


def subject_name(subject: str, texts: Sequence[str], grammar: Grammar) -> str:
    """A relation's subject as it is called in a sentence: "the Royal Navy", "the United States" for "American".

    texts: a title, then texts.
    """
    spellings, name = grammar.spellings, _HYPHEN.sub("-", tidy(subject))
    if name in spellings.places:
        return spellings.places[name]
    if _ORDINAL.match(name):
        return f"the {name}"
    if _ARTICLE.match(name) or not (name[:1].isupper() or name[:1].isdigit()):
        return re.sub(r"^The (?=#\d)", "the ", name)
    listed = name in spellings.with_article or name.endswith(tuple(f" {head}" for head in spellings.article_heads))
    is_of = any(name.startswith(f"{first} of ") for first in spellings.article_of)
    return f"the {name}" if listed or is_of or _stands_behind_the(subject, texts[1:], grammar) else name


def _stands_behind_the(name: str, texts: Sequence[str], grammar: Grammar) -> bool:
    """Whether the texts have "the" before a name, where it is no part of a longer one, more often than not."""
    if not any(f"he {name}" in text for text in texts):
        return False
    counts: Counter[bool] = Counter()
    pattern = re.compile(rf"(?P<the>\b[Tt]he )?(?<!\w){re.escape(name)}(?P<after>$|\W+(?P<next>\w*))")
    # "the Ararat and Bairnsdale lines": the article may be of what comes later.
    closed = grammar.words["prepositions"] | grammar.words["auxiliaries"] | grammar.words["after"] - {"and", "or"}
    for text in texts:
        for match in pattern.finditer(text):
            marked = match["after"][:1] not in (" ", "-", "'", "’") or match["after"].startswith(" (")
            if marked or (match["next"] or "") in closed:
                counts[match["the"] is not None] += 1
    return counts[True] > counts[False]
