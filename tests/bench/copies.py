"""A sample several times over: copies in which every name is another one, so that each adds as much as the first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from pipelines.samples import sample_files

Named = Callable[[str], str]

# Ids of the sample's own entities are lower.
_FIRST_ID = 1_000_000_000
_CLASS_OF = ("P31", "P279")
_NAME = re.compile(r"\b[A-Z][a-z]{3,}")
# Words that are no names, or that mean something to a reader of dates and of wikitext.
_KEPT = frozenset(
    (
        *("January", "February", "March", "April", "June", "July", "August", "September", "October", "November"),
        *("December", "Template", "Category", "Wikipedia", "This", "That", "They", "Their", "When", "Where", "What"),
        *("Which", "With", "From", "After", "Before", "There", "Then", "While", "Both", "Some", "Most", "Many"),
    )
)


def _renamed(copy: int) -> Named:
    """Puts letters that tell the copy behind each name; copy 0 is the sample itself."""
    letters = "" if not copy else "".join(chr(ord("a") + int(digit)) for digit in str(copy)) + "ov"
    return lambda text: _NAME.sub(lambda found: found[0] if found[0] in _KEPT else found[0] + letters, text)


def lines(sample: str, folder: Path, times: int) -> list[str]:
    """Copies of the files of lines of a sample."""
    folder.mkdir(parents=True)
    made = []
    for path in (Path(file) for file in sample_files(sample) if file.endswith(".jsonl")):
        text = path.read_text("utf-8")
        whole = [_renamed(copy)(text).replace('"para_id": "', f'"para_id": "{copy}-') for copy in range(times)]
        (folder / path.name).write_text("".join(whole), "utf-8")
        made.append(str(folder / path.name))
    return made


def world(folder: Path, times: int) -> list[str]:
    """Copies of the sample world's two dumps; classes are shared, since relations are about them."""
    folder.mkdir(parents=True)
    dump, pages = (Path(file) for file in sample_files("world"))
    _copy_entities(dump, folder / dump.name, times)
    head, *rest = pages.read_text("utf-8").split("  <page>")
    *whole, last = rest
    last, end, foot = last.partition("</page>\n")
    texts = [*whole, last + end]
    made = (f"  <page>{_renamed(copy)(text)}" for copy in range(times) for text in texts)
    (folder / pages.name).write_text(head + "".join(made) + foot, "utf-8")
    return [str(folder / dump.name), str(folder / pages.name)]


def _copy_entities(dump: Path, target: Path, times: int) -> None:
    lines = [line.rstrip(",") for line in dump.read_text("utf-8").split("\n")[1:-2]]
    found = [entity for entity in map(_decoded, lines) if entity]
    classes = {value for entity in found for value in _classes(entity)}
    own = {entity["id"] for entity in found} - classes
    copied = (_entity_copy(entity, copy, own) for copy in range(1, times) for entity in found if entity["id"] in own)
    with target.open("w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join([*lines, *map(json.dumps, copied)]) + "\n]\n")


def _decoded(line: str) -> dict[str, Any] | None:
    """The item of a line; None for those of the sample that are there to be refused."""
    try:
        entity = json.loads(line)
    except ValueError:
        return None
    sound = isinstance(entity, dict) and isinstance(entity.get("claims"), dict) and entity.get("type") == "item"
    return entity if sound and isinstance(entity.get("id"), str) else None


def _classes(entity: dict[str, Any]) -> Iterator[str]:
    """What is a class by an entity's statements, itself where it has classes above it."""
    for prop in _CLASS_OF:
        for statement in entity["claims"].get(prop, ()):
            value = statement["mainsnak"].get("datavalue", {}).get("value", {})
            yield from [value["id"]] if "id" in value else []
            yield from [entity["id"]] if prop == "P279" else []


def _entity_copy(entity: dict[str, Any], copy: int, own: Collection[str]) -> Any:
    """An entity with new ids and names; whatever it points to outside `own` stays."""
    rename = _renamed(copy)

    def moved(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: moved(inner, name) for name, inner in value.items() if name != "numeric-id"}
        if isinstance(value, list):
            return [moved(inner, key) for inner in value]
        if key == "id" and isinstance(value, str):
            head, mark, rest = value.partition("$")
            return f"Q{_FIRST_ID * copy + int(head[1:])}{mark}{rest}" if head in own else value
        return rename(value) if key in ("value", "title") and isinstance(value, str) else value

    return moved(entity)
