"""Reads the source of the sample of counterfactual questions: pages with the questions that people asked about them.

    pages/*.yaml       title: {text, redirects?, prepared?, questions?}
    odd_pages.yaml     [{why, title, redirect?, namespace?, text?}], put behind the pages of the export
    odd/*.yaml         [{why, record or line}], put behind the questions, what was written and the votes
    damaged/*.yaml     [{why, record or line}], files of their own

`text` is wikitext. `redirects` are titles, or {title: target} where the target is a section. A page
is written into the MediaWiki export, or with `prepared: true` into the file of prepared pages.

A question is {about, asks, answers, votes?, given?, confirmed?}. `about` are words of the passage that it
was asked about. `votes` is what those who check it say, in the order in which they are asked (keep twice
where it is left out): keep, discard, {question?, answer?} for a revision, and unclear or unreadable for
one who would keep it and yet says no to the form's first or second question.
`given` tells that it stands in a file of questions (neutral, or of the released shape) and was not
written on a sheet; `confirmed` that a neutral one counts as verified.
`why` is the reject that an odd record meets, a list of them, or "" where it meets none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.core import strict_yaml

KEEP, DISCARD, UNCLEAR, UNREADABLE = "keep", "discard", "unclear", "unreadable"
VOTES = (KEEP, DISCARD, UNCLEAR, UNREADABLE)
WRITTEN, NEUTRAL, RELEASED = "written", "neutral", "released"
ODD_FILES, DAMAGED_FILES = ("questions", "released", "written", "votes"), ("pages", "questions", "written", "votes")

Vote = str | Mapping[str, str]
Entries = tuple[Mapping[str, Any], ...]


class SourceError(ValueError):
    """The source of the sample is wrong; the message names the entry."""


@dataclass(frozen=True)
class Question:
    """about: words of the passage; votes: in the order in which the workers are asked; given: written on a sheet, or in
    which shape a file holds it."""

    title: str
    about: str
    asks: str
    answers: tuple[str, ...]
    votes: tuple[Vote, ...]
    given: str = WRITTEN
    confirmed: bool = False


@dataclass(frozen=True)
class SamplePage:
    """redirects: title -> target, which may be a section."""

    title: str
    text: str
    redirects: Mapping[str, str]
    prepared: bool
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Sample:
    """pages: in the order of their files; odd, damaged: entries by file name."""

    pages: tuple[SamplePage, ...]
    odd_pages: Entries
    odd: Mapping[str, Entries]
    damaged: Mapping[str, Entries]

    @property
    def questions(self) -> list[Question]:
        return [question for page in self.pages for question in page.questions]


def read(folder: Path) -> Sample:
    """The whole source. Raises SourceError naming the entry that is wrong."""
    pages = [
        _page(title, entry)
        for file in sorted((folder / "pages").glob("*.yaml"))
        for title, entry in _yaml(file).items()
    ]
    titles = [name for page in pages for name in (page.title, *page.redirects)]
    if twice := sorted({title for title in titles if titles.count(title) > 1}):
        raise SourceError(f"pages: {twice[0]!r} stands twice")
    return Sample(
        tuple(pages),
        tuple(_yaml(folder / "odd_pages.yaml")),
        odd={name: tuple(_yaml(folder / "odd" / f"{name}.yaml")) for name in ODD_FILES},
        damaged={name: tuple(_yaml(folder / "damaged" / f"{name}.yaml")) for name in DAMAGED_FILES},
    )


def _yaml(file: Path) -> Any:
    try:
        return strict_yaml.parse(file.read_text(encoding="utf-8")) or []
    except (ValueError, OSError) as error:
        raise SourceError(f"{file.name}: {error}") from error


def _page(title: str, entry: Mapping[str, Any]) -> SamplePage:
    _check(title, entry, {"text", "redirects", "prepared", "questions"})
    listed = entry.get("redirects", [])
    redirects = listed if isinstance(listed, dict) else dict.fromkeys(listed, title)
    questions = tuple(_question(title, question) for question in entry.get("questions", []))
    return SamplePage(title, entry["text"], redirects, entry.get("prepared", False), questions)


def _question(title: str, entry: Mapping[str, Any]) -> Question:
    _check(title, entry, {"about", "asks", "answers", "votes", "given", "confirmed"})
    words = [entry["about"], entry["asks"], *entry["answers"]]
    if wrong := [word for word in words if not isinstance(word, str)]:
        raise SourceError(f"{title}: {wrong[0]!r} is no text; put it into quotation marks")
    votes, given = tuple(entry.get("votes", (KEEP, KEEP))), entry.get("given", WRITTEN)
    if wrong := [vote for vote in votes if vote not in VOTES and not _is_revision(vote)]:
        raise SourceError(f"{title}: {wrong[0]!r} is no vote")
    if given not in (WRITTEN, NEUTRAL, RELEASED):
        raise SourceError(f"{title}: given: expected {NEUTRAL} or {RELEASED}, got {given!r}")
    confirmed = entry.get("confirmed", False)
    return Question(title, entry["about"], entry["asks"], tuple(entry["answers"]), votes, given, confirmed)


def _is_revision(vote: object) -> bool:
    return isinstance(vote, dict) and bool(vote) and set(vote) <= {"question", "answer"}


def _check(title: str, entry: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(entry) - known):
        raise SourceError(f"{title}: unknown key {unknown[0]!r}")
