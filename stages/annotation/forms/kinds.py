"""Task kinds: what people can be asked, one file of templates/annotation each.

The file states votes, pay, quota and the verdict, the guide for workers, and the form (see
`stages.annotation.forms.form`); page.html, beside the files, is the page around a form for Mechanical Turk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

import templates
from stages.annotation.forms.form import (
    CHOICE,
    TEXT,
    Block,
    Control,
    codes_in,
    controls_of,
    form_problems,
    option_words,
    spread,
    variables_of,
)
from stages.core import strict_yaml
from stages.core.contract import StageError

TEMPLATES = ("annotation/**/*",)

PAGE = "page.html"
TASK_FIELD = "task"
"""Under this name a task's id travels beside the variables it shows."""

_AtLeast1 = Annotated[int, msgspec.Meta(ge=1)]
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class KindError(StageError):
    """A task kind that cannot be used; the message names file and key, and what was expected."""


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


class KindSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a kind's file.

    redundancy: workers per task. quota: most tasks per worker, or most filled sets where the form has groups.
    pay: US dollars per task. seconds: that a task is expected to take.
    payload_chars: most characters of all that a task shows.
    one_of: sets of text controls of which at least one must be filled, where any of them is asked.
    guide: the instructions for workers, with headings, paragraphs and lists of one level; options are named as workers
        read them (`stages.annotation.forms.form.option_words`).
    """

    version: _AtLeast1
    title: _Word
    redundancy: Annotated[int, msgspec.Meta(ge=1, le=99)]
    quota: _AtLeast1
    pay: Annotated[float, msgspec.Meta(gt=0, le=1000)]
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86400)]
    payload_chars: _AtLeast1
    guide: Annotated[str, msgspec.Meta(min_length=1)]
    form: tuple[Block, ...]
    verdict: Verdict | None = None
    one_of: tuple[tuple[_Word, ...], ...] = ()
    groups: Groups | None = None


class TaskKind(msgspec.Struct, frozen=True):
    """One kind of task: its rules and its form.

    form: with numbered sets as often as they stand there; variables: what a task shows, sorted; controls: by name,
    in the form's order; digests: sha256 of its file, by "annotation/{kind}.yaml".
    """

    name: str
    settings: KindSettings
    form: tuple[Block, ...]
    variables: tuple[str, ...]
    controls: Mapping[str, Control]
    digests: Mapping[str, str]

    @property
    def verdict(self) -> Verdict | None:
        return self.settings.verdict


def digests_of(kinds: Mapping[str, TaskKind]) -> dict[str, str]:
    """The digests of the files of some kinds, for a stage that is bound to them."""
    return {file: digest for kind in kinds.values() for file, digest in kind.digests.items()}


def kinds_folder() -> Path:
    """The folder of task kinds that is installed with the package."""
    return Path(templates.__file__).resolve().parent / "annotation"


def kind_names(folder: Path | None = None) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (folder or kinds_folder()).glob("*.yaml")))


def load_kinds(*names: str, folder: Path | None = None) -> dict[str, TaskKind]:
    """The kinds of these names, by name; all there are where none is named.

    Raises KindError: see `load_kind`.
    """
    return {name: load_kind(name, folder) for name in names or kind_names(folder)}


def load_kind(name: str, folder: Path | None = None) -> TaskKind:
    """One task kind.

    Raises KindError: there is no such kind, or its file is not as it must be.
    """
    folder = folder or kinds_folder()
    if name not in kind_names(folder):
        raise KindError(f"no task kind {name!r}; there are {', '.join(kind_names(folder)) or 'none'}")
    try:
        content = (folder / f"{name}.yaml").read_bytes()
        settings = msgspec.convert(strict_yaml.parse(content.decode()), type=KindSettings)
    except (OSError, ValueError) as error:
        raise KindError(f"{name}.yaml: {str(error).replace('`$.', '`')}") from error
    return make_kind(name, settings, {f"annotation/{name}.yaml": hashlib.sha256(content).hexdigest()})


def make_kind(name: str, settings: KindSettings, digests: Mapping[str, str]) -> TaskKind:
    """The kind of a file's content.

    Raises KindError: its parts do not go together.
    """
    form = spread(settings.form, settings.groups.count if settings.groups else 0)
    kind = TaskKind(name, settings, form, variables_of(form), controls_of(form), digests)
    problems = [f"form: {problem}" for problem in form_problems(form)] + _rule_problems(kind)
    if TASK_FIELD in kind.variables:
        problems.append(f"form: ${TASK_FIELD} is taken: under this name a task's id travels")
    if problems:
        raise KindError(f"task kind {name} is not usable:\n" + "\n".join(f"  {name}.yaml: {one}" for one in problems))
    return kind


def _rule_problems(kind: TaskKind) -> list[str]:
    settings = kind.settings
    texts = {name for name, control in kind.controls.items() if control.kind == TEXT}
    problems = [
        f"{where}: {code} is a code; workers read {option_words(code)!r}"
        for where, words in (("title", settings.title), ("guide", settings.guide))
        for code in codes_in(words)
    ]
    problems += [f"one_of: {name} is no text" for names in settings.one_of for name in names if name not in texts]
    if settings.groups:
        problems += _group_problems(kind, settings.groups)
    if settings.verdict:
        problems += _verdict_problems(kind, settings.verdict, texts)
    return problems


def _group_problems(kind: TaskKind, groups: Groups) -> list[str]:
    names = [name for controls in groups.sets() for name in controls]
    problems = [f"groups: {name} is no control of the form" for name in names if name not in kind.controls]
    if groups.at_least > groups.count:
        problems.append(f"groups: at_least is {groups.at_least} of {groups.count}")
    return problems


def _verdict_problems(kind: TaskKind, verdict: Verdict, texts: set[str]) -> list[str]:
    control = kind.controls.get(verdict.control)
    if control is None or control.kind != CHOICE or control.max_values != 1:
        return [f"verdict: control: expected a choice of one answer, found {verdict.control}"]
    said = [*verdict.confirm, *verdict.refuse, *verdict.revise]
    problems = []
    if said and sorted(said) != sorted(control.choices):
        problems.append(f"verdict: confirm, refuse and revise must share out all of {', '.join(control.choices)}")
    problems += [f"verdict: revisions: {name} is no text" for name in verdict.revisions if name not in texts]
    if bool(verdict.revise) != bool(verdict.revisions):
        problems.append("verdict: revise and revisions go together")
    return problems
