"""A proxy that stands between a client and a server of a test, and does to some answers what networks and servers do.

Each fault is used up by one request, in turn; what comes after the last one goes through as it is.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

import requests

from tests.tools.servers import serving

JSON = "application/sparql-results+json"
DRIP = 0.05
"""Seconds between two bytes of a slow drip."""


@dataclass
class Proxy:
    """faults: names of the functions below, "" for none; `always` for every request after them. target: may change."""

    target: str
    address: str = ""
    faults: list[str] = field(default_factory=list)
    always: str = ""
    requests: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def proxied(target: str) -> Iterator[Proxy]:
    """A proxy before a server's address."""
    proxy = Proxy(target)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            proxy.requests.append({**{name.lower(): value for name, value in self.headers.items()}, "path": self.path})
            kept = {name: self.headers[name] for name in ("Content-Type", "Accept", "User-Agent")}
            fault = proxy.faults.pop(0) if proxy.faults else proxy.always
            answer = requests.post(proxy.target, data=body, headers=kept, timeout=60)
            FAULTS[fault](self, answer.content, answer.headers.get("Content-Type", JSON), answer.status_code)
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with serving(Handler) as address:
        proxy.address = f"{address}/query"
        yield proxy


def _send(
    handler: BaseHTTPRequestHandler, data: bytes, kind: str, status: int = 200, length: int = -1, **more: str
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data) if length < 0 else length))
    for name, value in more.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(data)


def _drip(handler: BaseHTTPRequestHandler, data: bytes, kind: str, status: int) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    try:
        for place in range(len(data)):
            handler.wfile.write(data[place : place + 1])
            handler.wfile.flush()
            time.sleep(DRIP)
    except OSError:
        # The client has had enough, which is what this is for.
        return


def _reset(handler: BaseHTTPRequestHandler, data: bytes = b"", length: int = 0) -> None:
    """The connection is reset, not closed: before an answer, or within one."""
    if data:
        _send(handler, data, JSON, length=length)
        handler.wfile.flush()
    # With this, closing tells the other side at once that nothing more will be read or sent.
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def _rows(change: Callable[[list[dict[str, object]]], list[dict[str, object]]]) -> Fault:
    def fault(handler: BaseHTTPRequestHandler, data: bytes, kind: str, status: int) -> None:
        said = json.loads(data)
        said["results"]["bindings"] = change(said["results"]["bindings"])
        _send(handler, json.dumps(said).encode(), kind, status)

    return fault


def _with(more: dict[str, object]) -> Fault:
    """The answer with something besides."""

    def fault(handler: BaseHTTPRequestHandler, data: bytes, kind: str, status: int) -> None:
        _send(handler, json.dumps({**json.loads(data), **more}).encode(), kind, status)

    return fault


Fault = Callable[[BaseHTTPRequestHandler, bytes, str, int], None]
FAULTS: dict[str, Fault] = {
    "": lambda handler, data, kind, status: _send(handler, data, kind, status),
    "too_many": lambda handler, data, kind, status: _send(handler, b"slow down", "text/plain", 429),
    "too_many_wait": lambda handler, data, kind, status: _send(
        handler, b"slow down", "text/plain", 429, Retry_After="7"
    ),
    "unavailable": lambda handler, data, kind, status: _send(handler, b"later", "text/plain", 503),
    "unavailable_wait": lambda handler, data, kind, status: _send(
        handler, b"later", "text/plain", 503, Retry_After="9"
    ),
    "unavailable_until": lambda handler, data, kind, status: _send(
        handler, b"later", "text/plain", 503, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT"
    ),
    "reset": lambda handler, data, kind, status: _reset(handler),
    "half_reset": lambda handler, data, kind, status: _reset(handler, data[: len(data) // 2], len(data)),
    "shorter": lambda handler, data, kind, status: _send(handler, data, kind, status, len(data) // 2),
    "gzip_garbage": lambda handler, data, kind, status: _send(
        handler, b"\x1f\x8b\x08" + data, kind, status, Content_Encoding="gzip"
    ),
    "gzip_cut": lambda handler, data, kind, status: _send(
        handler, gzip.compress(data)[:-20], kind, status, Content_Encoding="gzip"
    ),
    "broken": lambda handler, data, kind, status: _send(handler, b"java.util.concurrent.Timeout", "text/plain", 500),
    "refused": lambda handler, data, kind, status: _send(handler, b"malformed query s3cret", "text/plain", 400),
    "cut": lambda handler, data, kind, status: _send(handler, data[: len(data) // 2], kind, status, len(data)),
    "cut_json": lambda handler, data, kind, status: _send(handler, data[: len(data) // 2], kind, status),
    "html": lambda handler, data, kind, status: _send(handler, b"<html>sign in</html>", "text/html"),
    "loop": lambda handler, data, kind, status: _send(handler, b"", "text/plain", 302, Location="/again"),
    "to_file": lambda handler, data, kind, status: _send(
        handler, b"", "text/plain", 302, Location="file:///etc/passwd"
    ),
    "big": lambda handler, data, kind, status: _send(handler, b" " * 10_000_000 + data, kind, status),
    "drip": _drip,
    "fewer_rows": _rows(lambda rows: rows[:-1]),
    "other_order": _rows(lambda rows: rows[::-1]),
    "lag_plain": lambda handler, data, kind, status: _send(
        handler,
        json.dumps(
            {"errors": [{"code": "maxlag", "text": "Waiting for a database server", "module": "main"}]}
        ).encode(),
        "application/json",
        200,
        Retry_After="5",
    ),
    "no_search": lambda handler, data, kind, status: _send(
        handler, json.dumps({"errors": [{"code": "invalidtitle", "text": "Bad title"}]}).encode(), "application/json"
    ),
    "warned": _with(
        {"warnings": [{"code": "unrecognizedparams", "text": "Unrecognized parameter.", "module": "main"}]}
    ),
    "warned_old": _with({"warnings": {"main": {"warnings": "Unrecognized parameter."}}}),
    "lag": lambda handler, data, kind, status: _send(
        handler,
        json.dumps({"error": {"code": "maxlag", "info": "Waiting for a database server", "lag": 6}}).encode(),
        "application/json",
        200,
        Retry_After="5",
    ),
}
