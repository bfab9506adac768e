"""The built-in samples: small worlds in the project's own words, in the framing of real dumps."""

from __future__ import annotations

from pathlib import Path

import templates
from stages.core.contract import StageError

FOLDER = Path(templates.__file__).parent / "samples"
LICENCE = "CC0-1.0 (this project's own sample)"


def sample_files(name: str) -> list[str]:
    """Paths of a sample's input files: all that lies directly in its folder but its README.

    Raises:
        StageError: this installation lacks the sample.
    """
    found = sorted(p for p in (FOLDER / name).glob("*") if p.is_file() and p.name != "README.md" and p.suffix != ".py")
    if not found:
        raise StageError(f"the sample {name!r} is missing from {FOLDER}; install the package again")
    return [str(path) for path in found]


def is_sample(path: str) -> bool:
    """Whether a file is one of a built-in sample."""
    return Path(path).is_relative_to(FOLDER)
