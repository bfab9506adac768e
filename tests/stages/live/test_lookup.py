from __future__ import annotations

from pathlib import Path

import pytest

from stages.live.lookup import LiveSearch, LiveTitles
from stages.normalise.titles import Found, TitleTable
from tests.stages.live.conftest import PAGES, REDIRECTS
from tests.stages.live.made import wiki

pytestmark = pytest.mark.network
UNCLEAR = ["Gamma"]


def test_titles_lead_where_a_table_of_them_leads(small_wiki: str, tmp_path: Path) -> None:
    live = LiveTitles(wiki(small_wiki, tmp_path))
    table = TitleTable.of([title for title in PAGES if title not in UNCLEAR], REDIRECTS, UNCLEAR)
    for title in ("Alpha", "First", "Second", "Ring", "Lost", "Gamma", "Gamma (letter)", "Nobody"):
        assert live.find(title) == table.find(title), title
        assert list(live.qualified(title)) == list(table.qualified(title)), title
    assert live.find("Second") == Found("Alpha", "Start", True)


@pytest.mark.parametrize("title", ["A|B", "", "<x>", "a\x00"])
def test_a_title_that_no_page_can_have_is_not_asked_for(small_wiki: str, tmp_path: Path, title: str) -> None:
    asked = wiki(small_wiki, tmp_path)
    live = LiveTitles(asked)
    assert live.find(title) is None and live.alike(title) == [] and live.qualified(title) == []
    assert asked.service.tally.sent == 0


def test_titles_in_another_spelling(small_wiki: str, tmp_path: Path) -> None:
    live = LiveTitles(wiki(small_wiki, tmp_path))
    assert live.alike("ALPHA") == ["Alpha"] and live.alike("Alpha") == []


def test_the_first_that_a_search_finds(small_wiki: str, tmp_path: Path) -> None:
    search = LiveSearch(wiki(small_wiki, tmp_path))
    assert search.first("comes second") == "Beta"
    assert search.first('insource:/"second"/') is None
    assert search.first("  ") is None
    assert search.firsts(["comes second", "nothing at all"]) == {"comes second": "Beta"}
