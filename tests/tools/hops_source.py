"""Reads the source of the sample of single hops: paragraphs with the questions that they answer.

    islands/*.yaml      title: {text, as?, hops}, one file per field of knowledge; hops are {question: answer}, where
                        an answer may be a list of spellings
    compositions.yaml   [{steps, asks}] or [{steps, differ}]: what people made of graphs
    odd/*.yaml          [{why, record or line}], put behind the records of the file of that name
    damaged/*.yaml      [{why, record or line}], files of their own

`as` is the shape in which a paragraph is given, neutral where it is left out. T-REx and Zero-Shot RE hold
relations alone ("subject >> relation"), the latter one per paragraph, whose title is the subject.
`steps` are the questions of a graph's hops in their order, `asks` is the question that a person wrote, and
`differ` what a person said who found that a bridge joins two things.
`why` is the reject that an odd record meets, a list of them, or "" where it meets none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.core import strict_yaml
from stages.musique.single_hops.forms import RELATION_SIGN, relation_sides

NEUTRAL, SQUAD, TREX, ZERO_SHOT, NATURAL = "neutral", "squad", "trex", "zero_shot", "nq"
SHAPES = (NEUTRAL, SQUAD, TREX, ZERO_SHOT, NATURAL)
ODD_FILES, DAMAGED_FILES = (NEUTRAL, "answers"), (*SHAPES, "answers")

Entries = tuple[Mapping[str, Any], ...]


class SourceError(ValueError):
    """The source of the sample is wrong; the message names the entry."""


@dataclass(frozen=True)
class Paragraph:
    """given: one of SHAPES; hops: question -> spellings of its answer, the answer first."""

    title: str
    text: str
    given: str
    hops: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Composition:
    """steps: the questions of the graph's hops; asks: the question that a person wrote, or "" where `differ` tells
    which two things a bridge joins."""

    steps: tuple[str, ...]
    asks: str
    differ: str


@dataclass(frozen=True)
class Sample:
    """paragraphs: in the order of their files; odd, damaged: entries by file name."""

    paragraphs: tuple[Paragraph, ...]
    compositions: tuple[Composition, ...]
    odd: Mapping[str, Entries]
    damaged: Mapping[str, Entries]

    def of(self, given: str) -> list[Paragraph]:
        return [paragraph for paragraph in self.paragraphs if paragraph.given == given]


def read(folder: Path) -> Sample:
    """The whole source. Raises SourceError naming the entry that is wrong."""
    paragraphs = [
        _paragraph(title, entry)
        for file in sorted((folder / "islands").glob("*.yaml"))
        for title, entry in _yaml(file).items()
    ]
    titles = [paragraph.title for paragraph in paragraphs]
    if twice := sorted({title for title in titles if titles.count(title) > 1}):
        raise SourceError(f"islands: {twice[0]!r} stands twice")
    return Sample(
        tuple(paragraphs),
        tuple(_composition(entry) for entry in _yaml(folder / "compositions.yaml")),
        odd={name: tuple(_yaml(folder / "odd" / f"{name}.yaml")) for name in ODD_FILES},
        damaged={name: tuple(_yaml(folder / "damaged" / f"{name}.yaml")) for name in DAMAGED_FILES},
    )


def _yaml(file: Path) -> Any:
    try:
        return strict_yaml.parse(file.read_text(encoding="utf-8")) or []
    except (ValueError, OSError) as error:
        raise SourceError(f"{file.name}: {error}") from error


def _paragraph(title: str, entry: Mapping[str, Any]) -> Paragraph:
    _check(title, entry, {"text", "as", "hops"})
    given = entry.get("as", NEUTRAL)
    if given not in SHAPES:
        raise SourceError(f"{title}: as: expected one of {', '.join(SHAPES)}, got {given!r}")
    listed = {asks: answer if isinstance(answer, list) else [answer] for asks, answer in entry["hops"].items()}
    for asks, answers in listed.items():
        if wrong := [answer for answer in answers if not isinstance(answer, str)]:
            raise SourceError(f"{title}: {wrong[0]!r} is no text; put it into quotation marks")
        if answers[0] not in entry["text"]:
            raise SourceError(f"{title}: the text does not hold {answers[0]!r}")
        if given in (TREX, ZERO_SHOT) and relation_sides(asks) is None:
            raise SourceError(f"{title}: {asks!r} is no relation, which is all that {given} holds")
    if given == ZERO_SHOT and not all(asks.startswith(f"{title} {RELATION_SIGN} ") for asks in listed):
        raise SourceError(f"{title}: in {ZERO_SHOT} the title is the subject")
    return Paragraph(title, entry["text"], given, {asks: tuple(answers) for asks, answers in listed.items()})


def _composition(entry: Mapping[str, Any]) -> Composition:
    name = f"compositions: {entry.get('steps')}"
    _check(name, entry, {"steps", "asks", "differ"})
    asks, differ = entry.get("asks", ""), entry.get("differ", "")
    if bool(asks) == bool(differ):
        raise SourceError(f"{name}: expected either asks or differ")
    return Composition(tuple(entry["steps"]), asks, differ)


def _check(name: str, entry: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(entry) - known):
        raise SourceError(f"{name}: unknown key {unknown[0]!r}")
