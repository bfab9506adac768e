"""Zero-Shot RE's lines: relation, question with XXX, subject, sentence, and any number of answers, tab-separated.

A line without answers is a negative example. The hop asks for the relation, as the
composed questions do, and not with the line's own question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stages.core.texts import Refused
from stages.musique.single_hops.forms import RELATION_SIGN
from stages.musique.single_hops.stated import Stated

FIELD = "tab_separated"
SOURCE = "zero-shot-re"
# Those before the answers.
COLUMNS = 4


def read(record: Mapping[str, Any]) -> Iterator[Stated | Refused]:
    """A hop per value of one line, given as {"tab_separated": [cells]}. Refused: bad_line, unanswerable."""
    cells = record.get(FIELD)
    if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells) or len(cells) < COLUMNS:
        yield Refused("bad_line", f"expected relation, question, subject, sentence and answers, got {cells!s:.120}")
        return
    relation, _, subject, sentence, *answers = (cell.strip() for cell in cells)
    if not relation or not subject:
        yield Refused("bad_line", f"a relation and a subject are needed: {cells!s:.120}")
        return
    if not any(answers):
        yield Refused("unanswerable", f"{subject} {RELATION_SIGN} {relation}")
        return
    # Several answers are several values of the relation, not spellings of one.
    for answer in dict.fromkeys(filter(None, answers)):
        yield Stated(
            source=SOURCE,
            given_id=None,
            question=f"{subject} {RELATION_SIGN} {relation}",
            answers=[answer],
            title=subject,
            text=sentence,
        )
