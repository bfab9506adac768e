"""A server that answers as Label Studio's API does, as far as tasks are sent to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.tools.servers import serving


@dataclass
class SmallLabelStudio:
    """projects: as they were made, with their tasks; asked: (method, path, Authorization) of every request.

    token: the one that it takes; imports: how many it takes before it fails; loses: one task of each import.
    """

    token: str
    url: str = ""
    imports: int = 1000
    loses: bool = False
    projects: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        page, size = (int(query.get(name, [default])[0]) for name, default in (("page", "1"), ("page_size", "30")))
        window = slice((page - 1) * size, page * size)
        match method, [part for part in path.split("/") if part]:
            case "GET", ["api", "projects"]:
                rows = [{name: value for name, value in one.items() if name != "tasks"} for one in self.projects]
                more = f"{self.url}{path}?page={page + 1}" if rows[window.stop :] else None
                return 200, {"count": len(rows), "next": more, "previous": None, "results": rows[window]}
            case "POST", ["api", "projects"]:
                self.projects.append({"id": len(self.projects) + 1, "tasks": []} | body)
                return 201, {name: value for name, value in self.projects[-1].items() if name != "tasks"}
            case "POST", ["api", "projects", number, "import"]:
                return self._import(int(number), body)
            case "GET", ["api", "tasks"]:
                tasks = self.projects[int(query["project"][0]) - 1]["tasks"]
                if page > 1 and not tasks[window]:
                    return 404, {"detail": "Invalid page."}
                rows = [{"id": number} | one for number, one in enumerate(tasks[window], window.start + 1)]
                return 200, {"tasks": rows, "total": len(tasks), "total_annotations": 0, "total_predictions": 0}
        return 404, {"detail": f"{method} {path}"}

    def _import(self, number: int, records: list[dict[str, Any]]) -> tuple[int, Any]:
        if self.imports == 0:
            return 500, {"detail": f"broken, asked with Token {self.token}"}
        self.imports -= 1
        kept = records[1:] if self.loses else records
        self.projects[number - 1]["tasks"] += kept
        return 201, {"task_count": len(kept)}


def _handler(small: SmallLabelStudio) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            parts = urlsplit(self.path)
            told = self.headers.get("Authorization", "")
            small.asked.append((self.command, parts.path, told))
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"null")
            status, said = 401, {"detail": "Invalid token."}
            if told == f"Token {small.token}":
                status, said = small.answer(self.command, parts.path, parse_qs(parts.query), body)
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _serve

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    return Handler


@contextmanager
def small_label_studio(token: str) -> Iterator[SmallLabelStudio]:
    small = SmallLabelStudio(token)
    with serving(_handler(small)) as small.url:
        yield small
