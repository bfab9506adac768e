"""The word lists: whole, and right about their units."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import templates
from stages.core.contract import StageError
from stages.normalise.lexicon import FILES, lexicon

PINT = {"furlong": "furlong", "fathom": "fathom", "sq mi": "mile**2", "sq ft": "foot**2", "cu ft": "foot**3"}
PINT |= {"m2": "m**2", "km2": "km**2", "m3": "m**3", "km3": "km**3", "cm3": "cm**3", "mph": "mile/hour", "kn": "knot"}
PINT |= {"nmi": "nautical_mile", "mi": "mile", "mo": "", "yr": "", "AU": "astronomical_unit", "ly": "light_year"}
PINT |= {"in": "inch", "ft": "foot", "yd": "yard", "lb": "pound", "oz": "ounce", "st": "stone", "t": "tonne"}
PINT |= {"d": "day", "wk": "week", "h": "hour", "min": "minute", "ha": "hectare", "acre": "acre", "pc": "parsec"}


def test_factors_agree_with_pint() -> None:
    pint = pytest.importorskip("pint", reason="pint is not installed; it comes with the test extra")
    registry = pint.UnitRegistry()
    # pint's acre is the one of American surveys, longer by two millionths a side.
    for unit in {id(unit): unit for unit in lexicon().symbols.values()}.values():
        name = PINT.get(unit.key, unit.key)
        if unit.factor is None or not name:
            continue
        if unit.of == "information":
            continue
        size = registry.parse_expression(name).to_base_units().magnitude
        base = {"mass": 1, "frequency": registry.parse_expression("Hz").to_base_units().magnitude}.get(unit.of or "", 1)
        assert float(unit.factor) == pytest.approx(size / base, rel=5e-6), unit.key


def test_every_file_counts_for_the_digest() -> None:
    assert sorted(lexicon().digest) == sorted(f"normalise/{name}" for name in FILES)


def test_no_name_stands_for_two_units() -> None:
    names = lexicon().names
    for symbol, unit in lexicon().symbols.items():
        if symbol in names:
            assert names[symbol].key == unit.key


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    source = Path(templates.__file__).parent / "normalise"
    return Path(shutil.copytree(source, tmp_path / "words"))


def test_another_folder_can_be_read(copy: Path) -> None:
    assert lexicon(copy).names.keys() == lexicon().names.keys()


def test_a_wrong_version_names_the_file(copy: Path) -> None:
    (copy / "dates.yaml").write_text("version: 2\n", encoding="utf-8")
    with pytest.raises(StageError, match=r"dates\.yaml.*version: 1"):
        lexicon(copy)


def test_a_missing_list_is_named(copy: Path) -> None:
    (copy / "currencies.yaml").write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(StageError, match="currencies"):
        lexicon(copy)


def test_a_repeated_key_names_its_line(copy: Path) -> None:
    (copy / "units.yaml").write_text("version: 1\nversion: 1\n", encoding="utf-8")
    with pytest.raises(StageError, match=r"units\.yaml.*stands twice"):
        lexicon(copy)
