"""The command `benchwright normalise`."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from pipelines.cli.normalise import normalise


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(normalise, list(arguments), input=stdin)


def test_one_answer() -> None:
    assert run("the 1990s").output == "date\t199X\tdecade\n"


def test_other_forms_follow() -> None:
    assert run("27.6 miles").output == "quantity\t27.6 mi\tquantity\t27.6 miles\t27.6\n"


def test_a_refusal_is_printed_with_its_reason() -> None:
    result = run("3/4/2015")
    assert (result.exit_code, result.output) == (0, "date\t-\trefused: day_or_month\n")


def test_the_passage_settles(tmp_path: Path) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text("It closed on 3 April 2015.", encoding="utf-8")
    assert run("3/4/2015", "--passage", str(passage)).output == "date\t2015-04-03\torder_of_passage\n"


def test_a_negative_number_is_no_option() -> None:
    assert run("-5 °C").output.startswith("quantity\t-5 °C\t")


def test_lines_of_standard_input_as_json() -> None:
    result = run("-", "--json", stdin=b"two\n44 BC\r\n\nMarie Curie\n")
    records = [json.loads(line) for line in result.output.splitlines()]
    assert [(record["kind"], record["value"], record["refusal"]) for record in records] == [
        ("number", "2", None),
        ("date", "-0043", None),
        ("span", None, "empty"),
        ("span", "Marie Curie", None),
    ]
    assert records[0]["forms"] == [{"text": "2", "rule": "words"}, {"text": "two", "rule": "words"}]


def test_bytes_that_are_no_text_name_their_line() -> None:
    result = run("-", stdin=b"two\n\xff\n")
    assert isinstance(result.exception, ValueError)
    assert "line 2" in str(result.exception)


def test_names_are_looked_up_in_the_titles_that_are_given(tmp_path: Path) -> None:
    titles = tmp_path / "titles.txt"
    titles.write_text("Golden Gate Bridge\n<b>\n", encoding="utf-8")
    result = run("golden gate bridge", "--titles", str(titles))
    assert result.stdout.startswith("entity\tGolden Gate Bridge\t")
    assert result.stderr == f"{titles}: 1 entries left aside, such as line 2: bad_title\n"
    assert run("Golden Gate Bridge").output == "span\tGolden Gate Bridge\tas_written\n"


def test_a_file_without_titles_is_named(tmp_path: Path) -> None:
    titles = tmp_path / "titles.txt"
    titles.write_text("\n", encoding="utf-8")
    assert str(run("Bo", "--titles", str(titles)).exception).startswith(f"{titles}: holds no page title")
