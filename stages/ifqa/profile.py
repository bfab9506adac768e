"""What a set of questions with short answers is like: kinds of answers, lengths, spans, starts (IfQA, section 3.3).

Words are what white space separates. A text is found in another as whole words in SQuAD's
normal form (`stages.evaluation.spans.squad_form`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from stages.evaluation.files import need_gold
from stages.evaluation.report import string_keys
from stages.evaluation.spans import GoldSpan, read_gold_spans
from stages.evaluation.squad import squad_form
from stages.ifqa import plots
from stages.normalise import Kind, normalise

NAME = "named_span"
OTHER = "other"
_ASKING = re.compile(r"\b(how (?:many|much|long|old|far|tall|large|often)|how|wh(?:at|ich|om|o|ose|en|ere|y))\b", re.I)
_IF = re.compile(r"\W*if\b", re.I)
_WORD = re.compile(r"[^\W_]+")
# Words that stay small inside names.
_SMALL = frozenset({"a", "an", "and", "at", "by", "de", "der", "for", "in", "of", "on", "the", "to", "von", "with"})


@dataclass(frozen=True)
class Lengths:
    """Of texts, in words. counts: how many texts have so many, by number of words."""

    mean: float
    median: float
    longest: int
    counts: Mapping[int, int]


@dataclass(frozen=True)
class Profile:
    """questions, answers: how many; contexts: passages, all questions together.

    kinds: how many questions have a first answer of a kind, by the kinds of `stages.normalise`. An entity is a name
        whose page a build has found; of the other spans, a named_span is written as a name, with capitals.
    spans: questions of which an answer stands in a passage; several: questions with more than one answer;
    variants: questions whose answers all have one canonical value, of those with several.
    free_form: questions that do not begin with "if"; asked: how often each word asks ("what", "how many"; "other"
        where none does, as in a question for yes or no); answer_counts: questions by number of answers.
    """

    questions: int
    answers: int
    contexts: int
    kinds: Mapping[str, int]
    question_words: Lengths
    answer_words: Lengths
    passage_words: Lengths
    spans: int
    several: int
    variants: int
    free_form: int
    asked: Mapping[str, int]
    answer_counts: Mapping[int, int]


@dataclass(frozen=True)
class Profiles:
    """Profiles of some parts, such as splits, and of all of them together."""

    parts: Mapping[str, Profile]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; numbers of words and answers as string keys, as JSON has them."""
        found: dict[str, Any] = {name: string_keys(asdict(profile)) for name, profile in self.parts.items()}
        return found

    def plots(self) -> dict[str, bytes]:
        """SVG documents by file name. Raises StageError: matplotlib is not installed."""
        return plots.draw(self.parts)

    def as_text(self) -> str:
        """A table for reading with a column per part."""
        width = max(12, *(len(name) + 2 for name in self.parts))
        lines = [f"{'':<34}" + "".join(f"{name:>{width}}" for name in self.parts)]
        for label, cell in _rows(self.parts.values()):
            lines.append(f"{label:<34}" + "".join(f"{cell(profile):>{width}}" for profile in self.parts.values()))
        return "\n".join(lines)


def analyse(paths: Sequence[Path]) -> Profiles:
    """The profiles of released files (see `stages.evaluation.spans`), and of all of them where there are several.

    Raises ReleaseError: a file has another shape or holds no question.
    """
    parts: dict[str, Sequence[GoldSpan]] = {}
    for path in paths:
        parts[_name(path, parts)] = need_gold(path, read_gold_spans(path))
    return analyse_parts(parts)


def analyse_parts(parts: Mapping[str, Sequence[GoldSpan]]) -> Profiles:
    """The profiles of parts by their names, of which none is empty, and under "all" that of all of them."""
    profiles = {name: profile(questions) for name, questions in parts.items()}
    if len(parts) > 1:
        profiles["all"] = profile([question for questions in parts.values() for question in questions])
    return Profiles(profiles)


