"""Parameters of a build: a dataset's params.yaml, a file of the user's, and single settings.

`params.yaml` holds every parameter there is, with its default; nothing that is not in
it can be set. The default's type is the type that a new value must have; a default of
null takes a number, a text or a list, and a list's entries are of the default's types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from manifests.names import alternatives
from stages.core.contract import StageError
from stages.core.strict_yaml import parse

Values = dict[str, Any]
P = TypeVar("P")
_FIELD = re.compile(r"[a-z][a-z0-9_]*")
_SCIENTIFIC = re.compile(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}", re.ASCII)
# In the order of asking: a truth value is a number to Python.
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a mapping",
}


class ParameterError(ValueError):
    """A parameter is unknown or has a value that does not fit; the message names key and expectation."""


def load(
    defaults: Path, file: str | None = None, settings: Sequence[str] = (), given: Values | None = None, where: str = ""
) -> Values:
    """The parameters of a build: section -> name -> value.

    given: those of a build file, over which `file` and `settings` win; where: that file.
    settings: texts of the form "section.name=value", the value in YAML.

    Raises:
        ParameterError: an unknown key, a value of the wrong type, a file that cannot be read.
    """
    values = _read(defaults)
    for said, place in ((given or {}, where), (_read(Path(file)) if file is not None else {}, file or "")):
        for section, entries in said.items():
            for name, value in entries.items():
                _set(values, f"{section}.{name}", value, where=place)
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ParameterError(f"--set {setting}: expected section.name=value")
        _set(values, key.strip(), _value(setting, text), where=f"--set {setting}")
    return values


def section(kind: type[P], values: Values, name: str, **more: Any) -> P:
    """One section as the frozen dataclass of a stage; lists become tuples.

    The section may hold keys for other stages too; every field of the dataclass that is
    neither there nor in `more` keeps its own default.

    Raises:
        StageError: a value that the dataclass refuses; the message names the section.
    """
    if not is_dataclass(kind):
        raise TypeError(f"{kind} is not a dataclass")
    entries = {**values.get(name, {}), **more}
    known = {field.name for field in fields(kind)}
    with within(name):
        return kind(**{key: _frozen(value) for key, value in entries.items() if key in known})


@contextmanager
def within(name: str, **keys: str) -> Iterator[None]:
    """Puts a section's name into what a dataclass says of the values that come from there.

    keys: of a field that the section calls otherwise, its name there.
    """
    try:
        yield
    except StageError as error:
        field, colon, rest = str(error).partition(":")
        told = f"{name}.{keys.get(field, field)}{colon}{rest}" if _FIELD.fullmatch(field) else f"{name}: {error}"
        raise StageError(told) from error


def keys(values: Values) -> Iterator[str]:
    """All settable keys, as `--set` takes them."""
    for name, entries in values.items():
        for key in entries:
            yield f"{name}.{key}"


def _read(path: Path) -> Values:
    try:
        data = parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ParameterError(f"{path}: not a readable YAML file ({error})") from error
    if not isinstance(data, Mapping) or not all(isinstance(entries, Mapping) for entries in data.values()):
        raise ParameterError(f"{path}: expected sections with parameters, as in {{queries: {{min_answers: 5}}}}")
    return {str(name): dict(entries) for name, entries in data.items()}


def _set(values: Values, key: str, value: Any, where: str) -> None:
    section_name, _, name = key.partition(".")
    if name not in values.get(section_name, {}):
        hint = alternatives(key, keys(values), "`benchwright params DATASET`")
        raise ParameterError(f"{where}: unknown parameter {key!r}; {hint}")
    values[section_name][name] = _checked(value, values[section_name][name], key, where)


def _checked(value: Any, default: Any, key: str, where: str) -> Any:
    if default is None or value is None:
        if value is None and default is not None:
            raise ParameterError(f"{where}: {key} needs a value, such as {default!r}")
        if value is not None and not isinstance(value, int | float | str | list):
            raise ParameterError(f"{where}: {key} is {value!r}; expected a number, a text or a list")
        return value
    if type(value) is date and isinstance(default, str):
        return value.isoformat()
    if isinstance(default, float) and _is_number(value):
        return float(value)
    if type(value) is not type(default):
        raise ParameterError(
            f"{where}: {key} is {value!r}, {_kind_of(value)}; expected {_kind_of(default)} such as {default!r}"
        )
    kinds = {type(item) for item in default} if isinstance(default, list) else set()
    if kinds and any(type(item) not in kinds for item in value):
        raise ParameterError(f"{where}: {key} is {value!r}; expected entries like those of {default!r}")
    return value


def _is_number(value: Any) -> bool:
    """YAML takes 3e-05 for a text, as it has no point."""
    if isinstance(value, str):
        return _SCIENTIFIC.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _kind_of(value: Any) -> str:
    """What a value is, in the words of whoever wrote it."""
    return next((name for kind, name in _KINDS.items() if isinstance(value, kind)), f"a {type(value).__name__}")


def _value(setting: str, text: str) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise ParameterError(f"--set {setting}: the value is not YAML ({error})") from error


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
