"""Parameters: defaults, files, single settings, and what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipelines.params import ParameterError, keys, load, section, within
from stages.core.contract import StageError

DEFAULTS = """
queries: {min_answers: 5, min_share: 0.8, kinds: [item, time], answers: auto}
nli: {model: small, threshold: null}
"""


@dataclass(frozen=True)
class Limits:
    min_answers: int = 1
    min_share: float = 0.5
    kinds: tuple[str, ...] = ()
    more: int = 7


@pytest.fixture
def defaults(tmp_path: Path) -> Path:
    path = tmp_path / "params.yaml"
    path.write_text(DEFAULTS, encoding="utf-8")
    return path


def test_a_setting_wins_over_the_file_and_the_file_over_the_default(defaults: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("queries: {min_answers: 4, min_share: 1}\n", encoding="utf-8")
    values = load(defaults, str(mine), ["queries.min_answers=3", "nli.threshold=0.25", "queries.kinds=[item]"])
    assert values == {
        "queries": {"min_answers": 3, "min_share": 1.0, "kinds": ["item"], "answers": "auto"},
        "nli": {"model": "small", "threshold": 0.25},
    }
    assert next(iter(keys(values))) == "queries.min_answers"


@pytest.mark.parametrize(("text", "number"), [("3e-05", 3e-05), ("3.5e-1", 0.35), ("1E0", 1.0), ("1", 1.0)])
def test_numbers_are_taken_as_python_prints_them(defaults: Path, text: str, number: float) -> None:
    """YAML takes 3e-05 for a text."""
    assert load(defaults, None, [f"queries.min_share={text}"])["queries"]["min_share"] == number


def test_a_section_becomes_the_dataclass_of_its_stage(defaults: Path) -> None:
    assert section(Limits, load(defaults), "queries") == Limits(5, 0.8, ("item", "time"), 7)
    assert section(Limits, load(defaults), "queries", more=9).more == 9


@dataclass(frozen=True)
class Picky:
    min_answers: int = 1
    kinds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.min_answers < 1:
            raise StageError(f"min_answers: expected 1 or more, got {self.min_answers}")
        raise StageError("min_answers 5, kinds item: expected less")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("queries.min_answers=0", "queries.min_answers: expected 1 or more, got 0"),
        ("queries.min_answers=5", "queries: min_answers 5, kinds item: expected less"),
    ],
)
def test_a_value_that_a_stage_refuses_is_named_with_its_section(defaults: Path, setting: str, message: str) -> None:
    with pytest.raises(StageError) as refused:
        section(Picky, load(defaults, None, [setting]), "queries")
    assert str(refused.value) == message


def test_a_field_is_called_as_its_section_calls_it() -> None:
    with (
        pytest.raises(StageError, match=r"^tasks\.graph_votes: expected 0 or more$"),
        within("tasks", votes="graph_votes"),
    ):
        raise StageError("votes: expected 0 or more")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("queries.min_answer=3", "did you mean queries.min_answers"),
        ("unheard.of=1", "unknown parameter 'unheard.of'; there are queries.min_answers, queries."),
        ("queries.min_answers=many", "queries.min_answers is 'many', a text; expected a whole number such as 5"),
        ("queries.min_answers=true", "true or false; expected a whole number"),
        ("queries.min_answers=", "needs a value, such as 5"),
        ("queries.min_answers", "expected section.name=value"),
        ("queries.kinds=[a", "not YAML"),
        ("queries.kinds=[1, null]", "queries.kinds is [1, None]; expected entries like those of ['item', 'time']"),
        ("nli.threshold={a: 1}", "nli.threshold is {'a': 1}; expected a number, a text or a list"),
        ("nli.threshold=2020-01-01", "nli.threshold is datetime.date"),
    ],
)
def test_what_cannot_be_set_is_refused_with_help(defaults: Path, setting: str, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        load(defaults, None, [setting])


@pytest.mark.parametrize(
    "text",
    ["- a\n- b\n", "queries: {}\nqueries: {}\n", "queries: 5\n", "queries: {a: [\n", "!!python/object:os.system {}\n"],
)
def test_a_file_that_is_not_sections_of_parameters_is_refused(defaults: Path, tmp_path: Path, text: str) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match=r"mine\.yaml"):
        load(defaults, str(mine))


def test_a_missing_file_is_named(defaults: Path) -> None:
    with pytest.raises(ParameterError, match=r"nowhere\.yaml: not a readable YAML file"):
        load(defaults, "nowhere.yaml")
