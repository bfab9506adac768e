"""Task kinds: what people can be asked, one folder of templates/annotation each.

    config.xml   Label Studio's labelling configuration: the form (see `stages.people.controls`)
    mturk.html   the same form for Mechanical Turk, with ${variable} where it shows one;
                 page.html, beside the folders, is the page around it
    kind.yaml    numbers and rules that a form cannot state: votes, pay, quota, limits, the verdict
    guide.md     the instructions for workers

`load_kind` reads one strictly; a page that has other variables, controls or choices than
the form is an error, so the two cannot drift apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

import templates
from stages.contract import StageError
from stages.people.controls import CHOICE, TEXT, Control, read_form
from stages.people.page import Page, fill_page, read_page
from stages.people.settings import Groups, Limit, Settings, Verdict
from stages.relations import strict_yaml

TEMPLATES = ("annotation/**/*",)

__all__ = ["Groups", "KindError", "Limit", "Settings", "TaskKind", "Verdict", "load_kind", "load_kinds"]

PAGE = "page.html"
FILES = ("config.xml", "guide.md", "kind.yaml", "mturk.html")

TASK_FIELD = "task"
"""Under this name a task's id travels beside the variables it shows."""


class KindError(StageError):
    """A task kind that cannot be used; the message names file and key, and what was expected."""


class TaskKind(msgspec.Struct, frozen=True):
    """One kind of task: its form, its rules, and the files that they came from.

    variables: what a task shows, sorted; controls: by name, in the form's order.
    config, guide: the files' texts; page: the whole page for Mechanical Turk.
    digests: sha256 of each file, by "annotation/{kind}/{file}".
    """

    name: str
    settings: Settings
    variables: tuple[str, ...]
    controls: Mapping[str, Control]
    config: str
    page: str
    guide: str
    digests: Mapping[str, str]

    @property
    def redundancy(self) -> int:
        return self.settings.redundancy

    @property
    def quota(self) -> int:
        return self.settings.quota

    @property
    def verdict(self) -> Verdict | None:
        return self.settings.verdict

    def limit(self, control: str) -> Limit:
        return self.settings.limits.get(control, Limit())


def digests_of(kinds: Mapping[str, TaskKind]) -> dict[str, str]:
    """The digests of the files of some kinds, for a stage that is bound to them."""
    return {file: digest for kind in kinds.values() for file, digest in kind.digests.items()}


def kinds_folder() -> Path:
    """The folder of task kinds that is installed with the package."""
    return Path(templates.__file__).resolve().parent / "annotation"


def kind_names(folder: Path | None = None) -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in (folder or kinds_folder()).glob("*/kind.yaml")))


def load_kinds(*names: str, folder: Path | None = None) -> dict[str, TaskKind]:
    """The kinds of these names, by name; all there are where none is named.

    Raises KindError: see `load_kind`.
    """
    return {name: load_kind(name, folder) for name in names or kind_names(folder)}


def load_kind(name: str, folder: Path | None = None) -> TaskKind:
    """One task kind.

    Raises KindError: there is no such kind, a file is missing, or one of them is not as it must be.
    """
    folder = folder or kinds_folder()
    if name not in kind_names(folder):
        raise KindError(f"no task kind {name!r}; there are {', '.join(kind_names(folder)) or 'none'}")
    contents = {file: _content(folder / name / file) for file in FILES}
    skeleton = _content(folder / PAGE)
    form = read_form(contents["config.xml"], f"{name}/config.xml")
    settings = _settings(name, contents["kind.yaml"])
    files = {PAGE: skeleton} | {f"{name}/{file}": text for file, text in contents.items()}
    kind = TaskKind(
        name=name,
        settings=settings,
        variables=form.variables,
        controls=form.controls,
        config=contents["config.xml"],
        page=fill_page(skeleton, settings.title, contents["guide.md"], contents["mturk.html"]),
        guide=contents["guide.md"],
        digests={f"annotation/{file}": hashlib.sha256(text.encode()).hexdigest() for file, text in files.items()},
    )
    problems = [*_form_problems(kind), *_rule_problems(kind), *_page_problems(kind, read_page(kind.page))]
    if problems:
        raise KindError(f"task kind {name} is not usable:\n" + "\n".join(f"  {problem}" for problem in problems))
    return kind


