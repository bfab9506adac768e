"""Uploads: the plan by hand, and a commit on a hub of the test's own that speaks the Hub's protocol."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import pytest
from huggingface_hub import constants

from stages.release.export import LISTING
from stages.release.format import ReleaseError
from stages.release.push import plan_upload, push
from tests.tools.servers import serving


def folder(path: Path, *names: str) -> Path:
    (path / "parquet").mkdir(parents=True)
    for name in names:
        (path / name).write_text(name)
    (path / LISTING).write_text(json.dumps({"files": dict.fromkeys(names, "0")}))
    return path


class Hub(BaseHTTPRequestHandler):
    """Keeps one repository in memory. refuses: answers every request with 403."""

    files: ClassVar[dict[str, bytes]] = {}
    made: ClassVar[list[dict[str, Any]]] = []
    refuses: ClassVar[bool] = False

    @property
    def base(self) -> str:
        return f"http://{self.headers['Host']}"

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, body: object, status: int = 200, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def do_GET(self) -> None:
        _, _, path = self.path.partition("/resolve/main/")
        if "/tree/main" in self.path:
            names = sorted(self.files)
            self.answer([{"type": "file", "path": name, "size": 1, "oid": "0" * 40} for name in names])
        elif not path:
            self.answer({"id": "org/set", "sha": "0" * 40, "private": False, "tags": []})
        elif path in self.files:
            self.answer(self.files[path], ETag='"1"', X_Repo_Commit="0" * 40)
        else:
            self.answer({}, 404)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if self.refuses:
            self.answer({"error": "no"}, 403)
        elif self.path == "/api/repos/create":
            self.made.append(json.loads(sent))
            self.answer({"url": f"{self.base}/datasets/org/set"})
        elif self.path == "/api/validate-yaml":
            self.answer({"errors": [], "warnings": []})
        elif "/preupload/" in self.path:
            asked = json.loads(sent)["files"]
            told = {"uploadMode": "regular", "shouldIgnore": False, "oid": None}
            self.answer({"files": [{"path": one["path"]} | told for one in asked]})
        else:
            for line in map(json.loads, sent.splitlines()):
                if line["key"] == "file":
                    self.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
                elif line["key"] == "deletedFile":
                    del self.files[line["value"]["path"]]
            url = f"{self.base}/datasets/org/set/commit/" + "1" * 40
            self.answer({"success": True, "commitUrl": url, "commitOid": "1" * 40, "hookOutput": ""})


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(Hub, "files", {})
    monkeypatch.setattr(Hub, "made", [])
    with serving(Hub) as address:
        # The library reads HF_ENDPOINT when it is imported.
        monkeypatch.setattr(constants, "ENDPOINT", address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}"
        )
        yield address


def test_a_plan_names_every_file_and_asks_nobody(tmp_path: Path) -> None:
    found = plan_upload(folder(tmp_path / "r", "README.md", "parquet/dev.parquet"), "org/set", private=True)
    assert list(found.files) == ["README.md", "parquet/dev.parquet", LISTING]
    size = (tmp_path / "r" / LISTING).stat().st_size
    assert found.lines() == [
        "           9  README.md",
        "          19  parquet/dev.parquet",
        f"{size:>12,}  .release.json",
        f"3 files, {28 + size} bytes to org/set (private)",
    ]


@pytest.mark.parametrize("name", ["set", "a/b/c", "org/", "org/se t", "https://host/org/set", ""])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReleaseError, match="expected owner/name"):
        plan_upload(folder(tmp_path / "r"), name)


@pytest.mark.network
def test_a_release_takes_the_place_of_an_earlier_one_and_of_nothing_else(tmp_path: Path, hub: str) -> None:
    first = plan_upload(folder(tmp_path / "a", "README.md", "parquet/dev.parquet"), "org/set", private=True)
    assert push(first).endswith("/commit/" + "1" * 40)
    assert Hub.made[0]["name"] == "set" and Hub.made[0]["organization"] == "org" and Hub.made[0]["type"] == "dataset"
    Hub.files["notes.md"] = b"theirs"
    push(plan_upload(folder(tmp_path / "b", "README.md", "parquet/test.parquet"), "org/set"))
    assert sorted(Hub.files) == [LISTING, "README.md", "notes.md", "parquet/test.parquet"]
    assert Hub.files["parquet/test.parquet"] == b"parquet/test.parquet"


@pytest.mark.network
def test_a_hub_that_refuses_is_named(tmp_path: Path, hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hub, "refuses", True)
    upload = plan_upload(folder(tmp_path / "r", "README.md"), "org/set")
    with pytest.raises(ReleaseError, match=r"--push-to-hub org/set: .*403.*hf auth login"):
        push(upload)
    assert Hub.files == {}
