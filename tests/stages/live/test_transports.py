"""Through the fault proxy, before a real oxigraph server."""

from __future__ import annotations

import http.server
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest
import requests

from stages.live.addresses import LiveError
from stages.live.cache import Question
from stages.live.service import ConnectionDropped, Cut
from stages.live.transports import Http, Sparql
from tests.faults.proxy import Proxy, proxied
from tests.stages.live.made import MANNERS
from tests.tools.servers import free_port, serving

pytestmark = pytest.mark.network
QUERY = {"query": "SELECT ?s WHERE { ?s ?p ?o } ORDER BY ?s LIMIT 50"}


@pytest.fixture
def proxy(world: str) -> Iterator[Proxy]:
    with proxied(world) as made:
        yield made


def test_a_query_arrives_and_says_who_asks(proxy: Proxy) -> None:
    reply = Sparql(MANNERS)(Question(proxy.address, QUERY))
    assert reply.status == 200 and reply.headers["content-type"].startswith("application/sparql-results+json")
    [asked] = proxy.requests
    assert asked["user-agent"] == MANNERS.agent
    assert "sparql-results+json" in asked["accept"]
    assert "authorization" not in asked


def test_user_and_password_go_to_the_service_alone(proxy: Proxy) -> None:
    address = proxy.address.replace("http://", "http://me:secret@")
    proxy.faults = ["loop"]
    Sparql(MANNERS)(Question(address, QUERY))
    assert ["authorization" in asked for asked in proxy.requests] == [True, False]


@pytest.mark.parametrize("fault", ["cut", "big"])
def test_what_does_not_come_whole_is_cut(proxy: Proxy, fault: str) -> None:
    proxy.faults = [fault]
    with pytest.raises(Cut):
        Sparql(replace(MANNERS, most_bytes=5_000_000))(Question(proxy.address, QUERY))


def test_an_answer_that_drips_is_not_waited_for(proxy: Proxy) -> None:
    proxy.faults = ["drip"]
    with pytest.raises(Cut, match="not whole after"):
        Sparql(replace(MANNERS, answer_seconds=0.3))(Question(proxy.address, QUERY))


def test_redirects_end(proxy: Proxy) -> None:
    proxy.always = "loop"
    with pytest.raises(LiveError, match="more than 3 redirects"):
        Sparql(MANNERS)(Question(proxy.address, QUERY))
    assert len(proxy.requests) == 4


def test_a_redirect_to_a_file_is_not_followed(proxy: Proxy) -> None:
    proxy.faults = ["to_file"]
    with pytest.raises(LiveError, match="not followed"):
        Sparql(MANNERS)(Question(proxy.address, QUERY))


def test_nobody_there() -> None:
    with pytest.raises(ConnectionDropped, match="ConnectionError"):
        Http(MANNERS)(Question(f"http://127.0.0.1:{free_port()}/x", {}))


def test_https_where_http_is_spoken(proxy: Proxy) -> None:
    with pytest.raises(ConnectionDropped, match="SSLError, no TLS") as caught:
        Http(MANNERS)(Question(proxy.address.replace("http:", "https:"), {}))
    assert "http://, not https://" in caught.value.hint


def test_a_handshake_that_nobody_answers_is_soon_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(ConnectionDropped, match="Timeout") as caught:
        Http(replace(MANNERS, connect_seconds=0.2))(Question(f"https://127.0.0.1:{server.getsockname()[1]}/", {}))
    assert "http://, not https://" in caught.value.hint


def test_an_error_of_the_service_comes_with_its_status(world: str) -> None:
    reply = Sparql(MANNERS)(Question(world, {"query": "SELECT nonsense"}))
    assert reply.status == 400


def test_certificates_are_verified() -> None:
    assert Http(MANNERS)._session.verify is True
    assert requests.Session().verify is True


def test_a_compressed_answer_that_is_no_gzip_is_cut() -> None:
    class Bad(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", "4")
            self.end_headers()
            self.wfile.write(b"junk")

        def log_message(self, *_: object) -> None:
            pass

    with serving(Bad) as address, pytest.raises(Cut):
        Http(MANNERS)(Question(address, {}))
