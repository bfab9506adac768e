"""Against a small double of the API, and through the fault proxy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stages.live.addresses import LiveError
from stages.live.mediawiki import Wiki
from stages.live.service import NotAsked
from tests.faults.proxy import proxied
from tests.stages.live.conftest import PAGES, REDIRECTS
from tests.stages.live.made import MANNERS, StoppedClock, wiki
from tests.tools.servers import serving
from tests.tools.small_wiki import handler

pytestmark = pytest.mark.network


def test_pages_with_their_revisions(small_wiki: str, tmp_path: Path) -> None:
    found = wiki(small_wiki, tmp_path).pages(["alpha", "Beta", "Gamma_(letter)", "Gamma", "Émile"])
    assert {title: page.text for title, page in found.pages.items()} == PAGES
    assert found.pages["Alpha"].revision == 1001 and found.pages["Alpha"].model == "wikitext"
    assert found.missing == set()


def test_redirects_and_what_leads_nowhere(small_wiki: str, tmp_path: Path) -> None:
    found = wiki(small_wiki, tmp_path).pages(["Second", "Ring", "Lost", "No such page", "A|B", "<x>", ""])
    assert set(found.pages) == {"Alpha"}
    assert found.leads["Second"] == "First" and found.leads["First"] == "Alpha"
    assert found.missing == {"Ring", "Lost", "No such page", "A|B", "<x>", ""}


def test_titles_go_in_batches_and_say_who_asks(tmp_path: Path) -> None:
    pages = {f"Page {number}": f"text {number}" for number in range(120)}
    api = handler(pages, {})
    with serving(api) as address:
        found = wiki(address, tmp_path).pages(list(pages))
    assert {title: page.text for title, page in found.pages.items()} == pages
    asked: list[dict[str, str]] = api.asked  # type: ignore[attr-defined]
    assert max(form["titles"].count("|") + 1 for form in asked) == 50
    # Three texts a part: 17 + 17 + 7 parts.
    assert len(asked) == 41
    assert all(form["maxlag"] == "5" and form["User-Agent"] == MANNERS.agent for form in asked)


def test_redirects_to_a_page_come_with_it_in_however_many_parts(tmp_path: Path) -> None:
    redirects = {f"Name {number}": "Page" for number in range(10)} | {"Other": "Page 2#Part"}
    with serving(handler({"Page": "text", "Page 2": "more", "Page 3": "last"}, redirects)) as address:
        found = wiki(address, tmp_path).pages(["Page", "Page 2", "Page 3"])
    assert found.leads == {source: target.partition("#")[0] for source, target in redirects.items()}
    assert {title: page.text for title, page in found.pages.items()} == {
        "Page": "text",
        "Page 2": "more",
        "Page 3": "last",
    }


def test_titles_of_other_wikis_are_told(small_wiki: str, tmp_path: Path) -> None:
    found = wiki(small_wiki, tmp_path).pages(["De:Alpha", "Alpha", "Nobody"])
    assert found.elsewhere == {"de:Alpha"} and found.missing == {"De:Alpha", "Nobody"}


@pytest.mark.parametrize("fault", ["warned", "warned_old"])
def test_warnings_are_kept_once(small_wiki: str, tmp_path: Path, fault: str) -> None:
    with proxied(small_wiki) as proxy:
        proxy.always = fault
        asked = wiki(proxy.address, tmp_path)
        asked.pages(["Alpha"])
        asked.site()
        assert asked.warnings == {"main: Unrecognized parameter."}
        again = wiki(proxy.address, tmp_path, offline=True)
        again.pages(["Alpha"])
        assert again.warnings == asked.warnings


def test_what_is_secret_in_an_address_is_in_no_warning(small_wiki: str, tmp_path: Path) -> None:
    with proxied(small_wiki) as proxy:
        proxy.always = "warned"
        asked = wiki(f"{proxy.address}?key=parameter", tmp_path)
        asked.pages(["Alpha"])
    assert asked.warnings == {"main: Unrecognized ...."}


def test_offline_the_same(small_wiki: str, tmp_path: Path) -> None:
    titles = ["Second", *PAGES]
    online = wiki(small_wiki, tmp_path).pages(titles)
    assert wiki(small_wiki, tmp_path, offline=True).pages(titles) == online
    offline = wiki(small_wiki, tmp_path, offline=True)
    with pytest.raises(NotAsked, match="lacks what the wiki says of itself"):
        offline.site()
    with pytest.raises(NotAsked, match="lacks the pages Other, Another"):
        offline.pages(["Other", "Another"])
    with pytest.raises(NotAsked, match="lacks what a search finds for 'Other'"):
        offline.lists({"list": "search", "srsearch": "Other"})


def test_what_the_wiki_says_of_itself(small_wiki: str, tmp_path: Path) -> None:
    site = wiki(small_wiki, tmp_path).site()
    assert site.generator == "MediaWiki 1.45.0" and site.language == "en"
    assert (6, "File") in site.namespaces and (6, "Image") in site.namespaces
    assert site.licence == "CC BY-SA 4.0 https://creativecommons.org/licenses/by-sa/4.0/"


@pytest.mark.parametrize(
    ("fault", "pauses"),
    [("lag", [5]), ("lag_plain", [5]), ("too_many_wait", [7]), ("unavailable", [2]), ("cut", [2]), ("cut_json", [2])],
)
def test_a_wiki_that_is_busy_is_asked_later(small_wiki: str, tmp_path: Path, fault: str, pauses: list[float]) -> None:
    with proxied(small_wiki) as proxy:
        proxy.faults = [fault]
        asked = wiki(proxy.address, tmp_path)
        assert set(asked.pages(["Alpha"]).pages) == {"Alpha"}
    assert isinstance(asked.service.clock, StoppedClock) and asked.service.clock.pauses == pauses


def test_a_wiki_that_refuses_is_quoted(tmp_path: Path) -> None:
    with serving(handler({}, {})) as address, pytest.raises(LiveError, match="toomanyvalues"):
        Wiki(wiki(address, tmp_path).service, batch=60).pages([f"Page {number}" for number in range(60)])


def test_a_batch_that_is_cut_is_halved(small_wiki: str, tmp_path: Path) -> None:
    with proxied(small_wiki) as proxy:
        proxy.faults = ["cut", "cut"]
        assert {
            title: page.text for title, page in wiki(proxy.address, tmp_path).pages(list(PAGES)).pages.items()
        } == PAGES


def test_parts_that_lead_back_are_no_answer(tmp_path: Path) -> None:
    import http.server

    class Loop(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = json.dumps({"continue": {"rvcontinue": "1"}, "query": {"pages": []}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with serving(Loop) as address, pytest.raises(LiveError, match="lead back"):
        wiki(address, tmp_path).pages(["A"])


def test_a_site_that_is_none(tmp_path: Path, world: str) -> None:
    with pytest.raises(LiveError):
        wiki(world, tmp_path).site()
    assert REDIRECTS["Second"] == "First"
