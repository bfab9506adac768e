"""A sample several times over: copies in which every name is another one, so that each adds as much as the first."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from pipelines.samples import sample_files

_NAME = re.compile(r"\b[A-Z][a-z]{3,}")
# Words that are no names, or that mean something to a reader of dates and of wikitext.
_KEPT = frozenset(
    (
        *("January", "February", "March", "April", "June", "July", "August", "September", "October", "November"),
        *("December", "Template", "Category", "Wikipedia", "This", "That", "They", "Their", "When", "Where", "What"),
        *("Which", "With", "From", "After", "Before", "There", "Then", "While", "Both", "Some", "Most", "Many"),
    )
)


def _renamed(copy: int) -> Callable[[str], str]:
    """Puts letters that tell the copy behind each name; copy 0 is the sample itself."""
    letters = "" if not copy else "".join(chr(ord("a") + int(digit)) for digit in str(copy)) + "ov"
    return lambda text: _NAME.sub(lambda found: found[0] if found[0] in _KEPT else found[0] + letters, text)


def lines(sample: str, folder: Path, times: int) -> list[str]:
    """Copies of the files of lines of a sample."""
    folder.mkdir(parents=True)
    made = []
    for path in (Path(file) for file in sample_files(sample) if file.endswith(".jsonl")):
        text = path.read_text("utf-8")
        whole = [_renamed(copy)(text).replace('"para_id": "', f'"para_id": "{copy}-') for copy in range(times)]
        (folder / path.name).write_text("".join(whole), "utf-8")
        made.append(str(folder / path.name))
    return made
