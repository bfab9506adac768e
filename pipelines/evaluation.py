"""Predictions scored with a dataset's metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pipelines.datasets import Report, dataset
from stages.core.contract import StageError


def evaluate(name: str, gold: str | Path, predictions: str | Path) -> Report:
    """The paper's scores of a file of predictions; the command `evaluate` does the same.

    name: of the dataset. gold: a file in the release format, as `export` writes it.
    predictions: JSONL with a question a line, or one JSON object from a question's id to what was predicted; what a
        line holds, `benchwright evaluate --help` says for each dataset.

    The report's `as_dict()` holds shares from 0 to 1 by name, with `unknown` and `missing` ids; `as_text()` is a table.

    Raises:
        StageError: no such dataset, or no prediction is for a question of the gold file.
        ValueError: a file that is not in its format; the message names the line.
        OSError: a file that cannot be read.
    """
    report = dataset(name).evaluate(Path(gold), Path(predictions))
    found = report.as_dict()
    unknown, missing = found.get("unknown", ()), found.get("missing", ())
    none = len(missing) >= found.get("overall", {}).get("questions", 0)
    if none and (missing or unknown):
        raise StageError(_nothing(unknown, missing, gold, predictions))
    return report


def unasked(report: Report, gold: str | Path, predictions: str | Path) -> str:
    """A line about predictions for no question of the gold file; "" where there are none."""
    unknown = report.as_dict().get("unknown", ())
    if not unknown:
        return ""
    return (
        f"{predictions}: {len(unknown):,} predictions are for no question of {gold}, or one too many for theirs, "
        f"and count for nothing: {', '.join(map(repr, unknown[:3]))}{' ...' if len(unknown) > 3 else ''}"
    )


def _nothing(unknown: Sequence[object], missing: Iterable[object], gold: str | Path, predictions: str | Path) -> str:
    if not unknown:
        return f"{predictions}: holds no prediction; expected one for each of the questions of {gold}"
    return (
        f"{predictions}: none of its {len(unknown):,} ids is a question of {gold}: it has {unknown[0]!r}, the gold "
        f"file {next(iter(missing), None)!r}; name the split of the release that was predicted"
    )
