"""What a labelling form shows and asks, read from its Label Studio configuration.

The configuration is the one place where a form is described: which variables of a task
it shows, which controls it has, what each accepts, and when it is asked at all. Only the
tags that the kinds of this project use are known; any other is an error, since its
answers could not be checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from stages.contract import StageError

CHOICE, TEXT, NUMBER = "choice", "text", "number"

MAX_BYTES = 256 * 1024
_CONTROL_TAGS = {"Choices": CHOICE, "TextArea": TEXT, "Number": NUMBER}
_SHOWN_TAGS = ("Text", "Header")
_OTHER_TAGS = ("View", "Choice", "Style", "Collapse", "Panel")
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Condition:
    """A control is asked only where another one has one of these choices."""

    control: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Control:
    """One thing that a worker fills in.

    kind: choice, text or number; required: wherever it is asked; choices: of a choice, in the form's order.
    max_values: how many choices may be ticked, or texts given; low, high: bounds of a number, None if open;
    whole: a number without fractions; conditions: all must hold for it to be asked.
    target: the name of the shown text that it belongs to.
    """

    name: str
    kind: str
    required: bool = False
    choices: tuple[str, ...] = ()
    max_values: int = 1
    low: float | None = None
    high: float | None = None
    whole: bool = False
    conditions: tuple[Condition, ...] = ()
    target: str = ""

    def asked(self, answers: Mapping[str, list[str]]) -> bool:
        """Whether the form shows this control to somebody who has given these answers."""
        return all(set(answers.get(one.control, ())) & set(one.choices) for one in self.conditions)


@dataclass(frozen=True)
class Form:
    """variables: of the task, that the form shows, sorted; controls: by name, in the form's order."""

    variables: tuple[str, ...]
    controls: Mapping[str, Control]


class FormError(StageError):
    """A configuration that cannot be used; the message names its line, tag and attribute."""


def read_form(config: str, name: str = "config.xml") -> Form:
    """The form of a configuration.

    name: of the file, for messages.

    Raises FormError: malformed XML, a DOCTYPE, an unknown tag, or a control that is not fully described.
    """
    if len(config.encode()) > MAX_BYTES:
        raise FormError(f"{name}: more than {MAX_BYTES} bytes")
    return _Reader(name).read(config)


@dataclass
class _Open:
    """An element whose end has not come yet."""

    tag: str
    attributes: dict[str, str]
    line: int
    choices: list[str] = field(default_factory=list)
    condition: Condition | None = None


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._open: list[_Open] = []
        self._shown: set[str] = set()
        self._variables: set[str] = set()
        self._controls: dict[str, Control] = {}
        # Without a DOCTYPE there are no entities to expand and nothing outside to fetch.
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = lambda *_: self._fail("DOCTYPE", "not allowed here")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def read(self, config: str) -> Form:
        try:
            self._parser.Parse(config, True)
        except expat.ExpatError as error:
            raise FormError(f"{self._name}: not well-formed XML: {error}") from error
        for control in self._controls.values():
            if control.target not in self._shown:
                raise FormError(f"{self._name}: {control.name}: toName {control.target!r} is no Text of this form")
            for condition in control.conditions:
                self._check(control, condition)
        if not self._controls:
            raise FormError(f"{self._name}: asks nothing; expected Choices, TextArea or Number")
        return Form(tuple(sorted(self._variables)), self._controls)

    def _fail(self, what: str, problem: str) -> None:
        raise FormError(f"{self._name}: line {self._parser.CurrentLineNumber}: {what}: {problem}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag not in _CONTROL_TAGS and tag not in _SHOWN_TAGS and tag not in _OTHER_TAGS:
            known = ", ".join(sorted([*_CONTROL_TAGS, *_SHOWN_TAGS, *_OTHER_TAGS]))
            self._fail(tag, f"unknown tag; expected one of {known}")
        element = _Open(tag, attributes, self._parser.CurrentLineNumber)
        element.condition = self._condition(tag, attributes)
        if tag in _SHOWN_TAGS:
            self._variables.update(_VARIABLE.findall(attributes.get("value", "")))
            if name := attributes.get("name"):
                self._shown.add(name)
        if tag == "Choice":
            self._choice(attributes)
        self._open.append(element)

    def _choice(self, attributes: dict[str, str]) -> None:
        value = attributes.get("value", "")
        owner = self._open[-1] if self._open else None
        if owner is None or owner.tag != "Choices" or not value or "alias" in attributes:
            self._fail("Choice", "expected a value and no alias, directly inside Choices")
        elif value in owner.choices:
            self._fail("Choice", f"{value!r} stands twice")
        else:
            owner.choices.append(value)

    def _condition(self, tag: str, attributes: dict[str, str]) -> Condition | None:
        if "visibleWhen" not in attributes:
            return None
        control, choices = attributes.get("whenTagName", ""), attributes.get("whenChoiceValue", "")
        if attributes["visibleWhen"] != "choice-selected" or not control or not choices:
            self._fail(tag, "visibleWhen: expected choice-selected, with whenTagName and whenChoiceValue")
        return Condition(control, tuple(choice.strip() for choice in choices.split(",")))

    def _end(self, tag: str) -> None:
        element = self._open.pop()
        if tag in _CONTROL_TAGS:
            control = self._control(element)
            if control.name in self._controls:
                self._fail(tag, f"two controls are named {control.name}")
            self._controls[control.name] = control

    def _control(self, element: _Open) -> Control:
        attributes, kind = element.attributes, _CONTROL_TAGS[element.tag]
        name = attributes.get("name", "")
        if not _NAME.fullmatch(name):
            self._fail(element.tag, f"name: expected letters, digits and '_', found {name!r}")
        if kind == CHOICE and len(element.choices) < 2:
            self._fail(name, "expected at least two Choice elements")
        if kind == TEXT and not attributes.get("maxSubmissions", "").isdecimal():
            self._fail(name, "maxSubmissions: expected the most texts that a worker may give")
        conditions = tuple(one.condition for one in [*self._open, element] if one.condition)
        return Control(
            name,
            kind,
            required=attributes.get("required") == "true",
            choices=tuple(element.choices),
            max_values=self._max_values(kind, element),
            low=self._number(name, attributes, "min"),
            high=self._number(name, attributes, "max"),
            whole=kind == NUMBER and attributes.get("step", "1") == "1",
            conditions=conditions,
            target=attributes.get("toName", ""),
        )

    def _max_values(self, kind: str, element: _Open) -> int:
        if kind == TEXT:
            return int(element.attributes["maxSubmissions"])
        return len(element.choices) if element.attributes.get("choice") == "multiple" else 1

    def _number(self, name: str, attributes: dict[str, str], bound: str) -> float | None:
        if bound not in attributes:
            return None
        try:
            return float(attributes[bound])
        except ValueError:
            self._fail(name, f"{bound}: expected a number, found {attributes[bound]!r}")
            raise

    def _check(self, control: Control, condition: Condition) -> None:
        asked = self._controls.get(condition.control)
        unknown = sorted(set(condition.choices) - set(asked.choices if asked else ()))
        if asked is None or unknown:
            missing = f"choices {unknown} of {condition.control}" if asked else f"control {condition.control}"
            raise FormError(f"{self._name}: {control.name}: visibleWhen names unknown {missing}")
