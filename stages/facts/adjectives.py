"""Places by the adjectives that stand for them, read from templates/adjectives.yaml."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import templates
from stages.core import strict_yaml
from stages.core.contract import StageError

TEMPLATES = ("adjectives.yaml",)

FILE = Path(templates.__file__).resolve().parent / "adjectives.yaml"


@cache
def places(file: Path = FILE) -> Mapping[str, str]:
    """ "the United States" by "American". Raises StageError where the file has another shape."""
    data = strict_yaml.parse(file.read_text(encoding="utf-8"))
    listed = data.get("places") if isinstance(data, dict) and data.get("version") == 1 else None
    if not isinstance(listed, dict) or not all(isinstance(name, str) for pair in listed.items() for name in pair):
        raise StageError(f"{file}: expected version 1 and places by their adjectives; install the package again")
    return listed


def digests() -> dict[str, str]:
    """Of the file, for stages that depend on it."""
    return {FILE.name: hashlib.sha256(FILE.read_bytes()).hexdigest()}
