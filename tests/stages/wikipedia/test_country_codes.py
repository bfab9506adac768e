"""Codes of countries as templates write them."""

from __future__ import annotations

from stages.wikipedia.country_codes import COUNTRY_NAMES


def test_each_code_has_three_capitals_and_a_name() -> None:
    assert all(len(code) == 3 and code.isupper() and name for code, name in COUNTRY_NAMES.items())
    # Of sport and of ISO 3166.
    assert COUNTRY_NAMES["GER"] == COUNTRY_NAMES["DEU"] == "Germany"
    assert COUNTRY_NAMES["VIN"] == "Saint Vincent and the Grenadines"
    assert len(COUNTRY_NAMES) > 250
