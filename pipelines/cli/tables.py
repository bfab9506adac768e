"""Tables and records as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tabulate import tabulate

from manifests.manifest import BuildManifest, StageManifest, is_rejects

_WIDE = 2000


def table(headers: Sequence[str], rows: Sequence[Sequence[Any]], style: str = "simple") -> str:
    """Columns aligned, numbers with separators on the right."""
    return tabulate(rows, headers=list(headers), tablefmt=style, intfmt=",", disable_numparse=False)


def record(row: Mapping[str, Any]) -> str:
    """One row of a table, a line per column; long values are cut where a reader would stop."""
    width = max(map(len, row), default=0)
    return "\n".join(f"{name:<{width}}  {_short(value)}" for name, value in row.items())


def funnel(manifest: BuildManifest, paper: Mapping[str, str], style: str = "simple") -> str:
    """What each stage kept and dropped, and why, beside the paper's count where it gives one."""
    rows = []
    for stage in manifest.stages:
        kept = [f"{item.name} {item.rows:,}" for name, item in stage.tables.items() if not is_rejects(name)]
        reasons = sorted(stage.rejects.items(), key=lambda item: (-item[1], item[0]))
        dropped = [f"{reason} {count:,}" for reason, count in reasons]
        for number in range(max(len(kept), len(dropped), 1)):
            rows.append(
                [
                    stage.stage if number == 0 else "",
                    kept[number] if number < len(kept) else "",
                    dropped[number] if number < len(dropped) else "",
                    paper.get(stage.stage, "") if number == 0 else "",
                ]
            )
    return table(["stage", "kept", "dropped", "paper"], rows, style)


def metrics(stage: StageManifest) -> str:
    return table(["metric", "value"], sorted(stage.metrics.items()))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDE else f"{text[:_WIDE]}… ({len(text):,} characters)"
