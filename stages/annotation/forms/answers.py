"""Whether answers fit the form of their task; no labelling server checks that."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stages.annotation.forms.form import NUMBER, TEXT, Control
from stages.annotation.forms.kinds import TaskKind
from stages.core.texts import Refused, tidy

Answers = dict[str, list[str]]


@dataclass(frozen=True)
class Fitting:
    """Answers as they are kept.

    answers: by control; no empty ones, choices in the form's order, texts tidy and each once.
    unasked: controls whose answers were left out since the form did not ask for them.
    units: what the answers count against the quota: 1, or the filled sets of a form that has groups.
    """

    answers: Answers
    unasked: tuple[str, ...]
    units: int


def fit(kind: TaskKind, given: Mapping[str, Sequence[str]]) -> Fitting:
    """The answers, checked against the form.

    Raises Refused: unknown_control, unknown_choice, too_many_values, missing_answer, too_short, too_long,
    not_a_number, out_of_range, control_characters, markup, incomplete_set, too_few_sets.
    """
    unknown = sorted(set(given) - set(kind.controls))
    if unknown:
        raise Refused("unknown_control", f"{unknown[0]}; {kind.name} has {', '.join(kind.controls)}")
    values = {name: _values(control, given.get(name, ())) for name, control in kind.controls.items()}
    filled = {name: found for name, found in values.items() if found}
    asked = {name: found for name, found in filled.items() if kind.controls[name].asked(filled)}
    _check_required(kind, asked)
    return Fitting(asked, tuple(name for name in filled if name not in asked), _units(kind, asked))


def _values(control: Control, given: Sequence[str]) -> list[str]:
    if control.kind == TEXT:
        values = _texts(control, given)
    elif control.kind == NUMBER:
        values = [_number(control, value) for value in given if value.strip()]
    else:
        values = _choices(control, given)
    if len(values) > control.max_values:
        raise Refused("too_many_values", f"{control.name}: {len(values)}, the form takes {control.max_values}")
    return values


def _choices(control: Control, given: Sequence[str]) -> list[str]:
    chosen = {value for value in given if value}
    unknown = sorted(chosen - set(control.choices))
    if unknown:
        raise Refused("unknown_choice", f"{control.name}: {unknown[0]!r} is none of {', '.join(control.choices)}")
    return [choice for choice in control.choices if choice in chosen]


def _texts(control: Control, given: Sequence[str]) -> list[str]:
    # A box that takes several texts takes them one a line as well.
    pieces = [line for value in given for line in (value.splitlines() if control.max_values > 1 else [value])]
    texts = dict.fromkeys(text for piece in pieces if (text := _text(control.name, piece, control.max_chars)))
    for text in texts:
        if len(text) < control.min_chars:
            raise Refused("too_short", f"{control.name}: {text!r} has less than {control.min_chars} characters")
    return list(texts)


def _text(name: str, value: str, limit: int) -> str:
    try:
        return tidy(value, limit)
    except Refused as fault:
        raise Refused(fault.reason, f"{name}: {fault}") from fault


def _number(control: Control, value: str) -> str:
    try:
        number = float(value) if value.isascii() and "_" not in value else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number != int(number):
        raise Refused("not_a_number", f"{control.name}: {value[:40]!r}")
    if (control.low is not None and number < control.low) or (control.high is not None and number > control.high):
        raise Refused("out_of_range", f"{control.name}: {value[:40]}, expected {control.low} to {control.high}")
    return str(int(number))


def _check_required(kind: TaskKind, asked: Answers) -> None:
    for name, control in kind.controls.items():
        if control.required and name not in asked and control.asked(asked):
            raise Refused("missing_answer", name)
    for names in kind.settings.one_of:
        if kind.controls[names[0]].asked(asked) and not set(names) & set(asked):
            raise Refused("missing_answer", f"one of {', '.join(names)}")


def _units(kind: TaskKind, asked: Answers) -> int:
    """Filled sets of the form; 1 where it has none."""
    groups = kind.settings.groups
    if groups is None:
        return 1
    filled = 0
    for names in groups.sets():
        missing = [name for name in names if name not in asked]
        if missing and len(missing) < len(names):
            raise Refused("incomplete_set", f"{missing[0]} is empty beside {', '.join(set(names) - set(missing))}")
        filled += not missing
    if filled < groups.at_least:
        raise Refused("too_few_sets", f"{filled} filled, expected at least {groups.at_least}")
    return filled
