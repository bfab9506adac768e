"""Safe YAML in which a key may stand only once in a mapping."""

from __future__ import annotations

from typing import Any, NoReturn

import yaml

_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_SafeLoader):
    """The safe loader, but a repeated key is an error and not the last one's silent victory."""


def _refuse(node: yaml.Node, problem: str) -> NoReturn:
    raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def _unique_mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    seen: dict[Any, int] = {}
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str | int):
            _refuse(key_node, f"a key is plain text or a number, not {type(key).__name__}")
        if key in seen:
            _refuse(key_node, f"{key!r} stands twice (first on line {seen[key]})")
        seen[key] = key_node.start_mark.line + 1
    return dict(loader.construct_pairs(node, deep=True))


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _unique_mapping)


def parse(text: str) -> Any:
    """The document in `text`; ValueError with the line where it is no such YAML."""
    try:
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506 (derived from the safe loader)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise ValueError(f"{where}{getattr(error, 'problem', None) or error}") from error
