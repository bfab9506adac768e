"""A real Label Studio: tasks go in through its import, two users annotate through its API, the export comes back.

Its packages go into an environment of their own below pytest's cache, once; the server runs on the loopback
interface over SQLite in a temporary folder. LABEL_STUDIO may name the command of an installation to use instead.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from stages.annotation.export import export_tasks
from stages.annotation.label_studio_server import TOKEN as TOKEN_VARIABLE
from stages.annotation.label_studio_server import Server
from stages.annotation.platforms.label_studio import ANSWERED
from tests.people_samples import ANSWER, GRAPH, KINDS, choice, imported, read_all, task_row, task_table, writing

pytestmark = [pytest.mark.live, pytest.mark.network]

VERSION = "label-studio>=1.23,<2"
TOKEN = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105 (of a server that lives for one test)
PATIENCE = 300
ROWS = [task_row(question=f"Which {number} & <b>why</b>?", page="First.\nSecond 😀.") for number in range(3)]
TREE = task_row(GRAPH)


@dataclass(frozen=True)
class User:
    """A user of the server: an HTTP session that is signed in."""

    session: Any
    base: str

    def call(self, method: str, path: str, **body: Any) -> Any:
        headers = {"Referer": self.base}
        if token := self.session.cookies.get("csrftoken"):
            headers["X-CSRFToken"] = token
        answer = self.session.request(method, self.base + path, timeout=60, headers=headers, **body)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json()

    def annotate(self, task: int, result: list[dict[str, Any]], **more: Any) -> Any:
        return self.call("POST", f"/api/tasks/{task}/annotations/", json={"result": result, "lead_time": 95.5} | more)


@pytest.fixture(scope="module")
def command(request: pytest.FixtureRequest) -> str:
    if given := os.environ.get("LABEL_STUDIO"):
        return given
    home = request.config.cache.mkdir("label-studio")
    ready = home / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home / "venv"], check=True)
        subprocess.run([home / "venv/bin/pip", "install", "--quiet", VERSION], check=True)
        ready.touch()
    return str(home / "venv/bin/label-studio")


@pytest.fixture(scope="module")
def base(command: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "LATEST_VERSION_CHECK": "false",
        "COLLECT_ANALYTICS": "false",
        "HOME": str(folder),
    }
    user = ["--username", "ann@example.com", "--password", "a-long-password", "--user-token", TOKEN]
    where = ["--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [command, "start", *where, *user],
            env={**os.environ, **settings},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}", server, folder / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


def wait_for(base: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            if requests.get(f"{base}/health", timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(1)
    pytest.fail(f"Label Studio did not start:\n{log.read_text(errors='replace')[-3000:]}")


@pytest.fixture(scope="module")
def ann(base: str) -> User:
    session = requests.Session()
    session.headers["Authorization"] = f"Token {TOKEN}"
    return User(session, base)


@pytest.fixture(scope="module")
def bob(base: str) -> User:
    session = requests.Session()
    page = session.get(f"{base}/user/signup/", timeout=60).text
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1], "email": "bob@example.com", "password": "another-password"}
    headers = {"Referer": f"{base}/user/signup/"}
    session.post(f"{base}/user/signup/", data=form, headers=headers, timeout=60, allow_redirects=False)
    return User(session, base)


def test_a_server_is_filled_through_its_api(ann: User, bob: User, base: str, tmp_path: Path) -> None:
    tasks = task_table(*ROWS, TREE)
    server = Server.of(base, {TOKEN_VARIABLE: TOKEN})
    pushed = server.push(tasks, KINDS, "toy", batch=2)
    assert [(one.kind, one.votes, one.tasks, one.added) for one in pushed] == [(ANSWER, 1, 3, 3), (GRAPH, 1, 1, 1)]
    assert [one.added for one in server.push(tasks, KINDS, "toy", batch=2)] == [0, 0]
    number = int(pushed[0].url.rpartition("/")[2])
    project = ann.call("GET", f"/api/projects/{number}")
    assert (project["title"], project["maximum_annotations"]) == ("Does the page support this answer?", 1)
    assert project["show_instruction"] and "<li>Choose &quot;Correct&quot; if" in project["expert_instruction"]
    opened = bob.call("GET", f"/api/projects/{number}/next")
    assert opened["data"]["task"] in {row["task"] for row in ROWS}
    bob.annotate(opened["id"], [choice("verdict", "correct")])
    path = tmp_path / "export.json"
    exported = ann.call("GET", f"/api/projects/{number}/export?exportType=JSON&download_all_tasks=true")
    path.write_text(json.dumps(exported), encoding="utf-8")
    rows, rejects = imported(read_all(str(path)), tasks)
    assert [(row["task"], row["answers"]) for row in rows] == [(opened["data"]["task"], '{"verdict":["correct"]}')]
    assert not rejects


def test_an_expert_finds_what_was_answered_on_a_filled_server(ann: User, base: str) -> None:
    drawn = {"X": ["more rain falls"], "Y": ["the river rises"], "y_affects": ["more"]}
    given = [{"task": TREE["task"], "answers": json.dumps(drawn)}]
    [pushed] = Server.of(base, {TOKEN_VARIABLE: TOKEN}).push(task_table(TREE), KINDS, "toy", answers=given)
    opened = ann.call("GET", f"/api/projects/{pushed.url.rpartition('/')[2]}/next")
    assert {part["from_name"] for part in opened["predictions"][0]["result"]} == set(drawn)


def open_project(user: User, folder: Path) -> tuple[int, dict[str, int]]:
    """A project with an exported kind's form and tasks: its number, and the server's number of each task."""
    config = (folder / "label_studio/config.xml").read_text(encoding="utf-8")
    project = user.call("POST", "/api/projects", json={"title": folder.name, "label_config": config})["id"]
    batch = json.loads((folder / "label_studio/votes-1/001.json").read_text(encoding="utf-8"))
    user.call("POST", f"/api/projects/{project}/import", json=batch)
    listed = user.call("GET", f"/api/tasks?project={project}&page_size=100&fields=all")["tasks"]
    return project, {task["data"]["task"]: task["id"] for task in listed}


def test_tasks_go_out_and_answers_come_back(ann: User, bob: User, tmp_path: Path) -> None:
    tasks = task_table(*ROWS, TREE)
    export_tasks(tasks, KINDS, tmp_path / "out")
    answers, numbers = open_project(ann, tmp_path / "out" / ANSWER)
    graphs, trees = open_project(ann, tmp_path / "out" / GRAPH)
    first, second, third = (numbers[row["task"]] for row in ROWS)
    right = [choice("verdict", "correct")]
    wrong = [choice("verdict", "incorrect"), writing("reason", "it names another town")]
    for task in (first, second):
        ann.annotate(task, right)
    edited = ann.annotate(third, right)["id"]
    ann.call("PATCH", f"/api/annotations/{edited}/", json={"result": wrong})
    bob.annotate(first, wrong)
    # The server takes these; the import must not.
    bob.annotate(second, [choice("verdict", "perhaps")])
    bob.annotate(third, [], was_cancelled=True)
    tree = [
        writing("X", "more rain falls"),
        writing("Y", "the river rises"),
        choice("y_affects", "more"),
        writing("W", "the fields dry out", "the dust rises"),
    ]
    bob.annotate(trees[TREE["task"]], tree)
    paths = []
    for project in (answers, graphs):
        path = tmp_path / f"{project}.json"
        exported = ann.call("GET", f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")
        path.write_text(json.dumps(exported, indent=2), encoding="utf-8")
        paths.append(str(path))
    rows, rejects = imported(read_all(*paths), tasks)
    me, you = (f"label_studio:{user.call('GET', '/api/current-user/whoami')['id']}" for user in (ann, bob))
    assert {(row["task"], row["worker"]): json.loads(row["answers"]) for row in rows} == {
        (ROWS[0]["task"], me): {"verdict": ["correct"]},
        (ROWS[1]["task"], me): {"verdict": ["correct"]},
        (ROWS[2]["task"], me): {"reason": ["it names another town"], "verdict": ["incorrect"]},
        (ROWS[0]["task"], you): {"reason": ["it names another town"], "verdict": ["incorrect"]},
        (TREE["task"], you): {
            "W": ["the fields dry out", "the dust rises"],
            "X": ["more rain falls"],
            "Y": ["the river rises"],
            "y_affects": ["more"],
        },
    }
    assert rejects == {(f"{ROWS[1]['task']} {you}", "unknown_choice"), (f"{ROWS[2]['task']} {you}", "skipped")}
    assert {row["seconds"] for row in rows} == {95.5}
    assert {row["source"] for row in rows} == {"label_studio"}
    assert all(row["submitted"].endswith("Z") for row in rows)


def test_an_expert_finds_the_form_filled_in(ann: User, tmp_path: Path) -> None:
    drawn = {"X": ["more rain falls"], "Y": ["the river rises"], "W": ["dust", "heat"], "y_affects": ["more"]}
    given = [{"task": TREE["task"], "answers": json.dumps(drawn)}]
    export_tasks(task_table(TREE), KINDS, tmp_path / "out", answers=given)
    project, numbers = open_project(ann, tmp_path / "out" / GRAPH)
    # The server takes over the version, without which it would show nothing.
    assert ann.call("GET", f"/api/projects/{project}")["model_version"] == ANSWERED
    opened = ann.call("GET", f"/api/projects/{project}/next")
    assert opened["id"] == numbers[TREE["task"]]
    [prediction] = opened["predictions"]
    ann.annotate(opened["id"], prediction["result"], parent_prediction=prediction["id"])
    path = tmp_path / "export.json"
    exported = ann.call("GET", f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")
    path.write_text(json.dumps(exported), encoding="utf-8")
    rows, rejects = imported(read_all(str(path)), task_table(TREE))
    assert [json.loads(row["answers"]) for row in rows] == [drawn] and not rejects
