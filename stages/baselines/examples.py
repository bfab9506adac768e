"""What a baseline sees of a question, and how it calls the answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stages.baselines.optional import BaselineError
from stages.influence.graph import LESS, MORE, NO_EFFECT
from stages.release.choices import ChoiceRecord, iterate_choices
from stages.release.format import ReleaseError

LABELS = (MORE, LESS, NO_EFFECT)


@dataclass(frozen=True)
class Example:
    """One question; label is for training and for scoring alone."""

    ques_id: str
    stem: str
    change: str
    effect: str
    paragraph: str
    label: str


def read_examples(path: Path) -> list[Example]:
    """The questions of a released file in the order of their ids.

    Raises BaselineError where the file is missing, empty, or no release.
    """
    try:
        found = examples(iterate_choices(path))
    except (ReleaseError, FileNotFoundError) as error:
        raise BaselineError(str(error)) from error
    if not found:
        raise BaselineError(f"{path}: holds no question")
    return found


def examples(records: Iterable[ChoiceRecord]) -> list[Example]:
    found = []
    for record in records:
        change, effect = record.parts
        question = record.question
        paragraph = " ".join(question.para_steps)
        found.append(Example(record.metadata.ques_id, question.stem, change, effect, paragraph, question.answer_label))
    return sorted(found, key=lambda example: example.ques_id)
