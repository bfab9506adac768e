"""Libraries that only some baselines need."""

from __future__ import annotations

import importlib
from types import ModuleType


class BaselineError(ValueError):
    """A baseline cannot run; the message names what is missing or wrong, and what helps."""


def require(module: str, extra: str) -> ModuleType:
    """An optional library; BaselineError names the extra that brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BaselineError(
            f"{module} is not installed ({error}); this baseline needs: pip install 'benchwright[{extra}]'"
        ) from error
