"""A build from a real endpoint and a small double of a wiki: once online, then offline, then of a changed world."""

from __future__ import annotations

import io
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from pipelines.cli.interrupt import SAID_ASKING
from pipelines.cli.live import Watch
from pipelines.samples import sample_files
from stages.wikipedia.dump import MediaWikiDump
from tests.faults.proxy import proxied
from tests.pipelines.commands import call, refused, run
from tests.tools.rdf import records, triples
from tests.tools.servers import oxigraph, serving
from tests.tools.small_wiki import handler

pytestmark = pytest.mark.network
WIKI = ("--source", "mediawiki:http://127.0.0.1:1/x")
RECIPE = "version: 1\nclasses: [Q11424]\nlimits: {entities: 40, pages: 60}\n"
UNTIL = ("--until", "linking.link", "--workers", "1", "--set", "build.buckets=2")


@pytest.fixture(scope="module")
def dump() -> str:
    [path] = [path for path in sample_files("world") if path.endswith(".json")]
    return path


@pytest.fixture(scope="module")
def world(dump: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with oxigraph(triples(records(dump)), tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture(scope="module")
def wiki() -> Iterator[str]:
    """The sample's own pages."""
    [path] = [path for path in sample_files("world") if path.endswith(".xml")]
    source = MediaWikiDump([path])
    rows = [row for part in source.parts() for table in source.read(part) for row in table.to_pylist()]
    sound = [row for row in rows if row["error"] is None and row["namespace"] == 0]
    pages = {row["title"]: row["text"] for row in sound if row["redirect"] is None}
    redirects = {row["title"]: row["redirect"] for row in sound if row["redirect"] is not None}
    with serving(handler(pages, redirects)) as address:
        yield f"{address}/w/api.php"


@pytest.fixture
def recipe(tmp_path: Path) -> str:
    path = tmp_path / "mine.yaml"
    path.write_text(RECIPE, encoding="utf-8")
    return str(path)


def sources(world: str, wiki: str) -> tuple[str, ...]:
    return ("--source", f"sparql:{world}", "--source", f"mediawiki:{wiki}")


def version(said: str) -> str:
    found = re.search(r"qampari ([0-9a-f]{16})", said)
    assert found is not None, said
    return found.group(1)


@pytest.fixture(scope="module")
def changed(dump: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An endpoint of a later day, when a film has another name."""
    entities = list(records(dump))
    [film, *_] = [entity for entity in entities if '"numeric-id": 11424' in json.dumps(entity["claims"])]
    film["labels"]["en"]["value"] = "A film by another name"
    with oxigraph(triples(entities), tmp_path_factory.mktemp("changed")) as address:
        yield address


def test_online_offline_and_refreshed(world: str, changed: str, wiki: str, recipe: str, tmp_path: Path) -> None:
    with proxied(world) as proxy:
        live = (*sources(proxy.address, wiki), "--recipe", recipe, "--cache", str(tmp_path / "cache"))
        asked = ("build", "qampari", *live, *UNTIL)
        contact = ("--contact", "tests@example.org", "--per-minute", "9999")
        result = call(*asked, *contact, "--root", str(tmp_path / "a"))
        assert result.exit_code == 0, result.stderr
        assert "members" in result.stderr and "asked" in result.stderr
        assert {asked["user-agent"].partition("/")[2][5:] for asked in proxy.requests} == {" (tests@example.org)"}
        manifest = json.loads(run("show", "qampari", "--root", str(tmp_path / "a"), "--json"))
        assert manifest["sources"] == {"Wikidata": "CC0-1.0", "Wikipedia": "CC BY-SA 4.0"}
        assert any(f"fetched from {proxy.address} by the recipe mine" in note for note in manifest["notes"])
        before, proxy.target = len(proxy.requests), changed
        offline = run(*asked, "--root", str(tmp_path / "b"), "--offline")
        online = run(*asked, "--root", str(tmp_path / "c"))
        assert version(offline) == version(online) == version(result.stdout)
        buckets = ("--set", "build.buckets=2")
        assert "cached" in run("plan", "qampari", *live, "--root", str(tmp_path / "b"), *buckets)
        assert len(proxy.requests) == before
        refreshed = run(*asked, *contact, "--root", str(tmp_path / "c"), "--refresh")
        assert version(refreshed) != version(offline)
    compared = call("diff", str(tmp_path / "a"), str(tmp_path / "c"), "--rows")
    assert compared.exit_code == 1 and "A film by another name" in compared.stdout


def test_a_live_wiki_beside_a_local_dump(wiki: str, dump: str, tmp_path: Path) -> None:
    said = run(
        *("build", "qampari", "--source", dump, "--source", f"mediawiki:{wiki}", "--root", str(tmp_path / "root")),
        *(*UNTIL, "--per-minute", "9999"),
    )
    assert "qampari" in said
    assert (tmp_path / "root/requests").is_dir()


def test_plan_never_asks_but_says_what_build_would_ask(world: str, wiki: str, recipe: str, tmp_path: Path) -> None:
    asked = ("plan", "qampari", *sources(world, wiki), "--recipe", recipe, "--root", str(tmp_path / "root"))
    said = run(*asked)
    assert "members of Q11424, 40 at the most" in said and "60 pages at the most" in said
    assert f"{tmp_path / 'root/requests'} is empty" in said and "`plan` never asks" in said
    steps = json.loads(run(*asked, "--json"))
    assert [(step["stage"], step["state"]) for step in steps] == [
        (f"sparql:{world}", "asks"),
        (f"mediawiki:{wiki}", "asks"),
    ]
    assert not (tmp_path / "root").exists()


def test_a_bad_recipe_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    """In a process of its own: whether Beam or Arrow's tables are imported shows in `sys.modules`."""
    bad = tmp_path / "bad.yaml"
    bad.write_text("version: 1\nclases: [Q1]\n", encoding="utf-8")
    program = (
        "import sys; from pipelines.cli import main\n"
        f"try: main(['build', 'qampari', '--source', 'sparql:http://h/x', '--recipe', {str(bad)!r}])\n"
        "except SystemExit as end: print(end.code, 'apache_beam' in sys.modules, 'onnxruntime' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "2 False False"
    assert "bad.yaml: no such key as 'clases'; did you mean classes?" in done.stderr


def test_plan_names_only_what_there_is_to_ask_for(tmp_path: Path) -> None:
    [hops] = [path for path in sample_files("hops") if path.endswith("squad.json")]
    titles = tmp_path / "titles.yaml"
    titles.write_text("version: 1\ntitles: [Alpha]\n", encoding="utf-8")
    names = "pages of 5,000 names at the most, 200 of them by search"
    for more, said in ((), names), (("--recipe", str(titles)), f"5,000 pages at the most, of titles; {names}"):
        asked = ("plan", "musique", "--source", hops, *WIKI, *more, "--root", str(tmp_path / "root"), "--json")
        assert [step["why"] for step in json.loads(run(*asked))] == [said]


def test_ctrl_c_while_a_service_is_asked(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        live = ("--source", f"sparql:http://127.0.0.1:{server.getsockname()[1]}/x", *WIKI, "--recipe", "films")
        command = [str(Path(sys.executable).with_name("benchwright")), "build", "qampari", *live, "--root"]
        process = subprocess.Popen(
            [*command, str(tmp_path)],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # Where the tests run in the background of a script, Ctrl-C is ignored, which a child would inherit.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        server.accept()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert said == f"{SAID_ASKING.format(folder=tmp_path / 'requests')}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["qampari", "--source", "http://u:s3cret@127.0.0.1:1/x"], "--source http://127.0.0.1:1/x: put sparql: before"),
        (["qampari", "--source", "MediaWiki:http://127.0.0.1:99999/x"], "99999 is no port"),
        (["qampari", "--recipe", "films"], "--source sparql:URL"),
        (["qampari", "--source", "sparql:ftp://host/x", "--recipe", "films"], "not an http or https address"),
        (["qampari", "--source", "sparql:http://u:s3cret@127.0.0.1:1/x", *WIKI], "classes or seeds"),
        (
            ["qampari", "--source", "sparql:http://127.0.0.1:1/x", "--recipe", "films"],
            "no Wikipedia dump or prepared pages among the sources given; or --source mediawiki:URL",
        ),
        (["wiqa", "--source", "mediawiki:http://127.0.0.1:1/x"], "wiqa reads nothing of that kind"),
        (["qampari", "--source", "sparql:http://127.0.0.1:1/x", "--offline", "--refresh"], "leave one of them out"),
        (["qampari", "--source", "sparql:http://127.0.0.1:1/x", "--recipe", "nothing.yaml"], "no such file"),
        (["qampari", "--source", "sparql:http://127.0.0.1:1/x", "--recipe", "films", "--contact", "é"], "--contact"),
        (
            ["qampari", "--source", "sparql:http://127.0.0.1:1/x", *WIKI, "--recipe", "films", "--offline"],
            "is empty and lacks the types of P6, P17, ",
        ),
    ],
)
def test_options_that_make_no_sense(arguments: list[str], said: str, tmp_path: Path) -> None:
    message = refused("build", *arguments, "--root", str(tmp_path))
    assert said in message and "s3cret" not in message


def test_progress_in_a_pipe_and_on_a_terminal() -> None:
    for mode, expected in (("lines", "entities"), ("bar", "entities"), ("quiet", "")):
        stream = io.StringIO()
        watch = Watch(stream, mode)
        for done in (10, 20):
            watch.tell("entities", done, 20)
        watch.say("http://h: status 429, waiting 37 s")
        watch.close()
        assert ("waiting 37 s\n" in stream.getvalue()) is (mode != "quiet")
        assert expected in stream.getvalue()
        assert ("20/20" in stream.getvalue()) is (mode != "quiet")
