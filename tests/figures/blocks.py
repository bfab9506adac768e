"""Blocks of a README whose figures are computed anew, and what in them is not as it should be.

A line `<!-- figures: NAME -->` stands right above the block, which ends at the next empty line. A
computed figure is a Cell of the block's table, or a text that the block must hold; both exactly
as they are printed, but for line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_MARKER = re.compile(r"<!-- figures: ([a-z_.]+) -->")


@dataclass(frozen=True)
class Cell:
    """row: the first cell of its row; column: its head."""

    row: str
    column: str
    value: str


Figure = Cell | str


@dataclass(frozen=True)
class Block:
    """place: "{file}:{line}" of the marker."""

    place: str
    lines: tuple[str, ...]

    def faults(self, figures: Iterable[Figure]) -> list[str]:
        """One sentence per figure that does not stand in the block as computed."""
        return [fault for figure in figures if (fault := self._fault(figure)) is not None]

    def _fault(self, figure: Figure) -> str | None:
        if isinstance(figure, str):
            found = figure in " ".join(" ".join(self.lines).split())
            return None if found else f"{self.place}: expected {figure!r}"
        rows = self._table()
        if figure.row not in rows or figure.column not in rows[figure.row]:
            return f"{self.place}: expected a row {figure.row!r} with a column {figure.column!r}"
        stated = rows[figure.row][figure.column]
        right = stated == figure.value
        return None if right else f"{self.place}: {figure.row}, {figure.column}: {stated}, computed {figure.value}"

    def _table(self) -> Mapping[str, Mapping[str, str]]:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in self.lines if "|" in line]
        return {row[0]: dict(zip(rows[0], row, strict=False)) for row in rows[1:]}


def blocks(file: Path) -> Iterator[tuple[str, Block]]:
    """The marked blocks of a README with their names."""
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if (marker := _MARKER.fullmatch(line)) is not None:
            end = next((place for place in range(number, len(lines)) if not lines[place].strip()), len(lines))
            yield marker[1], Block(f"{file}:{number}", tuple(lines[number:end]))
