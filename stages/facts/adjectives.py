"""Places by the adjectives that stand for them, read from templates/adjectives.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from stages.core import template_files
from stages.core.overlay import remembered
from stages.core.template_files import read_template

TEMPLATES = ("adjectives.yaml",)

# What names of states are made of that are not the usual names of those of today.
_STATE = re.compile(
    r"\b(?:Kingdom|Empire|Republic|Union|Reich|Duchy|Principality|Confederation|Commonwealth|Raj|dynasty|Sultanate|Emirate"
    r"|Caliphate|Shogunate|Nazi|Vichy|British|Mandate|Protectorate|Soviet|occupation)\b|\(\d{3,4}"
)
# What states of today that are no monarchies call themselves in full.
_FORMS = (
    *("Republic", "People's Republic", "Federal Republic", "Islamic Republic", "Democratic Republic", "State"),
    *("Federative Republic", "Socialist Republic", "Bolivarian Republic", "Arab Republic", "Commonwealth"),
)

FILE = "adjectives.yaml"


@remembered()
def places(file: Path | None = None) -> Mapping[str, str]:
    """ "the United States" by "American". Raises StageError where the file has another shape."""
    read = read_template(FILE, file)
    listed = read.data.get("places") if read.data.get("version") == 1 else None
    if not isinstance(listed, dict) or not all(isinstance(name, str) for pair in listed.items() for name in pair):
        raise read.fault("expected version 1 and places by their adjectives")
    return listed


def of_another_state(name: str, label: str) -> bool:
    """Whether a name is that of a state of today, and the label that of another which bore it too.

    "Germany" for the Weimar Republic, "Italy" for the Kingdom of Italy; not "China" for the People's Republic of China.
    """
    if name not in _states() or label == name or not _STATE.search(label):
        return False
    return not any(label == f"{form} of {article}{name}" for form in _FORMS for article in ("", "the "))


@remembered()
def _states() -> frozenset[str]:
    return frozenset(place.removeprefix("the ") for place in places().values()) - {"Great Britain"}


def digests() -> dict[str, str]:
    """Of the file, for stages that depend on it."""
    return template_files.digests(FILE)
