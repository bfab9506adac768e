"""Why a plain question and its answer make no step: it does not stand on its own, or the answer is none of its kind.

Every check is a rule of words alone, and refuses rather too much than too little: there are
more hops than questions can be made of.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.core.english import FUNCTION_WORDS
from stages.musique.single_hops.forms import Words, bare, form, words_of
from stages.musique.soundness.asked_kinds import DATE, NUMBER, PLACE, WHO, AskedKinds
from stages.musique.spellings.mentions import forms, mentions, searchable

ASKING = ("who", "whom", "whose", "when", "where", "which", "what", "how", "why")
_PREPOSITIONS = frozenset(
    """in on at to from of for by with under during into through near after before since across over
    around""".split()  # noqa: SIM905
)
_AUXILIARIES = frozenset("is are was were do does did has have had can could will would should may might".split())  # noqa: SIM905
_AMOUNT = frozenset("many much long far old tall high large big deep wide fast often heavy".split())  # noqa: SIM905
_END = "?.!" + string.whitespace
_DOUBLED = re.compile(
    r"\?\s*\S|\b(\w+) \1\b|\b(?:the|a|an) (?:is|are|was|were|the|a|an|of|in)\b|_{2,}|\.{2,}|,[^\s\d]", re.IGNORECASE
)
# Verbs at whose end "what" asks for a deed.
_OPEN_ENDS = frozenset({"do", "happen", "mean", "happened", "cause"})
# "What are the powers of ..." asks for a list, but for what things are called.
_SEVERAL = {("what", "are"), ("what", "were"), ("who", "are"), ("who", "were"), ("which", "are"), ("which", "were")}
_NAMED = frozenset({"called", "known", "named", "nicknamed"})
_POSSESSIVES = frozenset({"his", "her", "its", "their"})
_DOING = frozenset({"did", "does", "do"})
_LONE = frozenset({"who", "what", "when", "where", "why"})
# "When did the war became ...": the verb of "did" in a form that it never has.
_TWO_TENSES = re.compile(
    r"\b(?:did|does)\b(?:(?!\b(?:who|that|which|when|where|what|and|after|before|while|did|does)\b).)*?"
    r"\b(?:was|were|became|began|had|has|occurred|happened|ended|started)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:\b(?:is|are)|['’]s) (?:\w+ )?\w{2,}ing\b", re.IGNORECASE)
_SHORTEST_STEM = 4
_FEWEST_SHARED = 0.5
# Nouns that the noun that is asked for may stand behind.
_MOST_BEFORE_NOUN = 3
# Words of a question that ends in what it asks for, from the one that asks on.
_MOST_BEHIND_LATE = 4
# Words that say what a question without capitals is about, before its pronouns can stand for that.
_FEWEST_NAMING = 2
# Words that tell something beside the deed and the name of a question.
_FEWEST_TELLING = 2

Row = Mapping[str, Any]


def fault(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    """(reason, what shows it) of a plain hop; None where nothing speaks against it."""
    for check in (_readable, _asks, _answered, _stands, _one_answer, _typed, _stated):
        if found := check(row, asked, most_words):
            return found
    return None


def _readable(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    question = row["question"].rstrip(_END)
    if found := _DOUBLED.search(question) or _TWO_TENSES.search(question):
        return "unreadable", found[0]
    return None


def _asks(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    """Whether it begins with what it asks for, so that another question can ask about its answer."""
    words = _words(row)
    if not words:
        return "no_question_word", ""
    if words[0] in _AUXILIARIES:
        return "yes_or_no", words[0]
    asking = _asking(words)
    if asking is None:
        return "no_question_word", words[0]
    if asking[0] == "why" or (asking[0] == "how" and (len(asking) < 2 or asking[1] not in _AMOUNT)):
        return "open_question", " ".join(asking[:2])
    if asking[0] == "what" and (asking[1:2] == ("happened",) or _asks_for_deed(words)):
        return "open_question", " ".join(asking[:2])
    if asking[0] in _LONE and _LONE & set(asking[1:]):
        return "two_questions", " ".join(asking)
    return None


def _asks_for_deed(words: tuple[str, ...]) -> bool:
    """ "What did Greece do in the war?", "What does it mean?" """
    return words[-1] in _OPEN_ENDS or (words[1] in _DOING and "do" in words[2:])


def _asking(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words from the one that asks on, which stands first, behind a preposition, or near the end."""
    if words[0] in ASKING:
        return words
    if words[0] in _PREPOSITIONS and words[1:2] and words[1] in ASKING:
        return words[1:]
    late = [number for number, word in enumerate(words) if word in ("what", "which") or word == "how"]
    if len(late) != 1 or len(words) - late[0] > _MOST_BEHIND_LATE:
        return None
    found = words[late[0] :]
    if found[0] == "which" and words[late[0] - 1] not in _PREPOSITIONS:
        return None
    return found if len(found) > 1 and (found[0] != "how" or found[1] in _AMOUNT) else None


