"""What every baseline shares: its outcome, its error, and the libraries that only some need."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol


class BaselineError(ValueError):
    """A baseline cannot run; the message names what is missing or wrong, and what helps."""


class BaselineReport(Protocol):
    """The scores of a run."""

    def as_dict(self) -> dict[str, Any]: ...

    def as_text(self) -> str: ...


@dataclass(frozen=True)
class BaselineRun:
    """predictions: an object for each question, in the order of the ids; settings: what the baseline ran with."""

    name: str
    predictions: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any]
    report: BaselineReport

    def lines(self) -> str:
        """The predictions as JSON lines."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.predictions)

    def as_dict(self) -> dict[str, Any]:
        return {"baseline": self.name, "settings": dict(self.settings), "report": self.report.as_dict()}


def require(module: str, extra: str) -> ModuleType:
    """An optional library; BaselineError names the extra that brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BaselineError(
            f"{module} is not installed ({error}); this baseline needs: pip install 'benchwright[{extra}]'"
        ) from error


def choose(
    name: str, known: Mapping[str, object], options: Mapping[str, Any], allowed: Mapping[str, Sequence[str]]
) -> None:
    """Raises BaselineError: an unknown baseline, or an option that it does not take. allowed: options by baseline."""
    if name not in known:
        raise BaselineError(f"{name!r} is no baseline; there are {', '.join(known)}")
    takes = sorted(allowed.get(name, ()))
    if unknown := sorted(options.keys() - set(takes)):
        raise BaselineError(f"{name}: unknown option {', '.join(unknown)}; it takes {', '.join(takes) or 'none'}")
