"""The numbers and rules of a task kind that its form cannot state: the content of kind.yaml."""

from __future__ import annotations

from typing import Annotated

import msgspec

_AtLeast1 = Annotated[int, msgspec.Meta(ge=1)]
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Verdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an answer judges the record that the task is about.

    control: a choice. confirm, refuse, revise: its choices that say so; where all are empty, the choice
        itself is the answer and a majority for any of them counts.
    revisions: text controls that hold the revised texts.
    """

    control: _Word
    confirm: tuple[_Word, ...] = ()
    refuse: tuple[_Word, ...] = ()
    revise: tuple[_Word, ...] = ()
    revisions: tuple[_Word, ...] = ()


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Least and most characters of each text of a control."""

    min_chars: _AtLeast1 = 1
    max_chars: _AtLeast1 = 1000


class Groups(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Controls that are filled together or not at all, in numbered sets.

    controls: names without their number: "question" stands for question_01, question_02, ...
    count: how many sets there are; at_least: how many a worker must fill.
    """

    controls: tuple[_Word, ...]
    count: Annotated[int, msgspec.Meta(ge=1, le=99)]
    at_least: _AtLeast1

    def sets(self) -> list[tuple[str, ...]]:
        return [tuple(f"{name}_{number:02}" for name in self.controls) for number in range(1, self.count + 1)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of kind.yaml.

    redundancy: workers per task. quota: most tasks per worker, or most filled sets where the form has groups.
    pay: US dollars per task. seconds: that a task is expected to take.
    payload_chars: most characters of all that a task shows.
    one_of: sets of text controls of which at least one must be filled, where any of them is asked.
    """

    version: _AtLeast1
    title: _Word
    redundancy: Annotated[int, msgspec.Meta(ge=1, le=99)]
    quota: _AtLeast1
    pay: Annotated[float, msgspec.Meta(gt=0, le=1000)]
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86400)]
    payload_chars: _AtLeast1
    verdict: Verdict | None = None
    limits: dict[str, Limit] = {}
    one_of: tuple[tuple[_Word, ...], ...] = ()
    groups: Groups | None = None
