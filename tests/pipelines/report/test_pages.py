"""Pages: what is written in them, and how numbers are said."""

from __future__ import annotations

import jinja2
import pytest

from pipelines.report import pages


@pytest.mark.parametrize(
    ("count", "length"), [(0, 0.0), (1, 10.03), (1000, 100.0), (31, 50.16)], ids=["none", "one", "largest", "between"]
)
def test_bars_are_logarithmic(count: int, length: float) -> None:
    assert pages.logarithmic(count, 1000) == length
    assert pages.logarithmic(count, 0) == 0.0


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("{{ 1234567 | count }}", "1,234,567"),
        ("{{ 999 | size }} {{ 1234 | size }} {{ 45600 | size }} {{ 2.5e9 | size }}", "999 B 1.2 kB 46 kB 2.5 GB"),
        (
            "{{ 0.84 | seconds }} {{ 42 | seconds }} {{ 83.4 | seconds }} {{ 7260 | seconds }}",
            "0.8 s 42 s 1 min 23 s 2 h 01 min",
        ),
        ("{{ 0 | share }} {{ 3.14 | share }} {{ 33.3 | share }}", "0 3.1 33"),
        ("{{ '2026-12-01T14:48:17.586+00:00' | moment }}", "2026-12-01 14:48 UTC"),
        ("{{ 'too_few' | words }}", "too few"),
        ("{{ 'run `a <b>` & go' | coded }}", "run <code>a &lt;b&gt;</code> &amp; go"),
        ("{{ 'one ` tick' | coded }}", "one ` tick"),
    ],
)
def test_numbers_and_notes_are_said_as_people_read_them(expression: str, said: str) -> None:
    assert pages.environment().from_string(expression).render() == said


def test_texts_are_escaped_and_what_is_not_there_is_no_silence() -> None:
    template = pages.environment().from_string("{{ text }}")
    assert template.render(text="<img src=x onerror=alert(1)>") == "&lt;img src=x onerror=alert(1)&gt;"
    with pytest.raises(jinja2.UndefinedError):
        template.render()
