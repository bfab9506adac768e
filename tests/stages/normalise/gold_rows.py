"""The hand-worked cases of tests/stages/normalise/gold, one a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from stages.normalise import AnswerPassage, Link, NormalisedAnswer, TitleTable

GOLD = Path(__file__).parent / "gold"
FILES = ("dates", "amounts", "traps")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


@dataclass(frozen=True)
class Case:
    """expected: the canonical form, "!reason" where the normaliser must decline, "-" for a plain span."""

    place: str
    text: str
    kind: str
    expected: str
    passage: AnswerPassage | None = None

    @property
    def declines(self) -> bool:
        return self.expected == "-" or self.expected.startswith("!")


def cases() -> list[Case]:
    """Everything but titles."""
    return [_case(place, parts) for name in FILES for place, parts in _lines(name)]


def entity_cases() -> list[Case]:
    return [_entity(place, parts) for place, parts in _lines("entities")]


@cache
def wiki() -> TitleTable:
    content = yaml.safe_load((GOLD / "titles.yaml").read_text(encoding="utf-8"))
    return TitleTable.of(content["pages"], content["redirects"], content["disambiguations"])


def outcome(result: NormalisedAnswer) -> str:
    """A result in the way that the tables write it."""
    if result.kind == "span" and not result.refusal:
        return "-"
    return f"!{result.refusal}" if result.refusal else result.value or ""


def _lines(name: str) -> list[tuple[str, list[str]]]:
    lines = (GOLD / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    numbered = [(f"{name}.tsv:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    return [(place, line.split("\t")) for place, line in numbered if not line.startswith("# ")]


def _case(place: str, parts: list[str]) -> Case:
    text, kind, expected, *rest = parts
    return Case(place, _unescaped(text), kind, expected, AnswerPassage(rest[0]) if rest else None)


def _entity(place: str, parts: list[str]) -> Case:
    text, kind, expected, *rest = parts
    if not rest:
        return Case(place, text, kind, expected)
    links = tuple(Link(*link.split("|")) for link in rest[1].split("; ")) if len(rest) > 1 else ()
    return Case(place, text, kind, expected, AnswerPassage(page=rest[0], links=links))


def _unescaped(text: str) -> str:
    """White space that a reader could not see is written as \\u00a0."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