def _content(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise KindError(f"{path.parent.name}/{path.name}: expected a text file in UTF-8: {error}") from error
    if not text.strip():
        raise KindError(f"{path.parent.name}/{path.name}: the file is empty")
    return text


def _settings(name: str, content: str) -> Settings:
    try:
        return msgspec.convert(strict_yaml.parse(content), type=Settings)
    except ValueError as error:
        raise KindError(f"{name}/kind.yaml: {str(error).replace('`$.', '`')}") from error


def _form_problems(kind: TaskKind) -> list[str]:
    problems = []
    if not kind.variables:
        problems.append("config.xml: shows no variable of a task; expected at least one $name")
    if TASK_FIELD in kind.variables:
        problems.append(f"config.xml: ${TASK_FIELD} is taken: under this name a task's id travels")
    return problems


def _rule_problems(kind: TaskKind) -> list[str]:
    settings = kind.settings
    texts = {name for name, control in kind.controls.items() if control.kind == TEXT}
    expected = [("limits", sorted(settings.limits)), ("one_of", [name for names in settings.one_of for name in names])]
    problems = [
        f"kind.yaml: {key}: {control} is no TextArea of config.xml"
        for key, controls in expected
        for control in controls
        if control not in texts
    ]
    if settings.groups:
        problems += _group_problems(kind, settings.groups)
    if settings.verdict:
        problems += _verdict_problems(kind, settings.verdict, texts)
    for control, limit in sorted(settings.limits.items()):
        if limit.min_chars > limit.max_chars:
            problems.append(f"kind.yaml: limits: {control}: min_chars is more than max_chars")
    return problems


def _group_problems(kind: TaskKind, groups: Groups) -> list[str]:
    names = [name for controls in groups.sets() for name in controls]
    problems = [f"kind.yaml: groups: {name} is no control of config.xml" for name in names if name not in kind.controls]
    if groups.at_least > groups.count:
        problems.append(f"kind.yaml: groups: at_least is {groups.at_least} of {groups.count}")
    return problems


def _verdict_problems(kind: TaskKind, verdict: Verdict, texts: set[str]) -> list[str]:
    control = kind.controls.get(verdict.control)
    if control is None or control.kind != CHOICE or control.max_values != 1:
        return [f"kind.yaml: verdict: control: expected Choices with one answer, found {verdict.control}"]
    said = [*verdict.confirm, *verdict.refuse, *verdict.revise]
    problems = []
    if said and sorted(said) != sorted(control.choices):
        problems.append(
            f"kind.yaml: verdict: confirm, refuse and revise must share out all of {', '.join(control.choices)}"
        )
    problems += [
        f"kind.yaml: verdict: revisions: {name} is no TextArea" for name in verdict.revisions if name not in texts
    ]
    if bool(verdict.revise) != bool(verdict.revisions):
        problems.append("kind.yaml: verdict: revise and revisions go together")
    return problems


def _page_problems(kind: TaskKind, page: Page) -> list[str]:
    problems = [f"mturk.html: {problem}" for problem in page.problems]
    shown = tuple(sorted(page.variables - {TASK_FIELD}))
    if shown != kind.variables:
        problems.append(f"mturk.html: shows {', '.join(shown)}; expected {', '.join(kind.variables)}")
    if TASK_FIELD not in page.variables:
        problems.append(f"mturk.html: expected a hidden field with the value ${{{TASK_FIELD}}}")
    for name in sorted({*page.fields, *kind.controls} - {TASK_FIELD, "assignmentId"}):
        control, field = kind.controls.get(name), page.fields.get(name)
        if control is None or field is None:
            problems.append(f"mturk.html: {name}: is in only one of mturk.html and config.xml")
        elif field.kind != control.kind or field.choices != control.choices:
            problems.append(f"mturk.html: {name}: other choices or another kind of field than in config.xml")
    return problems
