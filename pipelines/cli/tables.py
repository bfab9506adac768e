"""Tables and records as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tabulate import tabulate

from manifests.manifest import BuildManifest, StageManifest, is_rejects
from pipelines.datasets import PaperStep
from pipelines.funnel import Counted, funnel_steps

_WIDE = 2000
_MOST_REASONS = 2


def table(headers: Sequence[str], rows: Sequence[Sequence[Any]], style: str = "simple") -> str:
    """Columns aligned, numbers with separators on the right."""
    return tabulate(rows, headers=list(headers), tablefmt=style, intfmt=",", disable_numparse=False)


def record(row: Mapping[str, Any]) -> str:
    """One row of a table, a line per column; long values are cut where a reader would stop."""
    width = max(map(len, row), default=0)
    return "\n".join(f"{name:<{width}}  {_short(value)}" for name, value in row.items())


def steps(manifest: BuildManifest, paper: Sequence[PaperStep], style: str = "simple") -> str:
    """What came into each step of the paper, what came out, what it dropped most and why, beside the paper's count."""
    rows = [
        [step.name, _side(step.takes), _side(step.gives), _dropped_most(step.dropped), step.paper]
        for step in funnel_steps(manifest, paper)
    ]
    return table(["step", "in", "out", "dropped most", "paper"], rows, style)


def _side(counted: Counted | None) -> str:
    return f"{counted.table} {counted.rows:,}" if counted else ""


def _dropped_most(dropped: Mapping[str, int]) -> str:
    """dropped: by reason, the commonest first."""
    reasons = list(dropped.items())
    shown = ", ".join(f"{reason} {count:,}" for reason, count in reasons[:_MOST_REASONS])
    rest = sum(count for _, count in reasons[_MOST_REASONS:])
    return f"{shown}, others {rest:,}" if rest else shown


def funnel(manifest: BuildManifest, paper: Sequence[PaperStep], style: str = "simple") -> str:
    """What each stage kept and dropped, and why, beside the paper's count where it gives one."""
    counts = {step.stages[-1]: step.count for step in paper}
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
                    counts.get(stage.stage, "") if number == 0 else "",
                ]
            )
    return table(["stage", "kept", "dropped", "paper"], rows, style)


def metrics(stage: StageManifest) -> str:
    return table(["metric", "value"], sorted(stage.metrics.items()))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDE else f"{text[:_WIDE]}… ({len(text):,} characters)"
