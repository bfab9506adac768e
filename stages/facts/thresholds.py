"""The thresholds of templates/thresholds.yaml: how sure the model must be, per relation family.

The file is written by `stages.facts.calibration.thresholds` and belongs to one model; scores of
another model mean something else, so it is refused for any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

import templates
from stages.core.contract import StageError

TEMPLATES = ("thresholds.yaml",)

VERSION = 1


@dataclass(frozen=True)
class Thresholds:
    """families: family -> least score; default: for every other family. model: identity of the scorer."""

    model: str
    default: float
    families: Mapping[str, float]
    digests: Mapping[str, str] = field(default_factory=dict)

    def of(self, family: str | None) -> float:
        return self.default if family is None else self.families.get(family, self.default)


def thresholds_file() -> Path:
    """The installed thresholds, which belong to the shipped model."""
    return Path(templates.__file__).resolve().parent / "thresholds.yaml"


def load_thresholds(path: str | None = None) -> Thresholds:
    """Raises StageError naming the file, the key and what was expected."""
    if not isinstance(path, str | None):
        raise StageError(f"nli.thresholds is the path of a file that `benchwright calibrate` wrote, not {path!r}")
    file = Path(path) if path is not None else thresholds_file()
    try:
        content = file.read_bytes()
    except OSError as error:
        raise StageError(f"{file}: cannot be read ({error.strerror}); `benchwright calibrate` writes one") from error
    try:
        data = yaml.safe_load(content)
    except yaml.YAMLError as error:
        raise StageError(f"{file}: not YAML: {error}") from error
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise StageError(f"{file}: expected a mapping with version: {VERSION}")
    families = data.get("families") or {}
    if not isinstance(families, dict) or not isinstance(data.get("model"), str):
        raise StageError(f"{file}: expected model (the identity of a scorer) and families (family: threshold)")
    return Thresholds(
        model=data["model"],
        default=_share(file, "default", data.get("default")),
        families={str(name): _share(file, f"families.{name}", value) for name, value in families.items()},
        digests={file.name: hashlib.sha256(content).hexdigest()},
    )


def _share(file: Path, key: str, value: Any) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise StageError(f"{file}: {key}: expected a number from 0 to 1, found {value!r}")
    return float(value)