def _answered(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    if len(row["answer"].split()) > most_words:
        return "long_answer", f"{len(row['answer'].split())} words, the most is {most_words}"
    answer = bare(form(row["answer"]))
    if answer != " " and answer in form(row["question"]):
        return "answer_in_own_question", row["answer"]
    if answer in (" yes ", " no "):
        return "yes_or_no", row["answer"]
    return None


def _stands(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    """Whether the question can be understood without its text."""
    text, question = f" {' '.join(_words(row))} ", row["question"]
    # The Northwest Passage is no passage.
    written = f" {' '.join(question[start:end] for start, end in Words.of(question).spans)} "
    if found := next((word for word in asked.own_text if f" {word} " in written), None):
        return "speaks_of_its_text", found
    if found := next((word for word in asked.of_today if f" {word} " in text), None):
        return "answer_of_a_day", found
    if going := _GOES_ON.search(row["question"]):
        return "answer_of_a_day", going[0]
    if text.startswith((" when do ", " when does ")):
        return "answer_of_a_day", "when does"
    if found := _dangling(row["question"], asked):
        return "dangling_reference", found
    if not _has_anchor(row["question"]):
        return "names_nothing", ""
    return None


def _dangling(question: str, asked: AskedKinds) -> str | None:
    """A pronoun or a bare "the team" that stands for what the text said before."""
    words = Words.of(question)
    cased, naming, owned = question != question.lower(), 0, _asks_for_owner(words.words)
    named = False
    for number, word in enumerate(words.words):
        start = words.spans[number][0]
        if word in asked.pronouns_always:
            return word
        if word in asked.pronouns and not named and not (owned and word in _POSSESSIVES):
            return word
        if word == "us" and question[start : start + 2] != "US" and words.words[number - 1 : number] != ("the",):
            return word
        # A capital behind the first word.
        named = named or (number > 0 and question[start].isupper() and word not in ASKING)
        naming += word not in FUNCTION_WORDS
        named = named or (not cased and naming >= _FEWEST_NAMING)
        if word == "the" and (found := _bare_noun(question, words, number, asked)):
            return f"the {found}"
    return None


def _asks_for_owner(words: Sequence[str]) -> bool:
    """Whether "their" may stand for what is asked for: "Which soldiers gave their names ..."."""
    return words[:1] in (("who",), ("which",), ("what",)) and len(words) > 1 and words[1] not in _AUXILIARIES


def _bare_noun(question: str, words: Words, number: int, asked: AskedKinds) -> str | None:
    """A noun of `bare_nouns` right behind a "the", where neither a name before nor words after tell which."""
    noun, after = words.words[number + 1 : number + 2], words.words[number + 2 : number + 3]
    if not noun or question[words.spans[number + 1][0]].isupper():
        return None
    if noun[0] not in asked.bare_nouns:
        return noun[0] if noun[0].endswith("s") and after and after[0] in asked.verbs else None
    if not after:
        return noun[0]
    start, end = words.spans[number + 2][0], words.spans[number + 1][1]
    if question[end:start] != " ":
        return noun[0]
    return noun[0] if after[0] in _AUXILIARIES | _PREPOSITIONS - asked.telling or _is_verb(after[0]) else None


def _is_verb(word: str) -> bool:
    return word.endswith("ed") and len(word) > _SHORTEST_STEM


def _has_anchor(question: str) -> bool:
    """Whether a question with capitals names anything, or tells a year; one without capitals is taken to."""
    if question == question.lower():
        return True
    words = Words.of(question)
    return any(
        question[start].isdigit() or (question[start].isupper() and number > 0 and word not in ASKING)
        for number, (word, (start, _)) in enumerate(zip(words.words, words.spans, strict=True))
    )


def _one_answer(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    words = _words(row)
    text = f" {' '.join(words)} "
    if found := next((word for word in words if word in asked.one_of_many), None):
        return "one_of_many", found
    if found := next((phrase for phrase in asked.one_of_many_phrases if f" {phrase} " in text), None):
        return "one_of_many", found
    if words[:2] in _SEVERAL and not _NAMED & set(words):
        return "one_of_many", " ".join(words[:2])
    telling = [word for word in words if word not in FUNCTION_WORDS and word not in ASKING]
    if len(telling) <= _FEWEST_TELLING and (
        deed := next((word for word in telling if word in asked.deeds_of_many), None)
    ):
        return "one_of_many", deed
    return None


def _typed(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    """Whether the answer is of the kind that the question asks for."""
    kind = kind_asked(_words(row), asked)
    if kind is not None and not asked.can_be(kind, row["answer"]):
        return "other_kind_of_answer", f"{kind}: {row['answer']}"
    return None


def kind_asked(words: tuple[str, ...], asked: AskedKinds) -> str | None:
    """The kind of thing that a question asks for; None where it does not say."""
    found = _asking(words)
    if found is None:
        return None
    if found[0] in ("who", "whom", "whose"):
        return WHO
    if found[0] == "when":
        return DATE
    if found[0] == "where":
        return PLACE
    if found[0] == "how":
        return NUMBER
    for word in _noun_words(found):
        if word in asked.kinds:
            return asked.kinds[word]
    return None


def _noun_words(found: Sequence[str]) -> Iterator[str]:
    """The last known noun first: "church leader" asks for a leader."""
    listed = []
    for word in found[1 : 2 + _MOST_BEFORE_NOUN]:
        if word in _AUXILIARIES | _PREPOSITIONS | {"the", "a", "an"}:
            break
        listed.append(word)
    yield from reversed(listed)


def _stated(row: Row, asked: AskedKinds, most_words: int) -> tuple[str, str] | None:
    """Whether the paragraph speaks of what the question names."""
    question, words = row["question"], Words.of(row["question"])
    known = set(words_of(row["text"]).words) | set(Words.of(row["title"]).words)
    stems = {word[:_SHORTEST_STEM] for word in known}
    cased = question != question.lower()
    own = [
        (word, question[start].isupper() and number > 0)
        for number, (word, (start, _)) in enumerate(zip(words.words, words.spans, strict=True))
        if word not in FUNCTION_WORDS and word not in ASKING and len(word) > 1
    ]
    text = searchable(f"{row['title']} . {row['text']}")
    shared = [
        word for word, _ in own if word in known or word[:_SHORTEST_STEM] in stems or mentions(text, forms([word]))
    ]
    if cased and (missing := [word for word, is_name in own if is_name and word not in shared]):
        return "not_in_paragraph", missing[0]
    if not cased and len(shared) < _FEWEST_SHARED * len(own):
        return "not_in_paragraph", f"{len(shared)} of {len(own)} words"
    return None


def _words(row: Row) -> tuple[str, ...]:
    return Words.of(row["question"]).words
