"""Pages for Mechanical Turk."""

from __future__ import annotations

import pytest

from stages.people.page import Field, fill_page, fill_variables, guide_html, read_page

PAGE = """
<form><input type="hidden" name="task" value="${task}"><p>${text}</p>
<input type="radio" name="mood" value="calm"><input type="radio" name="mood" value="glad">
<textarea name="why"></textarea><input type="number" name="weight"></form>
"""


def test_a_page_gives_its_variables_and_fields() -> None:
    page = read_page(PAGE)
    assert page.problems == []
    assert page.variables == {"task", "text"}
    assert page.fields == {
        "task": Field("hidden"),
        "mood": Field("choice", ("calm", "glad")),
        "why": Field("text"),
        "weight": Field("number"),
    }


@pytest.mark.parametrize(
    ("piece", "problem"),
    [
        ('<script src="https://example.org/x.js"></script>', "loads nothing"),
        ('<img alt="x">', "loads nothing"),
        ("<script>let a = '${text}';</script>", "would run as one"),
        ('<p class="${text}">x</p>', "stands between tags"),
        ('<input type="text">', "a field has no name"),
        ('<textarea name="mood"></textarea>', "different kinds"),
        ("<form></form>", "expected one form, found 2"),
    ],
)
def test_what_makes_a_page_unsafe_is_told(piece: str, problem: str) -> None:
    assert any(problem in found for found in read_page(PAGE + piece).problems)


def test_a_guide_becomes_headings_lists_and_paragraphs() -> None:
    guide = "# Do <this>\n\nRead the\ntext.\n\n- one\n- two\n  lines\n"
    assert guide_html(guide) == (
        "<h2>Do &lt;this&gt;</h2>\n<p>Read the text.</p>\n<ul><li>one</li><li>two lines</li></ul>"
    )


def test_parts_and_variables_are_filled_once() -> None:
    page = fill_page("<h1>[[title]]</h1>[[guide]][[body]]", "A & B", "Go.", "<p>${a} ${b} [[title]]</p>")
    assert page == "<h1>A &amp; B</h1><p>Go.</p><p>${a} ${b} [[title]]</p>"
    assert fill_variables(page, {"a": "${b}", "b": "x"}).endswith("<p>${b} x [[title]]</p>")
