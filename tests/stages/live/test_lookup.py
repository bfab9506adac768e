from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stages.live.lookup import Lookup, spellings
from stages.live.recipe import Limits
from tests.faults.proxy import proxied
from tests.stages.live.made import wiki
from tests.tools.servers import serving
from tests.tools.small_wiki import handler

pytestmark = pytest.mark.network
PAGES = {
    "Mercury": "Mercury may be: [[Mercury (planet)]], [[Mercury, Nevada|a town]], [[Mercurial]], [[Hermes]].",
    "Mercury (planet)": "The first planet.",
    "Mercury, Nevada": "A town.",
    "Mercury (unlinked)": "No page links to it.",
    "Mercurial": "A tool.",
    "Hermes": "A god.",
    "Beatles": "A band.",
    "Beatles (disambiguation)": "Or [[beatles (toy)#Story|a toy]].",
    "Beatles (toy)": "A toy.",
    "Zurich": "A city.",
    "World War": "A war.",
    "Orwell": "He wrote under the name of Somebody Else.",
}
REDIRECTS = {"The Fab Four": "Beatles", "Fab four": "Beatles", "Züri": "Zurich", "Zoo": "Nowhere"}
ALL = Limits()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(handler(PAGES, REDIRECTS)) as found:
        yield found


def looked_up(address: str, folder: Path, *names: str, limits: Limits = ALL) -> Lookup:
    lookup = Lookup(wiki(address, folder), limits)
    lookup.run(names)
    return lookup


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("Mercury", {"Mercury", "Mercury (planet)", "Mercury, Nevada"}),
        ("the Beatles", {"Beatles", "Beatles (disambiguation)", "Beatles (toy)"}),
        ("The Fab Four", {"Beatles"}),
        ("Zürich", {"Zurich"}),
        ("WORLD WAR", {"World War"}),
        ("world war", {"World War"}),
        ("Zoo", set()),
        ("Nobody", set()),
    ],
)
def test_pages_by_title_redirect_qualifier_and_spelling(
    address: str, tmp_path: Path, name: str, titles: set[str]
) -> None:
    assert set(looked_up(address, tmp_path, name, limits=Limits(searches=0)).found.pages) == titles


def test_redirects_to_what_is_found_come_along(address: str, tmp_path: Path) -> None:
    found = looked_up(address, tmp_path, "Beatles", limits=Limits(searches=0)).found
    assert {source for source, target in found.leads.items() if target == "Beatles"} >= {"The Fab Four", "Fab four"}


def test_a_search_finds_what_no_title_tells(address: str, tmp_path: Path) -> None:
    lookup = looked_up(address, tmp_path, "Mercury", "Somebody Else")
    assert {"Orwell", "Mercury (unlinked)"} <= set(lookup.found.pages)
    assert lookup.notes == [f"Of the names that the dataset has to tell apart, 1 of 2 are titles of {address}."]


def test_names_that_are_no_titles_are_searched_for_first(address: str, tmp_path: Path) -> None:
    lookup = looked_up(address, tmp_path, "Mercury", "Somebody Else", limits=Limits(searches=1))
    assert "Orwell" in lookup.found.pages and "Mercury (unlinked)" not in lookup.found.pages
    assert lookup.notes[0].startswith("limits.searches let 1 of 2 names be searched for")


def test_limits_take_the_first_and_say_so(address: str, tmp_path: Path) -> None:
    lookup = looked_up(address, tmp_path, "Mercury", "Beatles", limits=Limits(names=1, pages=1, searches=0))
    assert set(lookup.found.pages) == {"Mercury", "Mercury (planet)"}
    assert "limits.names took the first 1 of 2 names." in lookup.notes
    assert "limits.pages took the first 1 of 2 titles of namesakes." in lookup.notes


def test_a_name_that_is_no_title_is_not_asked_for(address: str, tmp_path: Path) -> None:
    lookup = looked_up(address, tmp_path, "A|B", "", "<x>", "a\x00", "x" * 300)
    assert lookup.found.pages == {} and lookup.wiki.service.tally.sent == 0


def test_a_name_that_looks_like_a_search_command(address: str, tmp_path: Path) -> None:
    lookup = looked_up(address, tmp_path, 'insource:/"planet"/', "-", "***")
    assert lookup.found.pages == {}


def test_a_name_that_the_wiki_refuses_to_search_for_is_told_offline_too(address: str, tmp_path: Path) -> None:
    with proxied(address) as proxy:
        proxy.faults = ["", "no_search"]
        lookup = looked_up(proxy.address, tmp_path, "Nobody", limits=Limits(searches=1))
        where = proxy.address
    assert "The wiki does not search for 1 of the names (invalidtitle), such as 'Nobody'." in lookup.notes
    again = Lookup(wiki(where, tmp_path, offline=True), Limits(searches=1))
    again.run(["Nobody"])
    assert again.notes == lookup.notes and again.found == lookup.found


def test_requests_of_many_names(tmp_path: Path) -> None:
    names = [f"Name number {number}" for number in range(1000)]
    with serving(handler({}, {})) as address:
        lookup = looked_up(address, tmp_path, *names, limits=Limits(searches=100))
    # Three titles a name, fifty a request; a request for each name that is searched for.
    assert lookup.wiki.service.tally.sent == 60 + 100


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Émile Zola", ["Émile Zola", "Emile Zola"]),
        ("The Who", ["The Who", "Who"]),
        ("The", ["The"]),
        ("NASA", ["NASA", "Nasa"]),
        ("World war II", ["World war II", "World War II"]),
        ("An", ["An"]),
    ],
)
def test_spellings(name: str, expected: list[str]) -> None:
    assert spellings(name) == expected
