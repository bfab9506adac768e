"""Brackets: links, nested templates, tables, and what never closes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.brackets import MAX_DEPTH, UnparsableMarkupError, resolve_brackets
from tests.stages.wikipedia.marks import seen

HIDDEN = ("file", "category", "kategoreja")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("[[Paris]] and [[Paris|the city]]", "Paris and the city"),
        ("[[New_York]]", "New York"),
        ("[[cat]]s", "cats"),
        ("[[Foo (bar)|]], [[Paris, Texas|]]", "Foo, Paris"),
        ("a[[File:x.jpg|thumb|A [[link]] in {{convert|5|km}}]]b", "ab"),
        ("[[category:Cities]][[Kategoreja:Pilsātys]]", ""),
        ("[[:Category:Cities]] [[:fr:Paris|in French]]", "Category:Cities in French"),
        ("[[fr:Paris]][[zh-min-nan:Pa]]x", "x"),
        ("[[Star Trek: Picard]]", "Star Trek: Picard"),
        ("{{a|{{b|{{c}}}}}}x", "‹a›x"),
        ("a {{citation needed|{{b}}}} c", "a  c"),
        ("''[[A|''B'']]'' '''[[C]]'''", "''B'' '''C'''"),
        ("{{lang|fr|[[Paris|Lutèce]]}}", "Lutèce"),
        ("{{{name|none}}}", "none"),
        ("{{{{{x}}}}}", "‹?›"),
        ("a\n{| class=x\n| cell {{y}}\n{|\n| inner\n|}\n|}\nb", "a\n\nb"),
        ("before [[never closed\nafter [[x]]", "before never closed\nafter x"),
        ("{{never closed [[x]] end", " ‹never closed x end›"),
        ("a{{t|b\n|c\n \nd {{u}} e", "a ‹t›\n \nd ‹u› e"),
        ("* a {{t|b {{u}} c\n* d", "* a  ‹t›\n* d"),
        ("a {{{p|b\n== c ==\nd", "a  ‹p›\n== c ==\nd"),
        ("{{a|{{b|{{c\n\nd", " ‹a›\n\nd"),
        ("a [[b|c [[d]]\n\ne|f", "a  ‹link›\n\ne|f"),
        ("a [[b c [[d]]\n\ne|f", "a b c d\n\ne|f"),
        ("closed twice]] and }} too", "closed twice and  too"),
        ("{{t|[[broken}} link]]", "‹t› link"),
        ("{|\n| row\n! head\nprose after a table that never closes", "prose after a table that never closes"),
        ("x {| y", "x {| y"),
    ],
)
def test_what_is_shown(markup: str, text: str) -> None:
    assert seen(resolve_brackets(markup, HIDDEN)) == text


def test_nesting_is_capped() -> None:
    assert seen(resolve_brackets("{{a|" * MAX_DEPTH + "}}" * MAX_DEPTH, HIDDEN)) == "‹a›"
    with pytest.raises(UnparsableMarkupError, match="brackets are open at once"):
        resolve_brackets("{{a|" * (MAX_DEPTH + 1), HIDDEN)


@given(
    st.lists(st.sampled_from(["{{", "}}", "[[", "]]", "{{{", "}}}", "\n{|", "\n|}", "|", "a", " ", "\n"]), max_size=60)
)
def test_no_double_brackets_are_left(pieces: list[str]) -> None:
    try:
        text = resolve_brackets("".join(pieces), HIDDEN)
    except UnparsableMarkupError:
        return
    assert "[[" not in text
    assert "]]" not in text
