"""Titles of Wikipedia pages: what the normaliser asks of them, and a table of them in memory."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from stages.wikipedia.titles import normalise_title

if TYPE_CHECKING:
    import pyarrow as pa

# MediaWiki itself follows one redirect; bots mend the longer chains.
MAX_HOPS = 4
# Letters with a stroke, and joined ones, which Unicode does not take apart.
_STROKES = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
_DISAMBIGUATION = " (disambiguation)"


class FoundTitle(NamedTuple):
    """Where a title leads. title: the page; section: of the page; fault: why it leads nowhere."""

    title: str
    section: str = ""
    redirected: bool = False
    fault: str | None = None


class Titles(Protocol):
    """What the normaliser asks of a wiki."""

    def find(self, title: str) -> FoundTitle | None:
        """Where a title in canonical form leads; None where no page and no redirect has it.

        A `fault` is disambiguation, redirect_loop, chain_too_long or missing_page.
        """

    def alike(self, title: str) -> Sequence[str]:
        """Titles that differ from this one in case and diacritics only, sorted."""

    def qualified(self, title: str) -> Sequence[str]:
        """Titles that are this one with a qualifier in parentheses, sorted: "Mercury (planet)"."""


def fold(title: str) -> str:
    """A title without case and diacritics."""
    marks = unicodedata.normalize("NFD", title.casefold().translate(_STROKES))
    return unicodedata.normalize("NFC", "".join(mark for mark in marks if not unicodedata.combining(mark)))


def base(title: str) -> str:
    """A title without its qualifier in parentheses."""
    return title.rpartition(" (")[0] if title.endswith(")") and " (" in title else title


@dataclass(frozen=True)
class TitleTable:
    """Titles in memory, made with `of` or `from_tables`."""

    pages: frozenset[str]
    redirects: Mapping[str, str]
    disambiguations: frozenset[str]
    _alike: Mapping[str, list[str]]
    _qualified: Mapping[str, list[str]]

    @classmethod
    def of(
        cls,
        pages: Iterable[str],
        redirects: Mapping[str, str] | None = None,
        disambiguations: Iterable[str] = (),
    ) -> TitleTable:
        """redirects: source to target, which may name a section ("Title#Section")."""
        known = frozenset(normalise_title(title) for title in pages)
        leads = {normalise_title(source): _target(target) for source, target in (redirects or {}).items()}
        unclear = frozenset(normalise_title(title) for title in disambiguations)
        alike, qualified = defaultdict(list), defaultdict(list)
        for title in sorted({*known, *leads, *unclear}):
            alike[fold(title)].append(title)
            if base(title) != title:
                qualified[fold(base(title))].append(title)
        return cls(known, leads, unclear, dict(alike), dict(qualified))

    @classmethod
    def from_tables(
        cls, pages: pa.Table, redirects: pa.Table | None = None, disambiguations: pa.Table | None = None
    ) -> TitleTable:
        """Tables as the stage wikipedia.pages writes them: pages and disambiguations by `title`, redirects by
        `source` and `target`. The rejects of that stage with the reason disambiguation name the last by `key`.
        """
        leads = {}
        if redirects is not None:
            sources, targets = (redirects.column(name).to_pylist() for name in ("source", "target"))
            leads = dict(zip(sources, targets, strict=True))
        return cls.of(pages.column("title").to_pylist(), leads, _unclear(disambiguations))

    def find(self, title: str) -> FoundTitle | None:
        target, section, seen = title, "", {title}
        while target in self.redirects and target not in self.pages:
            target, _, part = self.redirects[target].partition("#")
            section = part or section
            if target in seen:
                return FoundTitle(title, fault="redirect_loop")
            seen.add(target)
            if len(seen) > MAX_HOPS + 1:
                return FoundTitle(title, fault="chain_too_long")
        if target in self.disambiguations or target.endswith(_DISAMBIGUATION):
            return FoundTitle(target, fault="disambiguation")
        if target not in self.pages:
            return None if target == title else FoundTitle(target, fault="missing_page")
        return FoundTitle(target, section, target != title)

    def alike(self, title: str) -> Sequence[str]:
        return [found for found in self._alike.get(fold(title), ()) if found != title]

    def qualified(self, title: str) -> Sequence[str]:
        return self._qualified.get(fold(title), ())


def _target(target: str) -> str:
    title, mark, section = target.partition("#")
    return normalise_title(title) + (f"#{section.strip()}" if mark and section.strip() else "")


def _unclear(table: pa.Table | None) -> list[str]:
    if table is None:
        return []
    if "title" in table.column_names:
        return list(table.column("title").to_pylist())
    keys, reasons = (table.column(name).to_pylist() for name in ("key", "reason"))
    return [key for key, reason in zip(keys, reasons, strict=True) if reason == "disambiguation"]
