"""What a task shows and asks: the one description of a form, out of which every platform's pages are made.

A form is a list of blocks, each with a heading and fields. A field either shows something or is
a control, which a worker fills in. The description also says what each control accepts and when
it is asked at all, so answers are checked by what the worker saw, whatever the platform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec

CHOICE, TEXT, NUMBER = "choice", "text", "number"

_AtLeast1 = Annotated[int, msgspec.Meta(ge=1)]
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_ECHO = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")
_WORD = re.compile(r"\w+")
_PLACE, _NUMBER = "{nn}", "{n}"


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field of a block. Exactly one of show, note, so_far, choice, text and number says what it is.

    show: the variable of the task whose text stands here, long: in a box of its own; note: words of ours.
    so_far: lines about earlier controls, with {name} for what was filled in; only pages that can repeat it show them.
    choice, text, number: the name of a control; label: over it. about: the shown variable that it belongs to, where
        that is not the first of the form. required: wherever it is asked.
    options: of a choice, each with a hint; inline: beside each other. most: options to tick, or texts to give.
    rows, example, min_chars, max_chars: of a text. low, high: of a number, which is whole.
    """

    show: str = ""
    long: bool = False
    note: str = ""
    so_far: tuple[str, ...] = ()
    choice: str = ""
    text: str = ""
    number: str = ""
    label: str = ""
    about: str = ""
    required: bool = False
    options: dict[_Word, str] = {}
    inline: bool = True
    most: _AtLeast1 = 1
    rows: _AtLeast1 = 2
    example: str = ""
    min_chars: _AtLeast1 = 1
    max_chars: _AtLeast1 = 1000
    low: int | None = None
    high: int | None = None

    @property
    def name(self) -> str:
        """Of the control; "" where it is none."""
        return self.choice or self.text or self.number

    @property
    def kind(self) -> str:
        return CHOICE if self.choice else TEXT if self.text else NUMBER


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fields under a heading, which may be a variable, as in $prompt.

    when: another control, and its choices of which one must have been made; else the block is not asked.
    each: it stands there once for every numbered set, with {n} for its number, and {nn} for that in two digits.
    """

    heading: _Word
    fields: tuple[Field, ...]
    when: Annotated[dict[str, tuple[str, ...]], msgspec.Meta(max_length=1)] = {}
    each: bool = False


@dataclass(frozen=True)
class Control:
    """One thing that a worker fills in.

    kind: choice, text or number; required: wherever it is asked; choices: of a choice, in the form's order.
    max_values: how many choices may be ticked, or texts given; low, high: bounds of a number, None if open;
    min_chars, max_chars: of each text. conditions: (control, its choices), all of which must hold for it to be asked.
    about: the shown variable that it belongs to.
    """

    name: str
    kind: str
    required: bool = False
    choices: tuple[str, ...] = ()
    max_values: int = 1
    low: float | None = None
    high: float | None = None
    min_chars: int = 1
    max_chars: int = 1000
    conditions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    about: str = ""

    def asked(self, answers: Mapping[str, list[str]]) -> bool:
        """Whether the form shows this control to somebody who has given these answers."""
        return all(set(answers.get(name, ())) & set(choices) for name, choices in self.conditions)


def spread(form: tuple[Block, ...], count: int) -> tuple[Block, ...]:
    """The blocks as they stand on a page: those of numbered sets so many times."""
    return tuple(one for block in form for one in (_numbered(block, count) if block.each else (block,)))


def _numbered(block: Block, count: int) -> Iterator[Block]:
    text = msgspec.json.encode(block).decode()
    for number in range(1, count + 1):
        yield msgspec.json.decode(text.replace(_PLACE, f"{number:02}").replace(_NUMBER, str(number)), type=Block)


def option_words(choice: str) -> str:
    """A choice as a worker reads it, on every platform: "no_effect" is "No effect"."""
    return choice.replace("_", " ").capitalize()


def codes_in(words: str) -> list[str]:
    """What stands in words for people and is none of theirs: names of controls and choices with a "_" in them."""
    return sorted({word for word in _WORD.findall(words) if "_" in word.strip("_")})


def text_name(variable: str) -> str:
    """The name of a shown variable's text, to which controls that belong to it point in Label Studio."""
    return f"{variable}_text"


def variables_of(form: tuple[Block, ...]) -> tuple[str, ...]:
    """What a form shows of a task, sorted."""
    shown = {field.show for block in form for field in block.fields if field.show}
    return tuple(sorted(shown.union(*(_VARIABLE.findall(block.heading) for block in form))))


def controls_of(form: tuple[Block, ...]) -> dict[str, Control]:
    """The controls by name, in the form's order; of two of one name the latter."""
    first = next((field.show for block in form for field in block.fields if field.show), "")
    return {
        field.name: Control(
            field.name,
            field.kind,
            required=field.required,
            choices=tuple(field.options),
            max_values=field.most,
            low=field.low,
            high=field.high,
            min_chars=field.min_chars,
            max_chars=field.max_chars,
            conditions=tuple(block.when.items()),
            about=field.about or first,
        )
        for block in form
        for field in block.fields
        if field.name
    }


def form_problems(form: tuple[Block, ...]) -> list[str]:
    """What makes a form unusable, in words."""
    controls, shown = controls_of(form), {field.show for block in form for field in block.fields}
    fields = [field for block in form for field in block.fields]
    names = [field.name for field in fields if field.name]
    problems = [] if names else ["asks nothing; expected a choice, a text or a number"]
    problems += [] if variables_of(form) else ["shows no variable of a task; expected show"]
    problems += [f"two controls are named {name}" for name in sorted(controls) if names.count(name) > 1]
    for field in fields:
        what = [name for name in ("show", "note", "so_far", "choice", "text", "number") if getattr(field, name)]
        if len(what) != 1:
            problems.append(f"a field is {' and '.join(what) or 'nothing'}; expected one of show, note, ..., number")
        if field.name and not _NAME.fullmatch(field.name):
            problems.append(f"{field.name}: expected a name of letters, digits and '_'")
        if field.choice and len(field.options) < 2:
            problems.append(f"{field.name}: expected at least two options")
        if field.about and field.about not in shown:
            problems.append(f"{field.name}: about: {field.about} is not shown")
        if field.min_chars > field.max_chars:
            problems.append(f"{field.name}: min_chars is more than max_chars")
        unknown = {name for line in field.so_far for name in _ECHO.findall(line)} - set(controls)
        problems += [f"so_far: no control {name}" for name in sorted(unknown)]
    for words in (*(block.heading for block in form), *(words for field in fields for words in _told(field))):
        problems += [
            f"{code} is a code; workers read {option_words(code)!r}" for code in codes_in(_VARIABLE.sub("", words))
        ]
    for block in form:
        for name, choices in block.when.items():
            unknown = set(choices) - set(controls[name].choices if name in controls else ())
            if unknown or not choices:
                problems.append(f"{block.heading}: when: {name} has no choice {', '.join(sorted(unknown))}")
    return problems


def _told(field: Field) -> tuple[str, ...]:
    """Our own words to a worker in a field; of lines about earlier controls what stands between these."""
    lines = (_ECHO.sub("", line) for line in field.so_far)
    return (field.label, field.note, field.example, *lines, *field.options.values())
