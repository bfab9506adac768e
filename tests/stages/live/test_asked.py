from __future__ import annotations

import pytest

from stages.live.asked import of_wiki, some


def test_names_are_never_cut_in_silence() -> None:
    assert some(["P6"]) == "P6"
    assert some(["P6", "P57", "P58"]) == "P6, P57, P58"
    assert some(["P6", "P57", "P58", "P161"]) == "P6, P57, P58, ... (4 in all)"
    assert some(["x" * 61]) == f"{'x' * 60}..."


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"titles": "Alpha|Beta", "prop": "revisions"}, "the pages Alpha, Beta"),
        ({"list": "search|allpages", "srsearch": "Alpha"}, "what a search finds for 'Alpha'"),
        ({"meta": "siteinfo"}, "what the wiki says of itself"),
        ({}, "an answer"),
    ],
)
def test_what_a_wiki_is_asked(values: dict[str, str], said: str) -> None:
    assert of_wiki(values) == said
