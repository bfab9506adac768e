"""Reading answers by the rules of their kind: what a worker's answers say, and what they contribute.

A vote is what the verdict's control says. Where a kind's choices are shared out over confirm,
refuse and revise, two choices of one side are the same vote; else each choice is a vote.
A contribution is text that becomes data: all of a form without a verdict, or the revised text
of one whose verdict can only refuse or rewrite.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from manifests.digest import canonical_json
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import Groups, TaskKind

CONFIRM, REFUSE, REVISE = "confirm", "refuse", "revise"


def normal(text: str) -> str:
    """A text for comparing: whether two workers wrote the same, but for case and spaces."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def same(answers: Mapping[str, list[str]]) -> str:
    """Equal where two workers gave the same answers, in any order and but for case and spaces."""
    return canonical_json(
        {name: sorted(normal(value) for value in values) for name, values in answers.items() if values}
    )


def vote_of(answers: Mapping[str, list[str]], kind: TaskKind) -> str | None:
    """The side that the answers take, or the choice where there are no sides; None without a verdict in them."""
    verdict = kind.verdict
    if verdict is None or not answers.get(verdict.control):
        return None
    choice = answers[verdict.control][0]
    sides = ((CONFIRM, verdict.confirm), (REFUSE, verdict.refuse), (REVISE, verdict.revise))
    return next((side for side, choices in sides if choice in choices), choice)


def has_sides(kind: TaskKind) -> bool:
    """Whether a verdict says right or wrong, not which answer is right."""
    verdict = kind.verdict
    return verdict is not None and bool(verdict.confirm or verdict.refuse or verdict.revise)


def is_right(answers: Mapping[str, list[str]], gold: Mapping[str, list[str]], kind: TaskKind) -> bool:
    """Whether answers are the known ones: in their verdict where gold has one, else in all that gold names."""
    known = vote_of(gold, kind)
    if known is not None:
        return vote_of(answers, kind) == known
    return same({name: answers.get(name, []) for name in gold}) == same(gold)


def revision_of(answers: Mapping[str, list[str]], kind: TaskKind) -> Answers:
    """The revised texts among the answers; empty where there are none."""
    return {name: answers[name] for name in (kind.verdict.revisions if kind.verdict else ()) if answers.get(name)}


def is_writing(kind: TaskKind) -> bool:
    """Whether its answers are contributions: a form without a verdict, or one that can only refuse or write."""
    return kind.verdict is None or (bool(kind.verdict.revise) and not kind.verdict.confirm)


def contributions(answers: Mapping[str, list[str]], kind: TaskKind) -> list[Answers]:
    """What the answers contribute: nothing, one item, or one per filled set of a form with numbered sets."""
    return [item for _, item in placed(answers, kind)]


def placed(answers: Mapping[str, list[str]], kind: TaskKind) -> list[tuple[int, Answers]]:
    """The contributions with the place of their set on the form, from 0; 0 for a form without sets."""
    if kind.settings.groups is not None:
        return _sets(answers, kind.settings.groups)
    found = revision_of(answers, kind) if kind.verdict else {name: values for name, values in answers.items() if values}
    return [(0, found)] if found else []


def _sets(answers: Mapping[str, list[str]], groups: Groups) -> list[tuple[int, Answers]]:
    """The filled sets under the controls' plain names, each with the answers that stand outside all sets."""
    numbered = groups.sets()
    inside = {name for names in numbered for name in names}
    shared = {name: values for name, values in answers.items() if name not in inside and values}
    plain = [
        {control: answers[name] for control, name in zip(groups.controls, names, strict=True) if answers.get(name)}
        for names in numbered
    ]
    return [(place, shared | filled) for place, filled in enumerate(plain) if filled]
