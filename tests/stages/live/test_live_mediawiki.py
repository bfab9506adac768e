"""A real MediaWiki: Debian's package, SQLite, PHP's own server on the loopback interface, with the sample's pages.

The package is installed with apt-get where it is missing, which needs root. The wiki's database lives in a temporary
folder; nothing of the installation is changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.samples import sample_files
from stages.live.export import lines
from stages.live.lookup import Lookup
from stages.live.mediawiki import Wiki
from stages.live.recipe import Limits
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.pages import PagesParams, clean_pages
from tests.stages.live.made import wiki
from tests.tools.servers import free_port, wait_for

pytestmark = [pytest.mark.live, pytest.mark.network]
HOME = Path("/usr/share/mediawiki")
PACKAGES = ("mediawiki", "php-cli", "php-sqlite3")
MORE = """
<page><title>Sample loop</title><ns>0</ns><revision><text>#REDIRECT [[Sample ring]]</text></revision></page>
<page><title>Sample ring</title><ns>0</ns><revision><text>#REDIRECT [[Sample loop]]</text></revision></page>
<page><title>Sample lost</title><ns>0</ns><revision><text>#REDIRECT [[Sample nowhere]]</text></revision></page>
<page><title>Sample part</title><ns>0</ns><revision><text>#REDIRECT [[Inception#History]]</text></revision></page>
<page><title>Sample far</title><ns>0</ns><revision><text>#REDIRECT [[Wikipedia:Inception]]</text></revision></page>
<page><title>Zürich (sample)</title><ns>0</ns>
<revision><text>Only &lt;b&gt;here&lt;/b&gt; &amp;amp; there.</text></revision></page>
</mediawiki>"""


def php(script: str, settings: Path | None, *arguments: str, timeout: int = 600) -> None:
    environment = {**os.environ, "MW_CONFIG_FILE": str(settings) if settings else ""}
    command = ["php", str(HOME / "maintenance" / script), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{script}: {done.stdout[-2000:]} {done.stderr[-2000:]}"


@pytest.fixture(scope="module")
def installed() -> None:
    if HOME.is_dir() and shutil.which("php"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *PACKAGES]):
        subprocess.run(["apt-get", *command], env=environment, check=True, capture_output=True, timeout=1800)


@pytest.fixture(scope="module")
def sample_xml() -> Path:
    [path] = [Path(path) for path in sample_files("world") if path.endswith(".xml")]
    return path


@pytest.fixture(scope="module")
def api(installed: None, sample_xml: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of api.php of a wiki that holds the sample and some odd pages."""
    folder, port = tmp_path_factory.mktemp("mediawiki"), free_port()
    server = f"http://127.0.0.1:{port}"
    php(
        *("install.php", None, "--dbtype", "sqlite", "--dbpath", str(folder / "db"), "--dbname", "wiki"),
        *("--confpath", str(folder), "--server", server, "--scriptpath", "", "--pass", "correct-horse-battery"),
        *("--lang", "en", "Wiki of a test", "Keeper"),
    )
    settings = folder / "LocalSettings.php"
    pages = folder / "pages.xml"
    text = sample_xml.read_text(encoding="utf-8", errors="replace")
    pages.write_text(text[: text.rindex("</mediawiki>")] + MORE, encoding="utf-8")
    php("importDump.php", settings, "--quiet", str(pages))
    php("rebuildtextindex.php", settings, "--quiet")
    environment = {**os.environ, "MW_CONFIG_FILE": str(settings)}
    command = ["php", "-S", f"127.0.0.1:{port}", "-t", str(HOME)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"{server}/api.php"
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def asked(api: str, tmp_path: Path) -> Wiki:
    return wiki(api, tmp_path / "requests")


def cleaned(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Texts and redirects that the build makes of an export."""
    source = MediaWikiDump([str(path)])
    texts: dict[str, str] = {}
    redirects: dict[str, str] = {}
    for part in source.parts():
        for raw in source.read(part):
            tables = clean_pages(raw, params=PagesParams()).tables
            texts |= {row["title"]: row["text"] for row in tables["pages"].to_pylist()}
            redirects |= {row["source"]: row["target"] for row in tables["redirects"].to_pylist()}
    return texts, redirects


def test_the_wiki_says_what_it_is(asked: Wiki) -> None:
    site = asked.site()
    assert site.name == "Wiki of a test" and site.generator.startswith("MediaWiki 1.") and site.language == "en"
    assert {(0, ""), (6, "File"), (6, "Image"), (14, "Category")} <= set(site.namespaces)


def test_pages_by_api_and_by_dump_are_the_same_text(asked: Wiki, sample_xml: Path, tmp_path: Path) -> None:
    texts, redirects = cleaned(sample_xml)
    assert len(texts) > 200 and redirects
    found = asked.pages([*texts, *redirects])
    assert asked.service.tally.sent <= -(-(len(texts) + len(redirects)) // 50)
    path = tmp_path / "wikipedia.xml"
    path.write_bytes(b"".join(lines(asked.site(), found)))
    live_texts, live_redirects = cleaned(path)
    assert set(texts) <= set(live_texts)
    different = {title for title in texts if _text(live_texts[title]) != _text(texts[title])}
    assert different == set()
    leads = {source for source in redirects if redirects[source] in texts}
    assert {source: live_redirects.get(source) for source in leads} == {source: redirects[source] for source in leads}
    revisions = {page.revision for page in found.pages.values()}
    assert len(revisions) == len(found.pages) and min(revisions) > 0


def _text(text: str) -> str:
    """A wiki drops white space at the end of a page."""
    return text.rstrip()


def test_titles_in_other_spellings_and_titles_that_are_none(asked: Wiki) -> None:
    found = asked.pages(["zürich_(sample)", "Sample lost", "Sample loop", "No such page", "A|B", "Special:Version"])
    assert set(found.pages) == {"Zürich (sample)"}
    assert found.pages["Zürich (sample)"].text == "Only <b>here</b> &amp; there."
    assert {"Sample lost", "Sample loop", "No such page", "A|B"} <= found.missing


def test_all_redirects_to_a_page_come_with_it(asked: Wiki) -> None:
    found = asked.pages(["Inception"])
    assert found.leads["Sample part"] == "Inception" and asked.warnings == set()


def test_titles_and_redirects_of_other_wikis_are_told(asked: Wiki) -> None:
    found = asked.pages(["Wikipedia:Inception", "Sample far", "Inception"])
    assert set(found.pages) == {"Inception"} and found.elsewhere == {"wikipedia:Inception"}
    assert found.missing == {"Wikipedia:Inception", "Sample far"}


def test_what_names_may_stand_for(asked: Wiki) -> None:
    lookup = Lookup(asked, Limits(searches=5))
    lookup.run(["the Inception", "Sample part", "Zürich", "Sample loop", "xyzzyplugh", "Wikipedia:Bar"])
    assert set(lookup.found.pages) >= {"Inception", "Zürich (sample)"}
    assert any("does not search for 1 of the names (invalidtitle)" in note for note in lookup.notes)
    assert asked.warnings == set()


def test_requests_for_the_names_of_the_sample(asked: Wiki, sample_xml: Path) -> None:
    texts, redirects = cleaned(sample_xml)
    lookup = Lookup(asked, Limits(searches=0))
    lookup.run([*texts, *redirects])
    assert set(texts) <= set(lookup.found.pages)
    assert asked.service.tally.sent <= 20


def test_offline_all_of_it_again(api: str, tmp_path: Path) -> None:
    online = wiki(api, tmp_path).pages(["Inception", "Sample part"])
    offline = wiki(api, tmp_path, offline=True)
    assert offline.pages(["Inception", "Sample part"]) == online and offline.service.tally.sent == 0
