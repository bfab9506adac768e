"""Servers for tests, on the loopback interface: oxigraph, filled with RDF, and anything that Python serves itself."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_PATIENCE = 30


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def oxigraph(lines: Iterable[str], folder: Path) -> Iterator[str]:
    """The address of an endpoint that holds the triples."""
    program = str(Path(sys.executable).with_name("oxigraph"))
    file, store, port = folder / "triples.nt", folder / "store", free_port()
    with file.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)
    loaded = [program, "load", "--location", str(store), "--file", str(file)]
    subprocess.run(loaded, check=True, capture_output=True, timeout=300)
    served = [program, "serve-read-only", "--location", str(store), "--bind", f"127.0.0.1:{port}", "--timeout-s", "30"]
    server = subprocess.Popen(served, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(timeout=_PATIENCE)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server whose requests a class handles."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def wait_for(port: int) -> None:
    """Returns once something listens."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
