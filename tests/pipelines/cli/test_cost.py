"""`plan --cost`: a forecast for the sources given, or for so many records, from the last build under the root."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pipelines.commands import refused, run


def plan(root: Path, *more: str) -> dict[str, dict]:
    found = json.loads(run("plan", "qampari", "--root", str(root), "--cost", "--json", *more))
    return {cost["stage"]: cost for cost in found}


def test_what_is_built_costs_what_it_took(sample_root: Path) -> None:
    found = plan(sample_root, "--source", "sample", "--core-price", "3600", "--gb-price", "0")
    assert len(found) == 30 and all(cost["built"] and cost["spread"] == 1 for cost in found.values())
    scores = found["facts.nli_scores"]
    assert scores["core_seconds"] > 0 and scores["price"] == pytest.approx(scores["core_seconds"])


def test_so_many_records_cost_so_many_times_as_much(sample_root: Path) -> None:
    once, ten = plan(sample_root, "--source", "sample"), plan(sample_root, "--entities", "7120", "--pages", "2500")
    for name in ("wikidata.parse", "facts.statements", "facts.nli_scores"):
        assert ten[name]["disk"] == pytest.approx(10 * once[name]["disk"], rel=0.02), name
        fixed = 0 if name == "facts.nli_scores" else 0.3
        grows = max(0, once[name]["core_seconds"] - fixed)
        assert ten[name]["core_seconds"] == pytest.approx(once[name]["core_seconds"] + 9 * grows, rel=0.02), name
        assert not ten[name]["built"] and ten[name]["spread"] > 1


def test_the_table_says_what_it_is_and_from_what(sample_root: Path) -> None:
    text = run("plan", "qampari", "--root", str(sample_root), "--cost", "--entities", "1000000", "--core-price", "0.04")
    head, _, *rows = text.splitlines()
    assert head.split("  ")[0] == "stage" and "core-hours" in head and "memory GB" in head
    stages = [row.split()[0] for row in rows[:31]]
    assert stages[0] == "wikidata.parse" and stages[-1] == "all"
    assert "A forecast, from what the build" in text and "of every n-th record of a dump" in text
    assert "There is no upper bound: `to` is" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--entities", "5"), "--entities, --pages, --core-price and --gb-price go with --cost"),
        (("--cost", "--entities", "0"), "0 is not in the range x>=1"),
        (("--cost", "--core-price", "nan"), "nan is not a finite number"),
    ],
)
def test_options_that_do_not_fit_are_refused(arguments: tuple[str, ...], message: str, sample_root: Path) -> None:
    assert message in refused("plan", "qampari", "--root", str(sample_root), *arguments)


def test_rates_are_of_a_whole_build(small_root: Path, tmp_path: Path) -> None:
    assert "this one stops early" in refused("plan", "qampari", "--root", str(small_root), "--cost", "--pages", "9")
    assert "holds no build of qampari" in refused("plan", "qampari", "--root", str(tmp_path), "--cost")
