"""Recipes: which entities and pages of a live service a build reads. A YAML file:

version: 1
about: Films of the 1990s, with who made them
classes: [Q11424]           # members of these or of their subclasses
where:                      # that meet every condition
  - {property: P577, from: 1990, until: 1999}
  - {property: P495, value: Q142}
seeds: [Q44578]             # entities by id, besides
properties: [P57, P161]     # whose statements are read; the dataset's own where absent
hops: 1                     # how many steps along statements further ones are read; 0 for the members' own
titles: [Pulp Fiction]      # pages by title, besides those of the entities
limits: {entities: 500, objects: 10000, classes: 20000, pages: 2000, names: 5000, searches: 200}
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

import templates
from manifests.digest import sha256
from manifests.names import alternatives
from stages.core.strict_yaml import parse
from stages.live.addresses import LiveError
from stages.live.batches import some
from stages.live.queries import Membership, Years, item, property_id
from stages.live.recipe_faults import misfit
from stages.wikipedia.titles import normalise_title, title_fault

TEMPLATES = ("recipes/*.yaml",)

FOLDER = Path(templates.__file__).parent / "recipes"
MOST_HOPS = 3


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most of everything.

    entities: members and seeds; objects: entities that statements lead to; classes: above all of them.
    pages: titles of entities, and titles that names lead to in each step. names: that the dataset wants to tell apart
    (50 titles a request); searches: names that a wiki searches for (a request each).
    """

    entities: int = 1000
    objects: int = 20_000
    classes: int = 20_000
    pages: int = 5000
    names: int = 5000
    searches: int = 200


# A recipe may do without these.
_MAY_BE_ZERO = frozenset({"names", "searches"})


class _Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    property: str
    first: int | None = msgspec.field(name="from", default=None)
    until: int | None = None
    value: str | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    about: str = ""
    classes: list[str] = []
    where: list[_Condition] = []
    seeds: list[str] = []
    properties: list[str] = []
    hops: int = 0
    titles: list[str] = []
    limits: Limits = Limits()


_INSIDE: Mapping[str, type[msgspec.Struct]] = {"where": _Condition, "limits": Limits}


@dataclass(frozen=True)
class Recipe:
    """A recipe as it is followed. members: None where no class is named; digest: of the file, "" without one."""

    name: str = ""
    digest: str = ""
    members: Membership | None = None
    seeds: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    hops: int = 0
    titles: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def names_entities(self) -> bool:
        return self.members is not None or bool(self.seeds)

    @property
    def entities(self) -> str:
        """Which entities it names, in words for a message."""
        parts = []
        if self.members is not None:
            conditions = [f"{one.property} from {one.first} until {one.last}" for one in self.members.years]
            conditions += [f"{name} {value}" for name, value in self.members.holding]
            where = f" where {' and '.join(conditions)}" if conditions else ""
            parts.append(f"members of {', '.join(self.members.classes)}{where}")
        if self.seeds:
            parts.append(f"the seeds {some(self.seeds)}")
        return " and ".join(parts) or "no entities"


def names() -> list[str]:
    """Of the recipes that come with the project."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Recipe:
    """The recipe of a name, or of a file.

    Raises:
        LiveError: there is none, or it says something that cannot be followed.
    """
    path = FOLDER / f"{name}.yaml" if name in names() else Path(name)
    if not path.is_file():
        raise LiveError(f"--recipe {name}: no such file, and {alternatives(name, names(), 'README.md')}")
    text = path.read_bytes()
    try:
        given = parse(text.decode("utf-8"))
        return _recipe(path.stem, sha256(text), _typed(given))
    except (ValueError, LiveError) as error:
        raise LiveError(f"{path}: {error}") from error


def _recipe(name: str, digest: str, said: _File) -> Recipe:
    if said.version != 1:
        raise LiveError(f"version {said.version}; expected 1")
    _all(item, "classes", said.classes)
    _all(item, "seeds", said.seeds)
    _all(property_id, "properties", said.properties)
    if said.where and not said.classes:
        raise LiveError("where: conditions are on members of classes; name some under classes")
    if not 0 <= said.hops <= MOST_HOPS:
        raise LiveError(f"hops: {said.hops}; expected 0 to {MOST_HOPS}")
    for key, number in msgspec.structs.asdict(said.limits).items():
        if number < (key not in _MAY_BE_ZERO):
            raise LiveError(f"limits: {key}: {number}; expected a number above 0")
    for title in said.titles:
        _title(title)
    return Recipe(
        name=name,
        digest=digest,
        members=_members(said) if said.classes else None,
        seeds=tuple(dict.fromkeys(said.seeds)),
        properties=tuple(dict.fromkeys(said.properties)),
        hops=said.hops,
        titles=tuple(dict.fromkeys(said.titles)),
        limits=said.limits,
    )


def _typed(given: object) -> _File:
    _known(given, _File, "")
    try:
        return msgspec.convert(given, _File)
    except msgspec.ValidationError as error:
        raise LiveError(misfit(given, str(error))) from error


def _known(given: object, form: type[msgspec.Struct], place: str) -> None:
    """Says of a key that is none what was probably meant, which msgspec does not."""
    known = [found.encode_name for found in msgspec.structs.fields(form)]
    for key, value in given.items() if isinstance(given, dict) else ():
        if key not in known:
            raise LiveError(
                f"{place}no such key as {str(key)[:60]!r}; {alternatives(str(key), known, 'stages/live/recipe.py')}"
            )
        if key in _INSIDE:
            for one in value if isinstance(value, list) else [value]:
                _known(one, _INSIDE[key], f"{key}: ")


def _title(given: str) -> None:
    control = any(unicodedata.category(character) == "Cc" for character in given)
    if fault := "a title has no control characters" if control else title_fault(normalise_title(given)):
        raise LiveError(f"titles: {given[:60]!r} is no title of a page: {fault}")


def _members(said: _File) -> Membership:
    years, holding = [], []
    for condition in said.where:
        _all(property_id, "where: property", [condition.property])
        if condition.value is not None and condition.first is None and condition.until is None:
            _all(item, "where: value", [condition.value])
            holding.append((condition.property, condition.value))
        elif condition.value is None and condition.first is not None and condition.until is not None:
            years.append(Years(condition.property, condition.first, condition.until))
        else:
            raise LiveError(f"where: {condition.property}: expected either value, or from and until")
    return Membership(tuple(dict.fromkeys(said.classes)), tuple(years), tuple(holding))


def _all(check: Callable[[str], str], key: str, ids: list[str]) -> None:
    try:
        for name in ids:
            check(name)
    except LiveError as error:
        raise LiveError(f"{key}: {error}") from error
