"""Which relations have one value by nature, so that it can be asked for (templates/soundness/relations.yaml).

A text names one of many ("contains administrative territorial entity"), so that what the pool of
hops knows of a subject does not tell it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import templates
from stages.core import strict_yaml
from stages.core.contract import StageError

TEMPLATES = ("soundness/relations.yaml",)

FILE = Path(templates.__file__).resolve().parent / "soundness" / "relations.yaml"
WHYS = ("several", "levels", "changes", "vague")
_KEYS = {"property", "refused", "statements", "documents"}


@cache
def refused(file: Path = FILE) -> Mapping[str, str]:
    """Why a relation's value is not asked for, by its label; without those that are.

    Raises StageError naming the file, the relation and what was expected.
    """
    try:
        data = strict_yaml.parse(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StageError(f"{file}: not a readable YAML file ({error}); install the package again") from error
    if not isinstance(data, dict) or data.get("version") != 1 or not isinstance(data.get("relations"), dict):
        raise StageError(f"{file}: expected version 1 and relations by their labels; install the package again")
    for label, entry in data["relations"].items():
        if not isinstance(entry, dict) or not {"property"} <= entry.keys() <= _KEYS:
            raise StageError(f"{file}: {label}: expected property and perhaps {', '.join(sorted(_KEYS))}")
        if entry.get("refused", WHYS[0]) not in WHYS:
            raise StageError(f"{file}: {label}: refused: expected one of {', '.join(WHYS)}, got {entry['refused']!r}")
    return {label: entry["refused"] for label, entry in data["relations"].items() if "refused" in entry}


def digests() -> dict[str, str]:
    """Of the file, for stages that depend on it."""
    return {f"soundness/{FILE.name}": hashlib.sha256(FILE.read_bytes()).hexdigest()}
