"""`params`: every parameter of every dataset, with what it means; and no value of it ends in a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.cli.params import Parameter, parameters
from pipelines.datasets import dataset, names
from pipelines.params import keys, load
from tests.pipelines.commands import call, run

ALL = {name: list(parameters(dataset(name).defaults)) for name in names()}


@pytest.mark.parametrize("name", names())
def test_every_parameter_is_listed_with_its_default(name: str) -> None:
    defaults = load(dataset(name).defaults)
    listed = {item.key: item.default for item in ALL[name]}
    assert list(listed) == list(keys(defaults))
    assert all(defaults[key.split(".")[0]][key.split(".")[1]] == value for key, value in listed.items())
    assert json.loads(run("params", name, "--json"))[0]["key"] == ALL[name][0].key


@pytest.mark.parametrize("name", names())
def test_every_line_can_be_set_as_it_is_printed(name: str, tmp_path: Path) -> None:
    printed = [line for line in run("params", name).splitlines() if not line.startswith(" ")]
    assert load(dataset(name).defaults, None, [line for line in printed if not line.endswith("=null")]) == load(
        dataset(name).defaults
    )


def test_comments_above_and_beside_belong_to_their_parameter(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(
        "# about the file\n"
        "one:\n"
        "  # above\n"
        "  # in two lines\n"
        '  first: "a # b"   # beside\n'
        "  second:\n"
        "    - x  # an entry\n"
        "    - y\n"
        "two:\n"
        "  third: null\n"
    )
    assert list(parameters(path)) == [
        Parameter("one.first", "a # b", "above in two lines beside"),
        Parameter("one.second", ["x", "y"], ""),
        Parameter("two.third", None, ""),
    ]


@pytest.mark.parametrize(("name", "key"), [(name, item.key) for name, items in ALL.items() for item in items])
def test_no_value_of_any_parameter_ends_in_a_traceback(name: str, key: str, tmp_path: Path) -> None:
    for value in ("null", "[1, 2]", "text", "-1", "true"):
        result = call("plan", name, "--root", str(tmp_path / "root"), "--set", f"{key}={value}")
        assert result.exit_code in (0, 2), (value, result.exception)
        assert result.exit_code == 0 or result.stderr.startswith("benchwright: ")
