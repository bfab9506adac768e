"""Cells of CSV files that a spreadsheet must not take for formulas.

Whoever opens a batch in a spreadsheet may run what a cell begins with. Such a cell gets an
apostrophe before it, and so does one that looks as if it had one already: taking one
apostrophe away then gives every cell back as it was.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guard(cell: str) -> str:
    """The cell as it is written."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguard(cell: str) -> str:
    """The cell as it was before `guard`; one that was never guarded and needs no guard stays as it is."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
