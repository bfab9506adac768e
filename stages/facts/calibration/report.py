"""A calibration as Markdown tables: what is lost and removed, by family and by kind of error."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from stages.facts.calibration.thresholds import AlignmentTally, CalibrationReport


def markdown(reports: Mapping[str, CalibrationReport]) -> str:
    """Tables with one pair of columns (lost, removed) per named report, all of the same rows."""
    names, first = list(reports), next(iter(reports.values()))
    parts = [
        _table("rows", ["all"], names, lambda name, _: reports[name].overall),
        _table("relation family", sorted(first.families), names, lambda name, key: reports[name].families[key]),
        _table("kind of row", sorted(first.kinds), names, lambda name, key: reports[name].kinds[key]),
        _thresholds(reports),
    ]
    return "\n\n".join(parts) + "\n"


def _table(title: str, keys: Sequence[str], names: Sequence[str], cell: Callable[[str, str], AlignmentTally]) -> str:
    head = [title, "right", "false", *(f"{name}: {what}" for name in names for what in ("lost", "removed"))]
    lines = [_line(head), _line(["---", *["---:"] * (len(head) - 1)])]
    for key in keys:
        tallies = [cell(name, key) for name in names]
        shares = [_share(value) for tally in tallies for value in (tally.lost, tally.removed)]
        lines.append(_line([key, str(tallies[0].right), str(tallies[0].false), *shares]))
    return "\n".join(lines)


def _thresholds(reports: Mapping[str, CalibrationReport]) -> str:
    families = sorted({family for report in reports.values() for family in report.thresholds.families})
    lines = [_line(["threshold", *reports]), _line(["---", *["---:"] * len(reports)])]
    lines.append(_line(["default", *(f"{report.thresholds.default:.4f}" for report in reports.values())]))
    for family in families:
        lines.append(_line([family, *(f"{report.thresholds.of(family):.4f}" for report in reports.values())]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1%}"
