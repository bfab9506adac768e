"""The canonical form of what is bound to a kernel: equal values give equal text, and no value is passed over.

A stage's result depends on every argument of its kernel, so its fingerprint covers them all: numbers and
texts as they are, containers and dataclasses part by part (the order of a mapping counts, that of a set does
not), models by their `identity`, functions and classes by name. Their code is covered by `stages.core.code`, which
takes the modules that are met on the way; a function inside another also counts by its code and what it closes over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any
from weakref import ref

import pyarrow as pa

from manifests.digest import canonical_json, rows_digest, schema_text, sha256, type_text
from stages.core.code import code_digest

# Characters of JSON that a manifest shows of one value.
_SHORT = 200
# The mark of a dataclass's field that decides no content, such as the place of a file whose digest counts:
# `field(metadata=PLACE)`.
PLACE = {"canonical": False}


class NoCanonicalFormError(TypeError):
    """A value whose content cannot be told; the message says which, and what to bind instead."""


@dataclass(frozen=True)
class Canonical:
    """digest: of the form; modules: names of the modules that define the classes and functions in the value."""

    digest: str
    modules: frozenset[str]


@dataclass
class _Walk:
    """modules: met so far."""

    modules: set[str] = field(default_factory=set)


# Of frozen objects that live, by id: one lexicon may stand in a hundred relations, and these in ten stages.
_KNOWN: dict[int, tuple[ref[Any], Canonical]] = {}


def canonical(value: Any) -> Canonical:
    """The digest of a value's canonical form, and whose code it stands for.

    Raises NoCanonicalFormError: part of it is of a kind that has none, such as an open file, a path, a
    class made inside a function, or an object that is neither a dataclass nor has an `identity`.
    """
    walk = _Walk()
    form = _form(value, walk)
    return Canonical(sha256(canonical_json(form).encode()), frozenset(walk.modules))


def readable(name: str, value: Any) -> dict[str, Any]:
    """A bound value for people and for `diff`: a dataclass by its fields ("name.field"), short values as JSON,
    long ones as the digest of their form.

    Raises NoCanonicalFormError as `canonical` does.
    """
    if is_dataclass(value) and not isinstance(value, type) and not _is_model(value):
        parts = {f"{name}.{part}": content for part, content in _parts(value)}
    else:
        parts = {name: value}
    return {key: _short(content) for key, content in parts.items()}


def _short(value: Any) -> Any:
    plain = _plain(value) if _is_plain(value) else None
    if (plain is None and value is not None) or len(canonical_json(plain)) > _SHORT:
        return f"sha256 {canonical(value).digest}"
    return plain


def _is_plain(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _is_plain(part) for key, part in value.items())
    if isinstance(value, set | frozenset | list | tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, bool | int | float | str)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value), key=canonical_json)
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _form(value: Any, walk: _Walk) -> Any:
    # A bool is a number and an enumeration's member may be one too: the narrower kind comes first.
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return ["enum", _name(type(value), walk), value.name]
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return ["float", repr(value)]
    if isinstance(value, bytes):
        return ["bytes", sha256(value)]
    if isinstance(value, partial):
        return ["partial", *(_form(part, walk) for part in (value.func, value.args, value.keywords))]
    if isinstance(value, FunctionType):
        return _function(value, walk)
    if isinstance(value, type | BuiltinFunctionType):
        return ["code", _name(value, walk)]
    if isinstance(value, Mapping):
        return ["mapping", [[_form(key, walk), _form(part, walk)] for key, part in value.items()]]
    if isinstance(value, set | frozenset):
        if all(type(part) is str for part in value):
            return ["set", sorted(value)]
        return ["set", sorted((_form(part, walk) for part in value), key=canonical_json)]
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [type(value).__name__, [_form(part, walk) for part in value]]
    return _object(value, walk)


def _function(value: FunctionType, walk: _Walk) -> Any:
    if "<" not in value.__qualname__:
        return ["code", _name(value, walk)]
    walk.modules.add(value.__module__)
    held = [_form(cell.cell_contents, walk) for cell in value.__closure__ or ()]
    defaults = [_form(part, walk) for part in (value.__defaults__, value.__kwdefaults__)]
    return ["function", value.__module__, code_digest(value.__code__), held, defaults]


def _object(value: Any, walk: _Walk) -> Any:
    if isinstance(value, re.Pattern):
        return ["pattern", _form(value.pattern, walk), value.flags]
    if isinstance(value, pa.Schema):
        return ["schema", list(schema_text(value).items()), [column.nullable for column in value]]
    if isinstance(value, pa.DataType):
        return ["type", type_text(value)]
    if isinstance(value, pa.Table):
        return ["table", rows_digest(value)]
    if _is_model(value):
        return ["identity", _name(type(value), walk), value.identity]
    known = _KNOWN.get(id(value))
    if known is None or known[0]() is not value:
        inner = _Walk()
        content = [_name(type(value), inner), [[name, _form(part, inner)] for name, part in _parts(value)]]
        found = Canonical(sha256(canonical_json(content).encode()), frozenset(inner.modules))
        if _is_frozen(value):
            _KNOWN[id(value)] = ref(value), found
    else:
        found = known[1]
    walk.modules |= found.modules
    return ["object", found.digest]


def _is_model(value: Any) -> bool:
    """Whether a value is loaded or fitted, and its `identity` says all that it gives; other dataclasses may have a
    field of that name beside others that count."""
    works = any(callable(getattr(value, name, None)) for name in ("load", "fit"))
    return works and isinstance(getattr(value, "identity", None), str)


def _is_frozen(value: Any) -> bool:
    params = getattr(type(value), "__dataclass_params__", None)
    return params is not None and params.frozen and hasattr(value, "__weakref__")


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass, a msgspec structure or a named tuple."""
    if is_dataclass(value):
        names: Iterable[str] = (part.name for part in fields(value) if part.metadata.get("canonical", True))
    elif hasattr(value, "__struct_fields__"):
        names = value.__struct_fields__
    elif isinstance(value, tuple):
        names = value._fields  # type: ignore[attr-defined]
    else:
        raise NoCanonicalFormError(
            f"{type(value).__module__}.{type(value).__qualname__} has no canonical form; bind numbers, texts, "
            "containers, dataclasses, functions of a module, or an object with an `identity`"
        )
    return ((name, getattr(value, name)) for name in names)


def _name(value: Any, walk: _Walk) -> str:
    if "<" in value.__qualname__:
        raise NoCanonicalFormError(
            f"the class {value.__qualname__} of {value.__module__} is made inside a function; define it in the module"
        )
    walk.modules.add(value.__module__)
    return f"{value.__module__}.{value.__qualname__}"
