"""The words of dates, numbers, units and currencies, from templates/normalise, prepared for look-up."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.overlay import remembered
from stages.core.template_files import read_template

TEMPLATES = ("normalise/*.yaml",)

FOLDER = "normalise"
FILES = ("dates.yaml", "numbers.yaml", "units.yaml", "currencies.yaml")
VERSION = 1


@dataclass(frozen=True, slots=True)
class Unit:
    """key: the canonical symbol; of, factor: dimension and size in its base unit; iso: ISO 8601 designator."""

    key: str
    one: str
    many: str
    of: str | None = None
    factor: Fraction | None = None
    iso: str | None = None
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Currency:
    """written: sign, code or name in canonical amounts; leads: whether it stands before the number there."""

    written: str
    leads: bool


@dataclass(frozen=True)
class Pound:
    """The name that is both money and mass, and the words of a passage that tell which."""

    names: frozenset[str]
    money: Currency
    mass: Unit
    money_words: tuple[str, ...]
    mass_words: tuple[str, ...]


@dataclass(frozen=True)
class ValueLexicon:
    """symbols: case-sensitive spellings; names: lower-case ones; digest: SHA-256 of each file."""

    dates: dict[str, Any]
    numbers: dict[str, Any]
    symbols: dict[str, Unit]
    names: dict[str, Unit]
    percent: frozenset[str]
    before: dict[str, Currency]
    after: dict[str, Currency]
    pound: Pound
    digest: dict[str, str]


@remembered()
def lexicon(folder: Path | None = None) -> ValueLexicon:
    """The words that ship with the project, or those of another folder with files of the same shape.

    Raises StageError naming the file that has another shape.
    """
    names = {name: f"{FOLDER}/{name}" for name in FILES}
    read = {name: read_template(full, None if folder is None else folder / name) for name, full in names.items()}
    for found in read.values():
        if found.data.get("version") != VERSION:
            raise StageError(f"{found.where}: expected a mapping with version: {VERSION}")
    try:
        return _lexicon({name: found.data for name, found in read.items()}, template_files.digests(*names.values()))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        told = ", ".join(found.where for found in read.values())
        raise StageError(f"{told}: a list or key is missing or has another shape: {error}") from error


def _lexicon(content: dict[str, dict[str, Any]], digests: dict[str, str]) -> ValueLexicon:
    dates, numbers, units, currencies = (content[name] for name in FILES)
    symbols, names = _units(units)
    before, after = _currencies(currencies["currencies"])
    return ValueLexicon(
        dates=dates,
        numbers=numbers,
        symbols=symbols,
        names=names,
        percent=frozenset(units["percent"]),
        before=before,
        after=after,
        pound=_pound(currencies["pound"], before, symbols),
        digest=digests,
    )


def _units(content: dict[str, Any]) -> tuple[dict[str, Unit], dict[str, Unit]]:
    symbols: dict[str, Unit] = {}
    names: dict[str, Unit] = {}
    known = {entry.name for entry in fields(Unit)}
    for key, entry in content["units"].items():
        shape = {name: value for name, value in entry.items() if name in known}
        if "factor" in shape:
            shape["factor"] = Fraction(str(shape["factor"]))
        unit = Unit(key, **shape)
        for symbol in (key, *entry.get("symbols", ())):
            symbols[symbol] = unit
        for name in (unit.one, unit.many, *entry.get("more", ())):
            names[name.lower()] = unit
    for noun in content["counts"]:
        names[noun] = Unit(noun, noun, noun, counted=True)
    return symbols, names


def _currencies(entries: list[dict[str, Any]]) -> tuple[dict[str, Currency], dict[str, Currency]]:
    before: dict[str, Currency] = {}
    after: dict[str, Currency] = {}
    for entry in entries:
        currency = Currency(entry["written"], bool(entry["before"]))
        before.update(dict.fromkeys(entry["before"], currency))
        after.update(dict.fromkeys(entry["after"], currency))
    return before, after


def _pound(entry: dict[str, Any], before: dict[str, Currency], symbols: dict[str, Unit]) -> Pound:
    return Pound(
        names=frozenset(entry["names"]),
        money=before[entry["money"]],
        mass=symbols[entry["mass"]],
        money_words=tuple(entry["money_words"]),
        mass_words=tuple(entry["mass_words"]),
    )
