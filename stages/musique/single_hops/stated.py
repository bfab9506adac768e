"""A hop as a record states it, and how it becomes a row of READ_HOPS."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stages.core.limits import at_least
from stages.core.texts import Refused, tidy
from stages.musique.single_hops.forms import form
from stages.musique.single_hops.spelling import asked, title, without_full_stop

_SEPARATOR = "\x1f"
_SOURCE = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_NOT_IN_ID = re.compile(r"[\s_]+")
MAX_ID = 128


@dataclass(frozen=True)
class SingleHopParams:
    """Most characters of a paragraph, of a question or title, and of an answer; most answers of one question."""

    max_text: int = 20_000
    max_question: int = 1000
    max_answer: int = 500
    max_answers: int = 50

    def __post_init__(self) -> None:
        at_least(self, 1, "max_text", "max_question", "max_answer", "max_answers")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a record says of one hop, unchecked: any value may be of any type.

    answers: the answer and then its other spellings. start: where the answer stands in `text`.
    """

    source: object
    given_id: object
    question: object
    answers: Sequence[object]
    title: object
    text: object
    start: object = None


def row(stated: Stated, params: SingleHopParams) -> dict[str, Any]:
    """A row of READ_HOPS: entities are decoded, titles read as they were meant, answers lose a sentence's full stop.

    Raises Refused: no_answer, too_many_answers, bad_source, bad_id, no_question, no_text, not_text, too_long,
    control_characters, markup.
    """
    if len(stated.answers) > params.max_answers:
        raise Refused("too_many_answers", f"{len(stated.answers)}, the limit is {params.max_answers}")
    found = (without_full_stop(tidy(answer, params.max_answer)) for answer in stated.answers)
    spellings = list(dict.fromkeys(filter(None, found)))
    if not spellings:
        raise Refused("no_answer", f"no answer to {stated.question!s:.80}")
    question = asked(_needed(stated.question, params.max_question, "no_question"))
    text = _needed(stated.text, params.max_text, "no_text")
    return {
        "content": content(question, spellings[0], text),
        "source": source_word(stated.source),
        "given_id": given_id(stated.given_id),
        "question": question,
        "answer": spellings[0],
        "answer_aliases": sorted(spellings[1:]),
        "title": tidy(title(stated.title or ""), params.max_question),
        "text": text,
        "answer_start": _start(stated),
    }


def content(question: str, answer: str, text: str) -> str:
    """12 hex digits that are the same wherever question, answer and paragraph have the same words."""
    # A text without any word ("%") is known by its characters.
    forms = (found if (found := form(part)) != " " else part for part in (question, answer, text))
    return digest(*forms)[:12]


def digest(*parts: str) -> str:
    """sha256 of some texts in their order, in hex; which text a word is in counts."""
    return hashlib.sha256(_SEPARATOR.join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def source_word(value: object) -> str:
    """The name of a data set as ids hold it: lower case, "-" for spaces and "_".

    Raises Refused: bad_source.
    """
    word = _NOT_IN_ID.sub("-", value.strip().lower()) if isinstance(value, str) else ""
    if not _SOURCE.fullmatch(word):
        raise Refused("bad_source", f"expected letters, digits and '-', at most 32, got {value!s:.80}")
    return word


def given_id(value: object) -> str:
    """A record's own id as text; "" where it has none.

    Raises Refused: bad_id.
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Refused("bad_id", f"expected a text or a number, got {type(value).__name__}")
    found = str(value)
    if len(found) > MAX_ID or not found.isprintable():
        raise Refused("bad_id", f"expected at most {MAX_ID} printable characters, got {found!r:.80}")
    return found


def _needed(value: object, limit: int, reason: str) -> str:
    found = tidy("" if value is None else value, limit)
    if not found:
        raise Refused(reason, "it is missing or empty")
    return found


def _start(stated: Stated) -> int | None:
    """The stated position, moved to where it is once the text is tidy; None where it cannot be one."""
    start, text = stated.start, stated.text
    if isinstance(start, bool) or not isinstance(start, int) or not isinstance(text, str):
        return None
    if not 0 <= start < len(text):
        return None
    before = tidy(text[:start], len(text))
    return len(before) + (1 if before and text[start - 1].isspace() else 0)