def profile(questions: Sequence[GoldSpan]) -> Profile:
    """The profile of at least one question; their order does not matter."""
    answers = [answer for question in questions for answer in question.answers]
    several = [question for question in questions if len(question.answers) > 1]
    return Profile(
        questions=len(questions),
        answers=len(answers),
        contexts=sum(len(question.context) for question in questions),
        kinds=_ranked(kind_of(question) for question in questions),
        question_words=_lengths(question.question for question in questions),
        answer_words=_lengths(answers),
        passage_words=_lengths(passage for question in questions for passage in question.context),
        spans=sum(has_span(question) for question in questions),
        several=len(several),
        variants=sum(_one_value(question) for question in several),
        free_form=sum(_IF.match(question.question) is None for question in questions),
        asked=_ranked(asks(question.question) for question in questions),
        answer_counts=dict(sorted(Counter(len(question.answers) for question in questions).items())),
    )


def kind_of(question: GoldSpan) -> str:
    """The kind of a question's first answer, with spans that are written as names told from the rest."""
    kind = question.kind
    if kind != Kind.SPAN:
        return kind
    return NAME if _is_name(question.answers[0]) else str(Kind.SPAN)


def has_span(question: GoldSpan) -> bool:
    """Whether one of the answers stands in the passages, as whole words."""
    text = f" {squad_form(' '.join(question.context))} "
    return any(form and f" {form} " in text for form in map(squad_form, question.answers))


def asks(question: str) -> str:
    """The word that asks: the last one where the clause with "if" comes first, else the first one."""
    found = _ASKING.findall(question)
    return found[-1 if _IF.match(question) else 0].lower() if found else OTHER


def _is_name(answer: str) -> bool:
    words = [word for word in _WORD.findall(answer) if word.lower() not in _SMALL]
    return bool(words) and all(word[0].isupper() or word[0].isdigit() for word in words) and not words[0].isdigit()


def _one_value(question: GoldSpan) -> bool:
    values = {normalise(answer, question.around).value for answer in question.answers}
    return len(values) == 1 and None not in values


def _lengths(texts: Iterable[str]) -> Lengths:
    words = [len(text.split()) for text in texts]
    if not words:
        return Lengths(0.0, 0.0, 0, {})
    return Lengths(fmean(words), float(median(words)), max(words), dict(sorted(Counter(words).items())))


def _ranked(values: Iterable[str]) -> dict[str, int]:
    """Counts, the highest first and equal ones by name."""
    return dict(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))


Cell = Callable[[Profile], str]


def _rows(profiles: Iterable[Profile]) -> list[tuple[str, Cell]]:
    """Labels of the table, each with what it says of a profile."""
    seen = list(profiles)
    rows: list[tuple[str, Cell]] = [
        ("questions", lambda p: f"{p.questions:,}"),
        ("answers", lambda p: f"{p.answers:,}"),
        ("passages per question", lambda p: f"{p.contexts / p.questions:.2f}"),
        ("words per question", lambda p: f"{p.question_words.mean:.2f}"),
        ("words per answer", lambda p: f"{p.answer_words.mean:.2f}"),
        ("words per passage", lambda p: f"{p.passage_words.mean:.1f}"),
        ("answer stands in the passage", lambda p: _share(p.spans, p.questions)),
        ("several answers", lambda p: _share(p.several, p.questions)),
        ("  that mean the same value", lambda p: _share(p.variants, p.questions)),
        ("not begun with if", lambda p: _share(p.free_form, p.questions)),
    ]
    for title, field in (("first answer", "kinds"), ("asked by", "asked")):
        total: Counter[str] = sum((Counter(getattr(profile, field)) for profile in seen), Counter())
        rows += [(f"{title}: {name.replace('_', ' ')}", _counted(field, name)) for name in _ranked(total.elements())]
    return rows


def _counted(field: str, name: str) -> Cell:
    return lambda profile: _share(getattr(profile, field).get(name, 0), profile.questions)


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %"


def _name(path: Path, taken: Mapping[str, object]) -> str:
    """The file's name, with as many of its folders' as tell it from the others."""
    parts = path.absolute().with_suffix("").parts
    names = ("/".join(parts[-count:]) for count in range(1, len(parts) + 1))
    # A file that is given twice has no name of its own left.
    return next((name for name in names if name not in taken), f"{path} ({len(taken) + 1})")
