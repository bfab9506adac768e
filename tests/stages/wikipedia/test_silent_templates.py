"""Templates that say nothing a sentence needs, and those that do."""

from __future__ import annotations

import pytest

from stages.wikipedia.silent_templates import is_silent


@pytest.mark.parametrize(
    "name",
    [
        *(
            "citation needed",
            "cn",
            "sfn",
            "sfnp",
            "efn",
            "cite web",
            "infobox film",
            "use dmy dates",
            "s-bef",
            "pp-move",
        ),
        *("film-stub", "africa topics", "relevance inline", "flagicon", "fr icon", "main", "see also", "clarify"),
    ],
)
def test_notes_and_layout_are_silent(name: str) -> None:
    assert is_silent(name)


@pytest.mark.parametrize(
    "name", ["convert", "inflation", "ipa", "age", "start date", "some new template", "population", ""]
)
def test_what_may_say_something_is_not(name: str) -> None:
    assert not is_silent(name)
